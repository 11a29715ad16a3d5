// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.List;
import java.util.Random;
import java.util.function.LongBinaryOperator;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.collectives.ElementType;
import org.tallypost.collectives.Reducer;
import org.tallypost.collectives.Reducers;

/**
 * Elements of a type and how they are reduced, computed with numbers of 64 bits. Floating-point ones are small whole numbers,
 * which come out exactly in any order.
 */
final class MixedElements
{
    private static final List<ElementType> TYPES = List.of(
        ElementType.BYTE, ElementType.SHORT, ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);
    /** Associative, and not commutative: x becomes a x + b, one after the other, with a and b in 32 bits each. */
    private static final Reducer CHAINED = Reducers.of("chained", false, (type, inOut, at, in, from, count) ->
    {
        for (int i = 0; i < count; i++)
        {
            inOut.putLong(at + i * Long.BYTES, chain(inOut.getLong(at + i * Long.BYTES), in.getLong(from + i * Long.BYTES)));
        }
    });
    private static final List<Reducer> FOR_ALL = List.of(Reducers.SUM, Reducers.PRODUCT, Reducers.MIN, Reducers.MAX);
    private static final List<Reducer> FOR_WHOLE = List.of(Reducers.SUM, Reducers.PRODUCT, Reducers.MIN, Reducers.MAX,
        Reducers.AND, Reducers.OR, Reducers.XOR, Reducers.LOGICAL_AND, Reducers.LOGICAL_OR, Reducers.LOGICAL_XOR);

    private final ElementType type;
    private final Reducer reducer;
    private final LongBinaryOperator reference;

    private MixedElements(final ElementType type, final Reducer reducer)
    {
        this.type = type;
        this.reducer = reducer;
        reference = reference(reducer.name());
    }

    static MixedElements random(final Random random, final boolean isReduced)
    {
        final ElementType type = isReduced ? TYPES.get(random.nextInt(TYPES.size())) : ElementType.BYTE;
        final List<Reducer> reducers = type.isInteger() ? FOR_WHOLE : FOR_ALL;
        final boolean isChained = type == ElementType.LONG && random.nextInt(3) == 0;
        return new MixedElements(type, isChained ? CHAINED : reducers.get(random.nextInt(reducers.size())));
    }

    private static long chain(final long x, final long y)
    {
        final int factor = (int)(x >>> 32) * (int)(y >>> 32);
        final int sum = (int)x * (int)(y >>> 32) + (int)y;
        return (long)factor << 32 | sum & 0xFFFF_FFFFL;
    }

    static long mix(final long number)
    {
        long mixed = (number ^ number >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    ElementType type()
    {
        return type;
    }

    Reducer reducer()
    {
        return reducer;
    }

    int length()
    {
        return type.length();
    }

    /** What a member has at an index. */
    long value(final long number, final int member, final int index)
    {
        final long mixed = mix(number + 0x9E3779B97F4A7C15L * (member + 1) + index);
        return type.isInteger() ? narrow(mixed) : (mixed & 7) - 3;
    }

    private long narrow(final long value)
    {
        switch (type)
        {
            case BYTE:
                return (byte)value;
            case SHORT:
                return (short)value;
            case INT:
                return (int)value;
            default:
                return value;
        }
    }

    private static LongBinaryOperator reference(final String name)
    {
        switch (name)
        {
            case "SUM":
                return (x, y) -> x + y;
            case "PRODUCT":
                return (x, y) -> x * y;
            case "MIN":
                return Math::min;
            case "MAX":
                return Math::max;
            case "AND":
                return (x, y) -> x & y;
            case "OR":
                return (x, y) -> x | y;
            case "XOR":
                return (x, y) -> x ^ y;
            case "LOGICAL_AND":
                return (x, y) -> x != 0 && y != 0 ? 1 : 0;
            case "LOGICAL_OR":
                return (x, y) -> x != 0 || y != 0 ? 1 : 0;
            case "LOGICAL_XOR":
                return (x, y) -> x != 0 ^ y != 0 ? 1 : 0;
            default:
                return MixedElements::chain;
        }
    }

    long reduce(final long x, final long y)
    {
        return narrow(reference.applyAsLong(x, y));
    }

    void put(final MutableDirectBuffer to, final int offset, final int index, final long value)
    {
        final int at = offset + index * type.length();
        switch (type)
        {
            case BYTE:
                to.putByte(at, (byte)value);
                break;
            case SHORT:
                to.putShort(at, (short)value);
                break;
            case INT:
                to.putInt(at, (int)value);
                break;
            case LONG:
                to.putLong(at, value);
                break;
            case FLOAT:
                to.putFloat(at, value);
                break;
            default:
                to.putDouble(at, value);
                break;
        }
    }

    /** Products of nothing below zero may be either zero: the positive one is compared. */
    void unify(final MutableDirectBuffer in, final int offset, final int count)
    {
        for (int i = 0; i < count && !type.isInteger(); i++)
        {
            put(in, offset, i, get(in, offset + i * type.length()));
        }
    }

    private long get(final DirectBuffer from, final int at)
    {
        return type == ElementType.FLOAT ? (long)from.getFloat(at) : (long)from.getDouble(at);
    }

    @Override
    public String toString()
    {
        return type + " " + reducer.name();
    }
}
