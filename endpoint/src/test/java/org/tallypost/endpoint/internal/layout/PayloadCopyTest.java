// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadCopyTest
{
    private static final int MOST = 2200;
    private static final int ROOM = 64;
    private static final byte UNTOUCHED = 0x55;

    private final UnsafeBuffer to = new UnsafeBuffer(BufferUtil.allocateDirectAligned(MOST + 3 * ROOM, 64));

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCopyAnyLengthToAnyPlaceAndNothingBesideIt(final boolean isArray)
    {
        final UnsafeBuffer from = isArray ? new UnsafeBuffer(new byte[MOST + ROOM]) :
            new UnsafeBuffer(ByteBuffer.allocateDirect(MOST + ROOM));
        for (int i = 0; i < from.capacity(); i++)
        {
            from.putByte(i, (byte)(i * 31 + (i >> 8)));
        }
        for (int length = 0; length <= MOST; length += length < 130 ? 1 : 7)
        {
            for (int place = 0; place < ROOM; place += 8)
            {
                final int offset = place + length % 5;
                final int bytes = length;
                final int at = ROOM + place;
                check(from, offset, at, length, () -> PayloadCopy.copy(to, at, from, offset, bytes));
                check(from, offset, at, length, () -> PayloadCopy.copyAwaited(
                    to.addressOffset() + at, from.byteArray(), from.addressOffset() + offset, bytes));
            }
        }
    }

    private void check(final UnsafeBuffer from, final int offset, final int at, final int length, final Runnable copy)
    {
        to.setMemory(0, to.capacity(), UNTOUCHED);
        copy.run();
        for (int i = 0; i < to.capacity(); i++)
        {
            final byte expected = i < at || i >= at + length ? UNTOUCHED : from.getByte(offset + i - at);
            assertEquals(expected, to.getByte(i), () -> "length=" + length + ", at=" + at + ", offset=" + offset);
        }
    }
}
