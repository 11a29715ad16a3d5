// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A double and the int that says where it is. */
public final class DoubleInt extends Struct
{
    private final int value = addDouble();
    private final int index = addInt();

    DoubleInt()
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

        public double getValue()
        {
            return getDouble(value);
        }

        public int getIndex()
        {
            return getInt(index);
        }

        public void putValue(final double to)
        {
            putDouble(value, to);
        }

        public void putIndex(final int to)
        {
            putInt(index, to);
        }
    }
}
