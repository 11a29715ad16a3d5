// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A long and the int that says where it is. */
public final class LongInt extends Struct
{
    private final int value = addLong();
    private final int index = addInt();

    LongInt()
    {
    }

    @Override
    protected Data newData()
    {
        return new Data();
    }

    /** A pair in a buffer. */
    public final class Data extends Struct.Data
    {
        private Data()
        {
        }

        public long getValue()
        {
            return getLong(value);
        }

        public int getIndex()
        {
            return getInt(index);
        }

        public void putValue(final long to)
        {
            putLong(value, to);
        }

        public void putIndex(final int to)
        {
            putInt(index, to);
        }
    }
}
