// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.UnsafeApi;

/**
 * Reductions of long operands by way of arrays of the thread: both are copied into arrays, reduced there, and the results
 * copied to where they belong, in the place of the left ones or elsewhere. The compiler makes vectors of loops over arrays,
 * and not of those over memory, of which it does not know whether operands and results lie apart. The three copies cost less
 * than that gains, for the types and reducers that are here.
 *
 * <p>One for each thread, made when the thread first reduces something long; then nothing is allocated.
 */
final class ArrayLoops
{
    /** Least bytes for which it gains. */
    static final int MIN_LENGTH = 1024;

    private static final int LENGTH = 2048;
    private static final ThreadLocal<ArrayLoops> OF_THREAD = ThreadLocal.withInitial(ArrayLoops::new);
    private static final int BYTES = UnsafeApi.arrayBaseOffset(byte[].class);
    private static final int SHORTS = UnsafeApi.arrayBaseOffset(short[].class);
    private static final int CHARS = UnsafeApi.arrayBaseOffset(char[].class);
    private static final int INTS = UnsafeApi.arrayBaseOffset(int[].class);
    private static final int FLOATS = UnsafeApi.arrayBaseOffset(float[].class);
    private static final int DOUBLES = UnsafeApi.arrayBaseOffset(double[].class);

    private final byte[] leftBytes = new byte[LENGTH / Byte.BYTES];
    private final byte[] rightBytes = new byte[LENGTH / Byte.BYTES];
    private final short[] leftShorts = new short[LENGTH / Short.BYTES];
    private final short[] rightShorts = new short[LENGTH / Short.BYTES];
    private final char[] leftChars = new char[LENGTH / Character.BYTES];
    private final char[] rightChars = new char[LENGTH / Character.BYTES];
    private final int[] leftInts = new int[LENGTH / Integer.BYTES];
    private final int[] rightInts = new int[LENGTH / Integer.BYTES];
    private final float[] leftFloats = new float[LENGTH / Float.BYTES];
    private final float[] rightFloats = new float[LENGTH / Float.BYTES];
    private final double[] leftDoubles = new double[LENGTH / Double.BYTES];
    private final double[] rightDoubles = new double[LENGTH / Double.BYTES];

    private ArrayLoops()
    {
    }

    /** Whether it has a loop: only where it gains. */
    static boolean has(final StandardReducer reducer, final ElementType type)
    {
        switch (type)
        {
            case FLOAT:
                return true;
            case DOUBLE:
                return reducer == StandardReducer.MIN || reducer == StandardReducer.MAX;
            case LONG:
                return false;
            default:
                return reducer == StandardReducer.SUM || reducer == StandardReducer.PRODUCT;
        }
    }

    static ArrayLoops ofThread()
    {
        return OF_THREAD.get();
    }

    void bytes(
        final StandardReducer reducer, final Object to, final long toAt, final Object a, final long at, final Object b,
        final long from, final int length)
    {
        for (int done = 0; done < length; done += LENGTH)
        {
            final int part = Math.min(LENGTH, length - done);
            UnsafeApi.copyMemory(a, at + done, leftBytes, BYTES, part);
            UnsafeApi.copyMemory(b, from + done, rightBytes, BYTES, part);
            reduce(reducer, leftBytes, rightBytes, part / Byte.BYTES);
            UnsafeApi.copyMemory(leftBytes, BYTES, to, toAt + done, part);
        }
    }

    private static void reduce(final StandardReducer reducer, final byte[] left, final byte[] right, final int count)
    {
        switch (reducer)
        {
            case SUM:
                for (int i = 0; i < count; i++)
                {
                    left[i] = (byte)(left[i] + right[i]);
                }
                break;
            default:
                for (int i = 0; i < count; i++)
                {
                    left[i] = (byte)(left[i] * right[i]);
                }
                break;
        }
    }

    void shorts(
        final StandardReducer reducer, final Object to, final long toAt, final Object a, final long at, final Object b,
        final long from, final int length)
    {
        for (int done = 0; done < length; done += LENGTH)
        {
            final int part = Math.min(LENGTH, length - done);
            UnsafeApi.copyMemory(a, at + done, leftShorts, SHORTS, part);
            UnsafeApi.copyMemory(b, from + done, rightShorts, SHORTS, part);
            reduce(reducer, leftShorts, rightShorts, part / Short.BYTES);
            UnsafeApi.copyMemory(leftShorts, SHORTS, to, toAt + done, part);
        }
    }

    private static void reduce(final StandardReducer reducer, final short[] left, final short[] right, final int count)
    {
        switch (reducer)
        {
            case SUM:
                for (int i = 0; i < count; i++)
                {
                    left[i] = (short)(left[i] + right[i]);
                }
                break;
            default:
                for (int i = 0; i < count; i++)
                {
                    left[i] = (short)(left[i] * right[i]);
                }
                break;
        }
    }

    void chars(
        final StandardReducer reducer, final Object to, final long toAt, final Object a, final long at, final Object b,
        final long from, final int length)
    {
        for (int done = 0; done < length; done += LENGTH)
        {
            final int part = Math.min(LENGTH, length - done);
            UnsafeApi.copyMemory(a, at + done, leftChars, CHARS, part);
            UnsafeApi.copyMemory(b, from + done, rightChars, CHARS, part);
            reduce(reducer, leftChars, rightChars, part / Character.BYTES);
            UnsafeApi.copyMemory(leftChars, CHARS, to, toAt + done, part);
        }
    }

    private static void reduce(final StandardReducer reducer, final char[] left, final char[] right, final int count)
    {
        switch (reducer)
        {
            case SUM:
                for (int i = 0; i < count; i++)
                {
                    left[i] = (char)(left[i] + right[i]);
                }
                break;
            default:
                for (int i = 0; i < count; i++)
                {
                    left[i] = (char)(left[i] * right[i]);
                }
                break;
        }
    }

    void ints(
        final StandardReducer reducer, final Object to, final long toAt, final Object a, final long at, final Object b,
        final long from, final int length)
    {
        for (int done = 0; done < length; done += LENGTH)
        {
            final int part = Math.min(LENGTH, length - done);
            UnsafeApi.copyMemory(a, at + done, leftInts, INTS, part);
            UnsafeApi.copyMemory(b, from + done, rightInts, INTS, part);
            reduce(reducer, leftInts, rightInts, part / Integer.BYTES);
            UnsafeApi.copyMemory(leftInts, INTS, to, toAt + done, part);
        }
    }

    private static void reduce(final StandardReducer reducer, final int[] left, final int[] right, final int count)
    {
        switch (reducer)
        {
            case SUM:
                for (int i = 0; i < count; i++)
                {
                    left[i] = left[i] + right[i];
                }
                break;
            default:
                for (int i = 0; i < count; i++)
                {
                    left[i] = left[i] * right[i];
                }
                break;
        }
    }

    void floats(
        final StandardReducer reducer, final Object to, final long toAt, final Object a, final long at, final Object b,
        final long from, final int length)
    {
        for (int done = 0; done < length; done += LENGTH)
        {
            final int part = Math.min(LENGTH, length - done);
            UnsafeApi.copyMemory(a, at + done, leftFloats, FLOATS, part);
            UnsafeApi.copyMemory(b, from + done, rightFloats, FLOATS, part);
            reduce(reducer, leftFloats, rightFloats, part / Float.BYTES);
            UnsafeApi.copyMemory(leftFloats, FLOATS, to, toAt + done, part);
        }
    }

    private static void reduce(final StandardReducer reducer, final float[] left, final float[] right, final int count)
    {
        switch (reducer)
        {
            case SUM:
                for (int i = 0; i < count; i++)
                {
                    left[i] = left[i] + right[i];
                }
                break;
            case PRODUCT:
                for (int i = 0; i < count; i++)
                {
                    left[i] = left[i] * right[i];
                }
                break;
            case MIN:
                for (int i = 0; i < count; i++)
                {
                    left[i] = Math.min(left[i], right[i]);
                }
                break;
            default:
                for (int i = 0; i < count; i++)
                {
                    left[i] = Math.max(left[i], right[i]);
                }
                break;
        }
    }

    void doubles(
        final StandardReducer reducer, final Object to, final long toAt, final Object a, final long at, final Object b,
        final long from, final int length)
    {
        for (int done = 0; done < length; done += LENGTH)
        {
            final int part = Math.min(LENGTH, length - done);
            UnsafeApi.copyMemory(a, at + done, leftDoubles, DOUBLES, part);
            UnsafeApi.copyMemory(b, from + done, rightDoubles, DOUBLES, part);
            reduce(reducer, leftDoubles, rightDoubles, part / Double.BYTES);
            UnsafeApi.copyMemory(leftDoubles, DOUBLES, to, toAt + done, part);
        }
    }

    private static void reduce(final StandardReducer reducer, final double[] left, final double[] right, final int count)
    {
        switch (reducer)
        {
            case MIN:
                for (int i = 0; i < count; i++)
                {
                    left[i] = Math.min(left[i], right[i]);
                }
                break;
            default:
                for (int i = 0; i < count; i++)
                {
                    left[i] = Math.max(left[i], right[i]);
                }
                break;
        }
    }
}
