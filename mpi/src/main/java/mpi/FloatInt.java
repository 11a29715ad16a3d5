// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A float and the int that says where it is. */
public final class FloatInt extends Struct
{
    private final int value = addFloat();
    private final int index = addInt();

    FloatInt()
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

        public float getValue()
        {
            return getFloat(value);
        }

        public int getIndex()
        {
            return getInt(index);
        }

        public void putValue(final float to)
        {
            putFloat(value, to);
        }

        public void putIndex(final int to)
        {
            putInt(index, to);
        }
    }
}
