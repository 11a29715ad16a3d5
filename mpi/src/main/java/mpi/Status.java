// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** What became of a message: its source, its tag, and how much came. */
public final class Status implements Freeable
{
    /** Source of the message, in mpiJava. */
    public int source = MPI.ANY_SOURCE;
    /** Tag of the message, in mpiJava. */
    public int tag = MPI.ANY_TAG;
    /** Place of the request among those that were asked for, in mpiJava. */
    public int index = MPI.UNDEFINED;
    private int length;
    private int objects = MPI.UNDEFINED;
    private boolean isCancelled;
    private int error = MPI.SUCCESS;

    Status()
    {
    }

    /** What a transfer says that has ended. */
    static Status of(final Transfer transfer)
    {
        final Status status = new Status();
        status.source = transfer.source;
        status.tag = transfer.tag;
        status.length = transfer.length;
        status.objects = transfer.objects;
        status.isCancelled = transfer.isCancelled;
        status.error = transfer.failure() == null ? MPI.SUCCESS : transfer.failure().getErrorClass();
        return status;
    }

    /** What a probe has found. */
    static Status found(final int source, final int tag, final int length)
    {
        final Status status = new Status();
        status.source = source;
        status.tag = tag;
        status.length = length;
        return status;
    }

    Status index(final int value)
    {
        index = value;
        return this;
    }

    public int getSource()
    {
        return source;
    }

    public int getTag()
    {
        return tag;
    }

    public int getError()
    {
        return error;
    }

    public int getIndex()
    {
        return index;
    }

    public boolean isCancelled()
    {
        return isCancelled;
    }

    public void setCancelled(final boolean value)
    {
        isCancelled = value;
    }

    /** Items that came; UNDEFINED if the last is not whole, and of objects that were found by a probe. */
    public int getCount(final Datatype type) throws MPIException
    {
        type.check();
        if (type.isObject())
        {
            return objects == MPI.UNDEFINED ? objects : type.size() == 0 ? 0 : objects % type.size() == 0 ?
                objects / type.size() : MPI.UNDEFINED;
        }
        return type.size() == 0 ? 0 : length % type.size() == 0 ? length / type.size() : MPI.UNDEFINED;
    }

    /** Elements that came, also of an item that is not whole. */
    public int getElements(final Datatype type) throws MPIException
    {
        type.check();
        if (type.isObject())
        {
            return objects;
        }
        final long elements = type.map().elementsIn(length);
        return elements < 0 || elements > Integer.MAX_VALUE ? MPI.UNDEFINED : (int)elements;
    }

    public Count getElementsX(final Datatype type) throws MPIException
    {
        return new Count(getElements(type));
    }

    /** Sets what {@link #getCount} and {@link #getElements} say. */
    public void setElements(final Datatype type, final int count) throws MPIException
    {
        type.check();
        if (count < 0)
        {
            throw new MPIException(MPI.ERR_COUNT, "no such count: found=" + count + ", expected at least 0");
        }
        objects = count;
        length = type.map().lengthOf(count);
    }

    public void setElementsX(final Datatype type, final Count count) throws MPIException
    {
        setElements(type, Math.toIntExact(count.getValue()));
    }

    public int Get_count(final Datatype type) throws MPIException
    {
        return getCount(type);
    }

    public int Get_elements(final Datatype type) throws MPIException
    {
        return getElements(type);
    }

    public boolean Test_cancelled()
    {
        return isCancelled;
    }

    @Override
    public void free()
    {
        // it has nothing but its numbers
    }
}
