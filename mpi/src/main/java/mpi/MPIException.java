// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** An error, with its class of the standard. It is always thrown, whatever {@link Errhandler} is set. */
public final class MPIException extends Exception
{
    private static final long serialVersionUID = 1L;

    /** Class of the error, which is its code too. */
    private final int errorClass;

    public MPIException(final String message)
    {
        this(MPI.ERR_OTHER, message);
    }

    public MPIException(final Throwable cause)
    {
        super(cause);
        errorClass = MPI.ERR_OTHER;
    }

    MPIException(final int errorClass, final String message)
    {
        super(message);
        this.errorClass = errorClass;
    }

    MPIException(final int errorClass, final Throwable cause)
    {
        super(cause.getMessage(), cause);
        this.errorClass = errorClass;
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
