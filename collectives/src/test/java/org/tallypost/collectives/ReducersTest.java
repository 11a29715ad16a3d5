// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ReducersTest
{
    static final List<Reducer> ALL = List.of(
        Reducers.SUM, Reducers.PRODUCT, Reducers.MIN, Reducers.MAX, Reducers.LOGICAL_AND, Reducers.LOGICAL_OR,
        Reducers.LOGICAL_XOR, Reducers.AND, Reducers.OR, Reducers.XOR, Reducers.MIN_LOCATION, Reducers.MAX_LOCATION);

    /** Every reducer and type, aligned or not, on the heap or not, and nothing written beside the elements. */
    @Property(tries = 200)
    void shouldReduceAsElementByElement(
        @ForAll final long seed, @ForAll @IntRange(min = 0, max = 70) final int count,
        @ForAll @IntRange(min = 0, max = 9) final int leftOffset, @ForAll @IntRange(min = 0, max = 9) final int rightOffset)
    {
        for (final Reducer reducer : ALL)
        {
            for (final ElementType type : ElementType.values())
            {
                if (reducer.supports(type))
                {
                    final Random random = new Random(seed);
                    final byte[] left = new byte[leftOffset + count * type.length() + 9];
                    final byte[] right = new byte[rightOffset + count * type.length() + 9];
                    random.nextBytes(left);
                    ReferenceReducer.fill(random, type, left, leftOffset, count);
                    ReferenceReducer.fill(random, type, right, rightOffset, count);
                    final UnsafeBuffer inOut = buffer(random.nextBoolean(), left);
                    final UnsafeBuffer in = buffer(random.nextBoolean(), right);
                    reducer.reduce(type, inOut, leftOffset, in, rightOffset, count);
                    ReferenceReducer.reduce(reducer, type, left, leftOffset, right, rightOffset, count);
                    final byte[] found = new byte[left.length];
                    inOut.getBytes(0, found);
                    ReferenceReducer.unify(type, left, leftOffset);
                    ReferenceReducer.unify(type, found, leftOffset);
                    assertArrayEquals(left, found, () -> reducer + " of " + type + ", seed=" + seed);
                }
            }
        }
    }

    /** By each way of reducing numbers, with lengths on both sides of that from which arrays are used. */
    @Property(tries = 100)
    void shouldReduceAlikeByAllLoops(
        @ForAll final long seed, @ForAll @IntRange(min = 0, max = 5_000) final int length,
        @ForAll @IntRange(min = 0, max = 9) final int leftOffset, @ForAll @IntRange(min = 0, max = 9) final int rightOffset)
    {
        for (final Reducer reducer : List.of(Reducers.SUM, Reducers.PRODUCT, Reducers.MIN, Reducers.MAX))
        {
            for (final ElementType type : ElementType.values())
            {
                if (reducer.supports(type))
                {
                    shouldReduceAlike(
                        (StandardReducer)reducer, type, new Random(seed), length / type.length(), leftOffset, rightOffset);
                }
            }
        }
    }

    private static void shouldReduceAlike(
        final StandardReducer reducer, final ElementType type, final Random random, final int count, final int leftOffset,
        final int rightOffset)
    {
        final int length = count * type.length();
        final byte[] left = new byte[leftOffset + length + 9];
        final byte[] right = new byte[rightOffset + length + 9];
        random.nextBytes(left);
        ReferenceReducer.fill(random, type, left, leftOffset, count);
        ReferenceReducer.fill(random, type, right, rightOffset, count);
        final UnsafeBuffer in = buffer(true, right);
        final List<UnsafeBuffer> results = new ArrayList<>();
        for (int way = 0; way < 4; way++)
        {
            final UnsafeBuffer inOut = buffer(true, left);
            final long at = inOut.addressOffset() + leftOffset;
            final long from = in.addressOffset() + rightOffset;
            if (way == 1 && ArrayLoops.has(reducer, type))
            {
                NumberLoops.arrays(reducer, type, null, at, null, at, null, from, length);
            }
            else if (way == 3 && ArrayLoops.has(reducer, type))
            {
                // to another place, from where it gets into that of the left ones
                final UnsafeBuffer out = new UnsafeBuffer(ByteBuffer.allocateDirect(length + 3));
                reducer.combine(type, out, 3, inOut, leftOffset, in, rightOffset, length);
                inOut.putBytes(leftOffset, out, 3, length);
            }
            else if (way == 2)
            {
                NumberLoops.elements(reducer, type, null, at, null, from, length);
            }
            else
            {
                reducer.reduce(type, inOut, leftOffset, in, rightOffset, count);
            }
            results.add(inOut);
        }
        ReferenceReducer.reduce(reducer, type, left, leftOffset, right, rightOffset, count);
        ReferenceReducer.unify(type, left, leftOffset);
        for (final UnsafeBuffer result : results)
        {
            final byte[] found = new byte[left.length];
            result.getBytes(0, found);
            ReferenceReducer.unify(type, found, leftOffset);
            assertArrayEquals(left, found, () -> reducer + " of " + type + ", way " + results.indexOf(result));
        }
    }

    private static UnsafeBuffer buffer(final boolean isDirect, final byte[] content)
    {
        final UnsafeBuffer buffer =
            new UnsafeBuffer(isDirect ? ByteBuffer.allocateDirect(content.length) : ByteBuffer.allocate(content.length));
        buffer.putBytes(0, content);
        return buffer;
    }

    @Test
    void shouldSupportTypesThatHaveAMeaning()
    {
        int pairs = 0;
        for (final Reducer reducer : ALL)
        {
            for (final ElementType type : ElementType.values())
            {
                pairs += reducer.supports(type) ? 1 : 0;
            }
            assertTrue(reducer.isCommutative());
        }
        assertEquals(4 * 7 + 3 * 6 + 3 * 6 + 2 * 4, pairs);
        assertFalse(Reducers.SUM.supports(ElementType.BOOLEAN));
        assertFalse(Reducers.AND.supports(ElementType.DOUBLE));
        assertFalse(Reducers.MIN_LOCATION.supports(ElementType.INT));
    }

    @Test
    void shouldTreatSpecialNumbersAsMathDoes()
    {
        final UnsafeBuffer left = new UnsafeBuffer(new byte[8]);
        final UnsafeBuffer right = new UnsafeBuffer(new byte[8]);
        left.putDouble(0, 0.0);
        right.putDouble(0, -0.0);
        Reducers.MIN.reduce(ElementType.DOUBLE, left, 0, right, 0, 1);
        assertEquals(Double.doubleToRawLongBits(-0.0), left.getLong(0));
        left.putDouble(0, 1.0);
        right.putDouble(0, Double.NaN);
        Reducers.MAX.reduce(ElementType.DOUBLE, left, 0, right, 0, 1);
        assertTrue(Double.isNaN(left.getDouble(0)));
        left.putInt(0, Integer.MAX_VALUE);
        right.putInt(0, 1);
        Reducers.SUM.reduce(ElementType.INT, left, 0, right, 0, 1);
        assertEquals(Integer.MIN_VALUE, left.getInt(0));
    }

    @Test
    void shouldRefuseElementsOutsideOfTheBuffer()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[16]);
        assertThrows(IndexOutOfBoundsException.class,
            () -> Reducers.SUM.reduce(ElementType.LONG, buffer, 0, buffer, 8, 2));
        assertThrows(IndexOutOfBoundsException.class,
            () -> Reducers.SUM.reduce(ElementType.LONG, buffer, -8, buffer, 0, 1));
    }

    @Test
    void shouldTakeReducersOfAProgram()
    {
        final Reducer last = Reducers.of("last", false,
            (type, inOut, inOutOffset, in, inOffset, count) -> inOut.putBytes(inOutOffset, in, inOffset, count * type.length()));
        assertEquals("last", last.toString());
        assertFalse(last.isCommutative());
        assertTrue(last.supports(ElementType.BYTES));
        assertThrows(IllegalArgumentException.class, () -> Reducers.of(null, true, null));
    }
}
