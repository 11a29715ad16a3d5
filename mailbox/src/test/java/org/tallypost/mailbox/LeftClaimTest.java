// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/** A claim that an Error has ended, with so many of its slots published, while its process lives. */
class LeftClaimTest
{
    private static final int SLOTS = 8;

    @TempDir
    private File directory;

    private final List<Integer> freed = new ArrayList<>();
    private final List<Integer> types = new ArrayList<>();
    private Rig rig;
    private ClaimMark mark;
    private ClaimMark other;

    private final PacketHandler handler = new PacketHandler()
    {
        @Override
        public void onPacket(
            final int type, final int flags, final int source, final org.agrona.concurrent.UnsafeBuffer buffer,
            final int offset, final int length)
        {
            types.add(type);
        }

        @Override
        public void onFreed(final int type, final int source, final int slots)
        {
            freed.add(slots);
        }
    };

    @BeforeEach
    void start()
    {
        rig = new Rig(directory, 2, SLOTS, 4);
        mark = rig.takeMark(rig.process);
        other = rig.takeMark(rig.process);
    }

    private void giveUp()
    {
        int slots = rig.box.abortNext(mark, 0);
        while (slots > 0)
        {
            slots = rig.box.abortNext(mark, 0);
        }
        rig.box.finish(mark);
    }

    /** What is claimed behind it comes, and the ring goes on for some laps. */
    private void shouldGoOn()
    {
        rig.send(other, 1, 0, 20);
        while (rig.poller.poll(handler, 10) > 0)
        {
            assertEquals(0, rig.poller.skippedSlots());
        }
        assertEquals(rig.box.writePosition(), rig.poller.position());
        assertEquals(0, rig.poller.corruptCount());
        assertEquals(rig.poller.position(), freed.stream().mapToInt(Integer::intValue).sum(), "each slot is booked once");
        types.clear();
        for (int i = 0; i < 5 * SLOTS; i++)
        {
            rig.send(i % 2 == 0 ? mark : other, 1, i, 60 + i % 100);
            assertEquals(1, rig.poller.poll(handler, 10));
        }
        assertEquals(5 * SLOTS, types.size());
        assertFalse(mark.isClaiming());
    }

    @Test
    void shouldGiveNothingUpBeforeSlotsAreClaimed()
    {
        rig.send(mark, 0, 0, 20);
        mark.intend(rig.box.claimKey(), 3);
        assertFalse(mark.isPlaced(), "the claim before is over");
        giveUp();
        assertEquals(1, rig.box.writePosition());
        shouldGoOn();
    }

    @Test
    void shouldGiveUpARunThatIsHalfWritten()
    {
        mark.intend(rig.box.claimKey(), 3);
        final long position = rig.box.claim(mark, 3);
        assertTrue(mark.isPlaced());
        // as bad as can be: what is written looks like headers
        for (int i = 0; i < MailboxDescriptor.payloadLength(3); i += Long.BYTES)
        {
            rig.box.buffer().putLong(rig.box.payloadOffset(position) + i, MailboxDescriptor.header(1, Rig.TYPE, 0, 8, 0));
        }
        giveUp();
        shouldGoOn();
    }

    @Test
    void shouldGiveUpTheRestOfABatch()
    {
        for (int published = 0; published <= 6; published++)
        {
            mark.intend(rig.box.claimKey(), 6);
            final long position = rig.box.claim(mark, 6);
            for (int i = 0; i < published; i++)
            {
                rig.box.settle(mark, position + i, Rig.TYPE, 0, 8, 0);
            }
            types.clear();
            giveUp();
            while (rig.poller.poll(handler, 10) > 0)
            {
                assertEquals(0, rig.poller.skippedSlots());
            }
            assertEquals(published, types.size());
        }
        shouldGoOn();
    }

    /** The consumer is ahead: what was published is read, and its slots have gone to others, a lap later. */
    @Test
    void shouldNotTouchWhatWasPublishedAndReused()
    {
        mark.intend(rig.box.claimKey(), 4);
        final long position = rig.box.claim(mark, 4);
        rig.box.settle(mark, position, Rig.TYPE, 0, MailboxDescriptor.payloadLength(4), 0);
        assertEquals(1, rig.poller.poll(handler, 10));
        for (int i = 0; i < SLOTS; i++)
        {
            rig.send(other, 1, i, 20);
        }
        giveUp();
        types.clear();
        assertEquals(SLOTS, rig.poller.poll(handler, 2 * SLOTS));
        assertEquals(SLOTS, types.size());
        shouldGoOn();
    }

    /** A debugger can end a thread between the header and the note that it is out. */
    @Test
    void shouldNotGiveUpWhatWasPublishedThoughTheMarkDoesNotSayIt()
    {
        mark.intend(rig.box.claimKey(), 2);
        final long position = rig.box.claim(mark, 2);
        rig.box.settle(position, Rig.TYPE, 0, MailboxDescriptor.payloadLength(2), 0);
        giveUp();
        assertEquals(1, rig.poller.poll(handler, 10));
        assertEquals(List.of(Rig.TYPE), types);
        shouldGoOn();
    }

    @Test
    void shouldEndAnErrorThatComesAgainAndAgain()
    {
        mark.intend(rig.box.claimKey(), 7);
        rig.box.claim(mark, 7);
        assertEquals(4, rig.box.abortNext(mark, 0));
        // the thread ends, and another one goes on
        giveUp();
        giveUp();
        shouldGoOn();
    }

    /** A claim of a thread that has ended, if nothing is known of it: as that of a dead process. */
    @Test
    void shouldPassOverTheClaimOfAnAbandonedMark()
    {
        mark.intend(rig.box.claimKey(), 3);
        rig.box.claim(mark, 3);
        rig.send(other, 1, 0, 20);
        assertEquals(0, rig.poller.poll(handler, 10));
        assertEquals(0, rig.recover());
        mark.abandon();
        assertEquals(3, rig.recover());
        assertEquals(1, rig.poller.poll(handler, 10));
        rig.registry.forgetDeadClaims(rig.box, rig.poller.position());
        for (int i = 0; i < Rig.MARKS - 1; i++)
        {
            rig.takeMark(rig.process);
        }
        assertThrows(MailboxException.class, () -> rig.takeMark(rig.process));
    }

    @Test
    void shouldGiveAMarkBack()
    {
        for (int i = 2; i < Rig.MARKS; i++)
        {
            rig.takeMark(rig.process);
        }
        final int elsewhere = rig.join();
        assertThrows(MailboxException.class, () -> rig.takeMark(elsewhere));
        mark.release();
        rig.takeMark(elsewhere);
    }
}
