// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** An int and the int that says where it is. */
public final class Int2 extends Struct
{
    private final int value = addInt();
    private final int index = addInt();

    Int2()
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

        public int getValue()
        {
            return getInt(value);
        }

        public int getIndex()
        {
            return getInt(index);
        }

        public void putValue(final int to)
        {
            putInt(value, to);
        }

        public void putIndex(final int to)
        {
            putInt(index, to);
        }
    }
}
