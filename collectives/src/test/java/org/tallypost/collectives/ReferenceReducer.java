// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.SplittableRandom;

/** What each reducer does, element by element and written once more, to check the loops by. */
final class ReferenceReducer
{
    private static final double[] SPECIAL = {
        Double.NaN, -0.0, 0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1, -1, Double.MIN_VALUE, 3.5};

    private ReferenceReducer()
    {
    }

    private static ByteBuffer view(final byte[] bytes)
    {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }

    /** left becomes left o right, at elements of a type that begin at the offsets. */
    static void reduce(
        final Reducer reducer, final ElementType type, final byte[] left, final int leftOffset, final byte[] right,
        final int rightOffset, final int count)
    {
        final int size = type.length();
        for (int i = 0; i < count; i++)
        {
            element(reducer.name(), type, view(left), leftOffset + i * size, view(right), rightOffset + i * size);
        }
    }

    private static void element(
        final String name, final ElementType type, final ByteBuffer a, final int at, final ByteBuffer b, final int from)
    {
        switch (type)
        {
            case BYTE:
                a.put(at, (byte)whole(name, a.get(at), b.get(from)));
                break;
            case BOOLEAN:
                a.put(at, (byte)whole(name, a.get(at), b.get(from)));
                break;
            case BYTES:
                a.put(at, (byte)whole(name, a.get(at), b.get(from)));
                break;
            case SHORT:
                a.putShort(at, (short)whole(name, a.getShort(at), b.getShort(from)));
                break;
            case CHAR:
                a.putChar(at, (char)whole(name, a.getChar(at), b.getChar(from)));
                break;
            case INT:
                a.putInt(at, (int)whole(name, a.getInt(at), b.getInt(from)));
                break;
            case LONG:
                a.putLong(at, whole(name, a.getLong(at), b.getLong(from)));
                break;
            case FLOAT:
                a.putFloat(at, single(name, a.getFloat(at), b.getFloat(from)));
                break;
            case DOUBLE:
                a.putDouble(at, twice(name, a.getDouble(at), b.getDouble(from)));
                break;
            default:
                located(name, type, a, at, b, from);
                break;
        }
    }

    private static long whole(final String name, final long x, final long y)
    {
        switch (name)
        {
            case "SUM":
                return x + y;
            case "PRODUCT":
                return x * y;
            case "MIN":
                return Math.min(x, y);
            case "MAX":
                return Math.max(x, y);
            case "AND":
                return x & y;
            case "OR":
                return x | y;
            case "XOR":
                return x ^ y;
            case "LOGICAL_AND":
                return x != 0 && y != 0 ? 1 : 0;
            case "LOGICAL_OR":
                return x != 0 || y != 0 ? 1 : 0;
            default:
                return x != 0 ^ y != 0 ? 1 : 0;
        }
    }

    private static float single(final String name, final float x, final float y)
    {
        switch (name)
        {
            case "SUM":
                return x + y;
            case "PRODUCT":
                return x * y;
            case "MIN":
                return Math.min(x, y);
            default:
                return Math.max(x, y);
        }
    }

    private static double twice(final String name, final double x, final double y)
    {
        switch (name)
        {
            case "SUM":
                return x + y;
            case "PRODUCT":
                return x * y;
            case "MIN":
                return Math.min(x, y);
            default:
                return Math.max(x, y);
        }
    }

    private static void located(
        final String name, final ElementType type, final ByteBuffer a, final int at, final ByteBuffer b, final int from)
    {
        final boolean isShort = type == ElementType.INT_INT || type == ElementType.FLOAT_INT;
        final int place = isShort ? 4 : 8;
        final int order = order(name, type, a, at, b, from);
        if (order > 0 || order == 0 && b.getInt(from + place) < a.getInt(at + place))
        {
            for (int i = 0; i < type.length(); i++)
            {
                a.put(at + i, b.get(from + i));
            }
        }
    }

    private static int order(
        final String name, final ElementType type, final ByteBuffer a, final int at, final ByteBuffer b, final int from)
    {
        final int sign = "MAX_LOCATION".equals(name) ? 1 : -1;
        switch (type)
        {
            case INT_INT:
                return sign * Integer.compare(b.getInt(from), a.getInt(at));
            case LONG_INT:
                return sign * Long.compare(b.getLong(from), a.getLong(at));
            default:
                final double x = type == ElementType.FLOAT_INT ? a.getFloat(at) : a.getDouble(at);
                final double y = type == ElementType.FLOAT_INT ? b.getFloat(from) : b.getDouble(from);
                if (x != x || y != y)
                {
                    return (y != y ? 1 : 0) - (x != x ? 1 : 0);
                }
                return sign * Double.compare(y, x);
        }
    }

    /** Gives all NaN the same bits: which ones an operation leaves depends on what the compiler makes of it. */
    static void unify(final ElementType type, final byte[] bytes, final int offset)
    {
        final ByteBuffer view = view(bytes);
        for (int at = offset; at + Double.BYTES <= bytes.length; at += type.length())
        {
            if (type == ElementType.DOUBLE && Double.isNaN(view.getDouble(at)))
            {
                view.putDouble(at, Double.NaN);
            }
            else if (type == ElementType.FLOAT && Float.isNaN(view.getFloat(at)))
            {
                view.putFloat(at, Float.NaN);
            }
        }
    }

    /** Random elements, with what is special among them. */
    static void fill(final Random random, final ElementType type, final byte[] bytes, final int offset, final int count)
    {
        // most of what the tests of operations have to do is here
        final SplittableRandom quick = new SplittableRandom(random.nextLong());
        for (int i = 0; i < count * type.length(); i++)
        {
            final int bits = quick.nextInt();
            bytes[offset + i] = (byte)(bits >>> 30 == 0 ? 0 : bits);
        }
        if (!type.isLocated() && type != ElementType.FLOAT && type != ElementType.DOUBLE)
        {
            return;
        }
        final ByteBuffer view = view(bytes);
        for (int i = 0; i < count; i++)
        {
            final int at = offset + i * type.length();
            final double value = quick.nextInt(3) == 0 ? SPECIAL[quick.nextInt(SPECIAL.length)] : quick.nextGaussian();
            switch (type)
            {
                case FLOAT:
                case FLOAT_INT:
                    view.putFloat(at, (float)value);
                    break;
                case DOUBLE:
                case DOUBLE_INT:
                    view.putDouble(at, value);
                    break;
                default:
                    break;
            }
            if (type.isLocated() && quick.nextBoolean())
            {
                // equal numbers at other places
                view.putInt(at, 0);
                view.putInt(at + type.length() / 2, quick.nextInt(3));
            }
        }
    }
}
