// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a collection is asked for, because of mailboxes that are not used any more. */
class FormerMappingsTest
{
    private static final long MUCH = Long.MAX_VALUE;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    private File directory;

    private int collections;
    private final FormerMappings former = new FormerMappings(() -> collections++);

    private Mailbox mailbox(final int incarnation)
    {
        return Mailbox.create(new File(directory, "box-" + incarnation), 0, incarnation, 2, 64, 8);
    }

    private void addHeld(final List<Mailbox> held)
    {
        held.add(mailbox(held.size() + 1));
        former.add(held.get(held.size() - 1));
    }

    @Test
    void shouldAskForACollectionWhenThereAreTooMany()
    {
        final List<Mailbox> held = new ArrayList<>();
        // all of them are held: what a collection has left does not count, and no time has to pass
        for (int collection = 1; collection <= 3; collection++)
        {
            for (int i = 0; i < FormerMappings.MAX_COUNT; i++)
            {
                addHeld(held);
            }
            assertFalse(former.limit(MUCH, 0));
            addHeld(held);
            assertTrue(former.limit(MUCH, 0));
            assertFalse(former.limit(MUCH, 0));
            assertEquals(collection, collections);
            assertEquals(held.size(), former.count());
        }
        Reference.reachabilityFence(held);
    }

    @Test
    void shouldAskForACollectionWhenLittleRoomIsLeft()
    {
        final Mailbox held = mailbox(1);
        final long length = held.buffer().capacity();
        former.add(held);
        assertEquals(length, former.bytes());
        assertFalse(former.limit(length * FormerMappings.ROOM_SHARE, 0));
        assertTrue(former.limit(length * FormerMappings.ROOM_SHARE - 1, 0));
        Reference.reachabilityFence(held);
    }

    @Test
    void shouldPauseLongerAndLongerWhileNothingIsReleased()
    {
        final Mailbox held = mailbox(1);
        former.add(held);
        final List<Long> times = new ArrayList<>();
        for (long second = 0; second < 400; second++)
        {
            if (former.limit(0, second * SECOND))
            {
                times.add(second);
            }
        }
        assertEquals(List.of(0L, 1L, 3L, 7L, 15L, 31L, 63L, 123L, 183L, 243L, 303L, 363L), times);
        former.release();
        assertEquals(times.size() + 1, collections, "asked for whatever the pause");
        Reference.reachabilityFence(held);
    }

    @Test
    void shouldForgetWhatIsReleasedAndAskAgainAtOnce()
    {
        final FormerMappings real = new FormerMappings(System::gc);
        for (int round = 1; round <= 3; round++)
        {
            real.add(mailbox(round));
            // a first collection may come too early for a frame that is not over
            Watchdog.await("a mapping to be released", () ->
            {
                real.limit(0, System.nanoTime());
                return real.count() == 0;
            });
            assertEquals(0, real.bytes());
        }
    }
}
