// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** An error, with its class of the standard. It is always thrown, whatever {@link Errhandler} is set. */
public final class MPIException extends Exception
{
    private static final long serialVersionUID = 1L;

    /** Class of the error, which is its code too. */
    private final int errorClass;
    private final transient Status[] statuses;

    public MPIException(final String message)
    {
        this(MPI.ERR_OTHER, message);
    }

    public MPIException(final Throwable cause)
    {
        super(cause);
        errorClass = MPI.ERR_OTHER;
        statuses = null;
    }

    MPIException(final int errorClass, final String message)
    {
        super(message);
        this.errorClass = errorClass;
        statuses = null;
    }

    MPIException(final int errorClass, final Throwable cause)
    {
        super(cause.getMessage(), cause);
        this.errorClass = errorClass;
        statuses = null;
    }

    /** Of several requests: some of them have failed. */
    MPIException(final String message, final MPIException first, final Status... statuses)
    {
        super(message, first);
        errorClass = MPI.ERR_IN_STATUS;
        this.statuses = statuses;
    }

    /**
     * What has become of each request, in their order: {@link Status#getError} says which ones have failed.
     *
     * @return the statuses; null if the class is not ERR_IN_STATUS.
     */
    public Status[] getStatuses()
    {
        return statuses == null ? null : statuses.clone();
    }

    public int getErrorCode()
    {
        return errorClass;
    }

    public int getErrorClass()
    {
        return errorClass;
    }
}
