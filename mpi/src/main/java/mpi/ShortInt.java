// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A short and the int that says where it is. */
public final class ShortInt extends Struct
{
    private final int value = addShort();
    private final int index = addInt();

    ShortInt()
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

        public short getValue()
        {
            return getShort(value);
        }

        public int getIndex()
        {
            return getInt(index);
        }

        public void putValue(final short to)
        {
            putShort(value, to);
        }

        public void putIndex(final int to)
        {
            putInt(index, to);
        }
    }
}
