// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.DoubleBuffer;
import java.nio.ByteBuffer;

/** A complex number in an array or a buffer. */
public final class DoubleComplex
{
    private final DoubleBuffer buffer;
    private final int offset;

    private DoubleComplex(final DoubleBuffer buffer, final int number)
    {
        this.buffer = buffer;
        offset = 2 * number;
    }

    public static DoubleComplex get(final double[] array)
    {
        return get(array, 0);
    }

    /** One of the numbers. */
    public static DoubleComplex get(final double[] array, final int number)
    {
        return new DoubleComplex(DoubleBuffer.wrap(array), number);
    }

    public static DoubleComplex get(final DoubleBuffer buffer)
    {
        return get(buffer, 0);
    }

    /** One of the numbers. */
    public static DoubleComplex get(final DoubleBuffer buffer, final int number)
    {
        return new DoubleComplex(buffer, number);
    }

    public static DoubleComplex get(final ByteBuffer buffer)
    {
        return get(buffer, 0);
    }

    /** One of the numbers. */
    public static DoubleComplex get(final ByteBuffer buffer, final int number)
    {
        return new DoubleComplex(buffer.asDoubleBuffer(), number);
    }

    public double getReal()
    {
        return buffer.get(offset);
    }

    public double getImag()
    {
        return buffer.get(offset + 1);
    }

    public void putReal(final double to)
    {
        buffer.put(offset, to);
    }

    public void putImag(final double to)
    {
        buffer.put(offset + 1, to);
    }
}
