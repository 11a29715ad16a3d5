// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A mark of one thread, alone. */
class ClaimMarkTest
{
    private static final long KEY = ClaimMark.key(7, 3);
    private static final long OTHER = ClaimMark.key(8, 3);

    private final UnsafeBuffer line = new UnsafeBuffer(ByteBuffer.allocateDirect(64));
    private final ClaimMark mark = new ClaimMark(line, 0);

    private long claim()
    {
        return line.getLong(ClaimMark.CLAIM_OFFSET);
    }

    private long position()
    {
        return line.getLong(ClaimMark.POSITION_OFFSET);
    }

    @Test
    void shouldSayWhatIsClaimedUntilItIsCleared()
    {
        assertFalse(mark.isClaiming());
        mark.intend(KEY, 5);
        assertTrue(mark.isClaiming());
        assertTrue(ClaimMark.isFor(claim(), KEY));
        assertFalse(ClaimMark.isFor(claim(), OTHER));
        assertEquals(5, ClaimMark.slots(claim()));
        assertTrue(position() < 0);
        mark.claimed(12);
        assertEquals(13, position());
        mark.clear();
        assertEquals(0, claim());
        assertFalse(mark.isClaiming());
    }

    @Test
    void shouldNumberEachAttempt()
    {
        mark.intend(KEY, 1);
        final long first = position();
        mark.clear();
        // a thread that gives up more than once, or begins again without an end
        mark.clear();
        mark.intend(KEY, 1);
        final long second = position();
        mark.intend(KEY, 1);
        assertNotEquals(first, second);
        assertNotEquals(second, position());
        assertTrue(mark.isClaiming());
    }

    @Test
    void shouldTakeOutWhatItsThreadDoesNotClaim()
    {
        line.putLong(ClaimMark.CLAIM_OFFSET, KEY | 5);
        mark.repair();
        assertEquals(0, claim());
        mark.intend(OTHER, 2);
        mark.clear();
        line.putLong(ClaimMark.CLAIM_OFFSET, -1);
        mark.repair();
        assertEquals(0, claim());
    }

    @Test
    void shouldLeaveAloneWhatItsThreadClaims()
    {
        mark.intend(KEY, 5);
        mark.repair();
        assertEquals(KEY | 5, claim());
        mark.claimed(3);
        mark.repair();
        assertEquals(KEY | 5, claim());
        assertEquals(4, position());
    }
}
