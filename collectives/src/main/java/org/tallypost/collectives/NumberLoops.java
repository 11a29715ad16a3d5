// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/**
 * Sums, products, minima and maxima, by the loops that cost least: by way of arrays if the operands are long and that
 * gains, in their own memory otherwise. The results are the same.
 */
final class NumberLoops
{
    private NumberLoops()
    {
    }

    static void reduce(
        final StandardReducer reducer, final ElementType type, final Object a, final long at, final Object b, final long from,
        final int length)
    {
        if (isByArrays(reducer, type, length))
        {
            arrays(reducer, type, a, at, a, at, b, from, length);
        }
        else
        {
            elements(reducer, type, a, at, b, from, length);
        }
    }

    /** Whether results may get elsewhere than into the place of the left operands, and that costs no more. */
    static boolean isByArrays(final StandardReducer reducer, final ElementType type, final int length)
    {
        return length >= ArrayLoops.MIN_LENGTH && ArrayLoops.has(reducer, type);
    }

    static void arrays(
        final StandardReducer reducer, final ElementType type, final Object to, final long toAt, final Object a, final long at,
        final Object b, final long from, final int length)
    {
        final ArrayLoops loops = ArrayLoops.ofThread();
        switch (type)
        {
            case BYTE:
                loops.bytes(reducer, to, toAt, a, at, b, from, length);
                break;
            case SHORT:
                loops.shorts(reducer, to, toAt, a, at, b, from, length);
                break;
            case CHAR:
                loops.chars(reducer, to, toAt, a, at, b, from, length);
                break;
            case INT:
                loops.ints(reducer, to, toAt, a, at, b, from, length);
                break;
            case FLOAT:
                loops.floats(reducer, to, toAt, a, at, b, from, length);
                break;
            default:
                loops.doubles(reducer, to, toAt, a, at, b, from, length);
                break;
        }
    }

    static void elements(
        final StandardReducer reducer, final ElementType type, final Object a, final long at, final Object b, final long from,
        final int length)
    {
        switch (type)
        {
            case BYTE:
                NarrowLoops.bytes(reducer, a, at, b, from, length);
                break;
            case SHORT:
                NarrowLoops.shorts(reducer, a, at, b, from, length);
                break;
            case CHAR:
                NarrowLoops.chars(reducer, a, at, b, from, length);
                break;
            case INT:
                IntegerLoops.ints(reducer, a, at, b, from, length);
                break;
            case LONG:
                IntegerLoops.longs(reducer, a, at, b, from, length);
                break;
            case FLOAT:
                FloatingLoops.floats(reducer, a, at, b, from, length);
                break;
            default:
                FloatingLoops.doubles(reducer, a, at, b, from, length);
                break;
        }
    }
}
