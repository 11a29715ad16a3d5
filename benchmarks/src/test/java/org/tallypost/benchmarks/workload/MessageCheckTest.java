// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageCheckTest
{
    private static final int RANKS = 64;
    private static final int SOURCE = 3;
    private static final int DEST = 5;
    private static final int ROUND = 7;

    @ParameterizedTest
    @ValueSource(ints = { 1, 7, 8, 9, 48, 63, 64, 65, 127, 136, 2048 })
    void shouldFindEveryDamagedByte(final int length)
    {
        final Pattern pattern = new Pattern(RANKS, length);
        for (int i = 0; i < length; i++)
        {
            final MessageCheck check = new MessageCheck(pattern, length);
            check.allBytes(true);
            final UnsafeBuffer message = message(pattern, length);
            message.putByte(i, (byte)(message.getByte(i) + 1));
            check.check(SOURCE, DEST, ROUND, ROUND, message, 0, length);
            assertEquals(1, check.mismatches());
            assertTrue(check.firstMismatch().contains("byte " + i + ": found"), check.firstMismatch());
        }
    }

    @Test
    void shouldCompareWhateverHoldsTheMessage()
    {
        final int length = 2041;
        final Pattern pattern = new Pattern(RANKS, length);
        final UnsafeBuffer message = message(pattern, length);
        final UnsafeBuffer direct = new UnsafeBuffer(ByteBuffer.allocateDirect(length + 3));
        final UnsafeBuffer array = new UnsafeBuffer(new byte[length + 9], 3, length + 3);
        for (final UnsafeBuffer buffer : List.of(direct, array))
        {
            buffer.putBytes(3, message, 0, length);
            final MessageCheck check = new MessageCheck(pattern, length);
            check.allBytes(true);
            check.check(SOURCE, DEST, ROUND, ROUND, buffer, 3, length);
            assertEquals(0, check.mismatches(), check::firstMismatch);
            buffer.putByte(3 + 2040, (byte)(buffer.getByte(3 + 2040) + 1));
            check.check(SOURCE, DEST, ROUND, ROUND, buffer, 3, length);
            assertTrue(check.firstMismatch().contains("byte 2040: found"), check.firstMismatch());
            assertThrows(IndexOutOfBoundsException.class,
                () -> check.check(SOURCE, DEST, ROUND, ROUND, buffer, 4, length), "no byte behind the buffer is read");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = { 1, 7, 8, 9, 2048 })
    void shouldAcceptWhatWasSent(final int length)
    {
        final Pattern pattern = new Pattern(RANKS, length);
        final MessageCheck check = new MessageCheck(pattern, length);
        check.check(SOURCE, DEST, ROUND, ROUND, message(pattern, length), 0, length);
        check.allBytes(true);
        check.check(SOURCE, DEST, ROUND, ROUND, message(pattern, length), 0, length);
        assertEquals(2, check.checked());
        assertEquals(0, check.mismatches());
        assertNull(check.firstMismatch());
    }

    @Test
    void shouldFindMessagesOfOthersByTheirEnds()
    {
        final int length = 64;
        final Pattern pattern = new Pattern(RANKS, length);
        final MessageCheck check = new MessageCheck(pattern, length);
        final UnsafeBuffer message = message(pattern, length);
        check.check(SOURCE + 1, DEST, ROUND, ROUND, message, 0, length);
        check.check(SOURCE, DEST + 1, ROUND, ROUND, message, 0, length);
        check.check(SOURCE, DEST, ROUND + 1, ROUND + 1, message, 0, length);
        assertEquals(3, check.mismatches());
    }

    @Test
    void shouldFindWrongTagAndLength()
    {
        final Pattern pattern = new Pattern(RANKS, 64);
        final MessageCheck check = new MessageCheck(pattern, 64);
        check.check(SOURCE, DEST, ROUND, ROUND + 1, message(pattern, 64), 0, 64);
        check.check(SOURCE, DEST, ROUND, ROUND, message(pattern, 64), 0, 56);
        assertEquals(2, check.mismatches());
        assertTrue(check.firstMismatch().contains("tag: found 8, expected 7"), check.firstMismatch());
    }

    @Test
    void shouldGiveEveryPairAWindowOfItsOwn()
    {
        final Pattern pattern = new Pattern(RANKS, 64);
        final Set<Integer> offsets = new HashSet<>();
        for (int source = 0; source < RANKS; source++)
        {
            for (int dest = 0; dest < RANKS; dest++)
            {
                assertTrue(offsets.add(pattern.offset(source, dest, ROUND)), source + " to " + dest);
                assertNotEquals(pattern.offset(source, dest, ROUND), pattern.offset(source, dest, ROUND + 1));
            }
        }
    }

    private static UnsafeBuffer message(final Pattern pattern, final int length)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[length]);
        message.putBytes(0, pattern.buffer(), pattern.offset(SOURCE, DEST, ROUND), length);
        return message;
    }
}
