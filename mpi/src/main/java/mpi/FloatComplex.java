// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.FloatBuffer;
import java.nio.ByteBuffer;

/** A complex number in an array or a buffer. */
public final class FloatComplex
{
    private final FloatBuffer buffer;
    private final int offset;

    private FloatComplex(final FloatBuffer buffer, final int number)
    {
        this.buffer = buffer;
        offset = 2 * number;
    }

    public static FloatComplex get(final float[] array)
    {
        return get(array, 0);
    }

    /** One of the numbers. */
    public static FloatComplex get(final float[] array, final int number)
    {
        return new FloatComplex(FloatBuffer.wrap(array), number);
    }

    public static FloatComplex get(final FloatBuffer buffer)
    {
        return get(buffer, 0);
    }

    /** One of the numbers. */
    public static FloatComplex get(final FloatBuffer buffer, final int number)
    {
        return new FloatComplex(buffer, number);
    }

    public static FloatComplex get(final ByteBuffer buffer)
    {
        return get(buffer, 0);
    }

    /** One of the numbers. */
    public static FloatComplex get(final ByteBuffer buffer, final int number)
    {
        return new FloatComplex(buffer.asFloatBuffer(), number);
    }

    public float getReal()
    {
        return buffer.get(offset);
    }

    public float getImag()
    {
        return buffer.get(offset + 1);
    }

    public void putReal(final float to)
    {
        buffer.put(offset, to);
    }

    public void putImag(final float to)
    {
        buffer.put(offset + 1, to);
    }
}
