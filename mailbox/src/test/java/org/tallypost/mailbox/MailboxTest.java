// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/** Claim, publish and poll, all in one thread. */
class MailboxTest
{
    @TempDir
    private File directory;

    private Rig rig;
    private ClaimMark mark;
    private CheckingHandler handler;

    private void start(final int sources, final int ringSlots, final int runSlots)
    {
        rig = new Rig(directory, sources, ringSlots, runSlots);
        mark = rig.takeMark(rig.process);
        handler = new CheckingHandler(sources);
    }

    @Test
    void shouldTellThePublisherThatTheConsumerIsArmed()
    {
        start(1, 16, 4);
        final int[] wakes = new int[1];
        rig.box.wakeWith((box) ->
        {
            assertSame(rig.box, box);
            assertEquals(wakes[0] + 1, box.writePosition(), "woken before it was claimed");
            wakes[0]++;
        });
        publish();
        assertEquals(0, wakes[0]);
        assertFalse(rig.box.arm(MailboxDescriptor.ARMED));
        wakes[0] = 1;
        publish();
        assertEquals(2, wakes[0]);
        assertTrue(rig.box.arm(MailboxDescriptor.ARMED), "it was armed already");
        assertTrue(rig.box.takeArmed(false));
        assertFalse(rig.box.takeArmed(true), "one is enough");
        rig.box.arm(MailboxDescriptor.ARMED_WITHIN_PROCESS);
        assertFalse(rig.box.takeArmed(false), "another process cannot wake it");
        assertTrue(rig.box.takeArmed(true));
        rig.box.arm(MailboxDescriptor.ARMED);
        rig.box.disarm();
        publish();
        assertEquals(2, wakes[0]);
    }

    private void publish()
    {
        mark.intend(rig.box.claimKey(), 1);
        rig.box.publish(mark, rig.box.claim(mark, 1), Rig.TYPE, 0, 0, 0);
    }

    @Test
    void shouldSeeWhatTheNextPollFinds()
    {
        start(1, 4, 1);
        for (int i = 0; i < 10; i++)
        {
            assertFalse(rig.poller.isReady());
            mark.intend(rig.box.claimKey(), 1);
            final long position = rig.box.claim(mark, 1);
            assertFalse(rig.poller.isReady(), "claimed only");
            rig.box.defer(mark, position, 0, 0);
            assertFalse(rig.poller.isReady(), "deferred only");
            rig.box.settle(position, MailboxDescriptor.TYPE_ABORTED, 0, 0, 0);
            assertTrue(rig.poller.isReady());
            assertEquals(1, rig.poller.poll(handler, 2));
        }
    }

    @Test
    void shouldDeliverWhatWasPublishedWithItsHeader()
    {
        start(70_000, 16, 4);
        mark.intend(rig.box.claimKey(), 2);
        final long position = rig.box.claim(mark, 2);
        rig.box.buffer().putInt(rig.box.payloadOffset(position), 4711);
        rig.box.publish(mark, position, 9, 5, 77, 69_999);
        final int[] calls = new int[2];
        assertEquals(1, rig.poller.poll(new PacketHandler()
        {
            @Override
            public void onPacket(final int type, final int flags, final int source, final UnsafeBuffer buffer,
                final int offset, final int length)
            {
                assertEquals(9, type);
                assertEquals(5, flags);
                assertEquals(69_999, source);
                assertEquals(77, length);
                assertEquals(4711, buffer.getInt(offset));
                calls[0]++;
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                assertEquals(9, type);
                assertEquals(69_999, source);
                assertEquals(2, slots);
                calls[1]++;
            }
        }, 10));
        assertEquals(1, calls[0]);
        assertEquals(1, calls[1]);
        assertEquals(2, rig.box.readPosition());
        assertEquals(2, rig.box.writePosition());
    }

    /** As by a sender that was waiting for these slots: the poll writes nothing in them any more. */
    @Test
    void shouldHandSlotsBackOnlyWhenItIsDoneWithThem()
    {
        start(1, 4, 4);
        final int[] calls = new int[2];
        final PacketHandler reusing = new PacketHandler()
        {
            @Override
            public void onPacket(final int type, final int flags, final int source, final UnsafeBuffer buffer,
                final int offset, final int length)
            {
                calls[0]++;
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                for (int i = 0; slots == 4 && i < slots; i++)
                {
                    publish();
                }
                calls[1] += slots;
            }
        };
        mark.intend(rig.box.claimKey(), 4);
        rig.box.publish(mark, rig.box.claim(mark, 4), Rig.TYPE, 0, MailboxDescriptor.payloadLength(4), 0);
        assertEquals(1, rig.poller.poll(reusing, 1));
        assertEquals(4, rig.poller.poll(reusing, 10), "what was published in the slots that were handed back");
        assertEquals(5, calls[0]);
        assertEquals(8, calls[1]);
    }

    private long claimWithin(final int slots, final long read)
    {
        mark.intend(rig.box.claimKey(), slots);
        final long position = rig.box.claimWithin(mark, slots, read);
        if (position >= 0)
        {
            rig.box.publish(mark, position, Rig.TYPE, 0, MailboxDescriptor.payloadLength(slots), 0);
        }
        mark.clear();
        return position;
    }

    @Test
    void shouldClaimOnlyWhatIsFree()
    {
        start(1, 16, 4);
        final PacketHandler nothing = new PacketHandler()
        {
            @Override
            public void onPacket(final int type, final int flags, final int source, final UnsafeBuffer buffer,
                final int offset, final int length)
            {
                // only its place is of interest
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                // only its place is of interest
            }
        };
        for (long read = 0; read < 100; read = rig.box.readPosition())
        {
            assertEquals(read, claimWithin(4, read));
            assertEquals(read + 4, claimWithin(4, read));
            assertEquals(read + 8, claimWithin(4, read));
            assertEquals(read + 12, claimWithin(1, read));
            assertEquals(-1, claimWithin(4, read));
            assertEquals(-1, claimWithin(1, read - 4), "a position that was read long ago");
            assertEquals(read + 13, claimWithin(3, read));
            assertEquals(-1, claimWithin(1, read));
            assertEquals(read + 16, rig.box.writePosition());
            assertEquals(5, rig.poller.poll(nothing, 10));
        }
    }

    @Test
    void shouldClaimNothingByPositionsThatCannotBe()
    {
        start(1, 16, 4);
        publish();
        for (final long read : new long[]{2, 17, 1L << 40, Long.MAX_VALUE, -17, -(1L << 40), Long.MIN_VALUE})
        {
            assertEquals(-1, claimWithin(1, read), () -> "read=" + read);
        }
        assertEquals(1, rig.box.writePosition());
        for (final long written : new long[]{18, 1L << 40, Long.MAX_VALUE, -1, -16, Long.MIN_VALUE, Long.MIN_VALUE + 1})
        {
            rig.box.buffer().putLong(MailboxDescriptor.WRITE_POSITION_OFFSET, written);
            assertEquals(-1, claimWithin(1, 1), () -> "written=" + written);
            assertEquals(written, rig.box.writePosition());
        }
    }

    @Test
    void shouldPollAtMostTheLimitAndKeepTheOrder()
    {
        start(2, 64, 4);
        for (int i = 0; i < 10; i++)
        {
            rig.send(mark, i & 1, i >> 1, 20 + i * 10);
        }
        assertEquals(0, rig.poller.poll(handler, 0));
        assertEquals(3, rig.poller.poll(handler, 3));
        assertEquals(2, handler.next[0]);
        assertEquals(1, handler.next[1]);
        assertEquals(7, rig.poller.poll(handler, 100));
        assertEquals(0, rig.poller.poll(handler, 100));
        assertEquals(10, handler.messages);
    }

    @ParameterizedTest
    @CsvSource({"4,1", "4,4", "8,3", "8,8", "16,7", "64,64", "128,33", "1024,64"})
    void shouldGoRoundTheRingWithRunsOfAllLengths(final int ringSlots, final int runSlots)
    {
        start(2, ringSlots, runSlots);
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("MailboxTest laps: seed=" + seed + ", ringSlots=" + ringSlots + ", runSlots=" + runSlots);
        final Random random = new Random(seed);
        long sequence = 0;
        final int laps = Math.max(8, 200_000 / ringSlots / 16);
        while (rig.poller.position() < (long)laps * ringSlots)
        {
            while (true)
            {
                final int slots = 1 + random.nextInt(runSlots);
                if (rig.box.writePosition() - rig.poller.position() + slots > ringSlots)
                {
                    break;
                }
                final int most = MailboxDescriptor.payloadLength(slots);
                final int length = random.nextBoolean() ? most : most - random.nextInt(40);
                sendMimic(sequence++, length, random);
            }
            assertTrue(rig.poller.poll(handler, 1 + random.nextInt(ringSlots)) > 0);
        }
        while (rig.poller.poll(handler, 100) > 0)
        {
            assertEquals(0, rig.poller.corruptCount());
        }
        assertEquals(sequence, handler.messages);
        assertEquals(rig.box.writePosition(), rig.poller.position());
        assertEquals(0, rig.poller.skippedSlots());
    }

    /** A message, and now and then an aborted run after it, with a payload that holds headers of this lap and the next two. */
    private void sendMimic(final long sequence, final int length, final Random random)
    {
        rig.send(mark, 0, sequence, length);
        final int slots = MailboxDescriptor.slots(length);
        if (random.nextInt(3) == 0 && rig.box.writePosition() - rig.poller.position() + slots <= rig.box.ringSlots())
        {
            mark.intend(rig.box.claimKey(), slots);
            final long position = rig.box.claim(mark, slots);
            final int offset = rig.box.payloadOffset(position) - MailboxDescriptor.HEADER_LENGTH;
            for (int slot = 1; slot < slots; slot++)
            {
                final long mimicked = position + slot + (long)random.nextInt(3) * rig.box.ringSlots();
                rig.box.buffer().putLong(offset + slot * MailboxDescriptor.SLOT_LENGTH,
                    MailboxDescriptor.header(rig.box.lap(mimicked), Rig.TYPE, 0, 20, 1));
            }
            rig.box.publish(mark, position, MailboxDescriptor.TYPE_ABORTED, 0, length, 1);
        }
    }

    @Test
    void shouldLeaveEveryWordOneLapOldSoThatPayloadIsNeverAHeader()
    {
        start(2, 8, 8);
        final UnsafeBuffer buffer = rig.box.buffer();
        for (int lap = 0; lap < 20; lap++)
        {
            for (int slots = 1; slots <= 8; slots++)
            {
                final int length = MailboxDescriptor.payloadLength(slots);
                mark.intend(rig.box.claimKey(), slots);
                final long position = rig.box.claim(mark, slots);
                buffer.setMemory(rig.box.payloadOffset(position), length, (byte)0xFF);
                rig.box.publish(mark, position, MailboxDescriptor.TYPE_ABORTED, 0, length, 0);
                assertEquals(1, rig.poller.poll(handler, 1));
                for (int slot = 0; slot < 8; slot++)
                {
                    final long at = rig.poller.position() + slot;
                    assertEquals(rig.box.lap(at - 8), MailboxDescriptor.lap(buffer.getLong(rig.box.slotOffset(at))),
                        "slot " + slot + " after a run of " + slots);
                }
            }
        }
    }

    @Test
    void shouldGoOnBeyondTheLastLapNumber()
    {
        start(1, 4, 4);
        final long laps = (1 << 16) + 100;
        long sequence = 0;
        while (rig.poller.position() < laps * 4)
        {
            rig.send(mark, 0, sequence, 16 + (int)(sequence % 180));
            assertEquals(1, rig.poller.poll(handler, 10));
            assertEquals(0, rig.poller.poll(handler, 10));
            sequence++;
        }
        assertEquals(sequence, handler.messages);
        assertEquals(0, rig.poller.corruptCount());
    }

    @Test
    void shouldFreeAnAbortedRunWithoutDelivery()
    {
        start(2, 16, 8);
        mark.intend(rig.box.claimKey(), 3);
        rig.box.publish(mark, rig.box.claim(mark, 3), MailboxDescriptor.TYPE_ABORTED, 0, 150, 1);
        rig.send(mark, 0, 0, 20);
        assertEquals(2, rig.poller.poll(handler, 10));
        assertEquals(1, handler.messages);
        assertEquals(3, handler.freedSlots[1]);
        assertEquals(4, handler.freed);
    }

    @Test
    void shouldWaitForDeferredRunsSettledInAnyOrder()
    {
        start(1, 64, 4);
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("MailboxTest deferred: seed=" + seed);
        final Random random = new Random(seed);
        long sequence = 0;
        for (int round = 0; round < 500; round++)
        {
            final int count = 1 + random.nextInt(10);
            final long[] positions = new long[count];
            for (int i = 0; i < count; i++)
            {
                mark.intend(rig.box.claimKey(), 2);
                positions[i] = rig.box.claim(mark, 2);
                rig.box.defer(mark, positions[i], 100, 0);
            }
            final List<Integer> order = IntStream.range(0, count).boxed().collect(Collectors.toList());
            Collections.shuffle(order, random);
            for (final int next : order.subList(0, order.indexOf(0)))
            {
                assertEquals(0, rig.poller.poll(handler, 1));
                settle(positions[next], sequence + next);
            }
            for (final int next : order.subList(order.indexOf(0), count))
            {
                settle(positions[next], sequence + next);
            }
            assertEquals(count, rig.poller.poll(handler, 100));
            sequence += count;
        }
        assertEquals(sequence, handler.messages);
    }

    private void settle(final long position, final long sequence)
    {
        Payload.fill(rig.box.buffer(), rig.box.payloadOffset(position), 100, 0, sequence);
        rig.box.settle(position, Rig.TYPE, 0, 100, 0);
    }

    @Test
    void shouldFreeAndPassARunWhoseHandlerThrows()
    {
        start(1, 16, 8);
        rig.send(mark, 0, 0, 200);
        rig.send(mark, 0, 1, 20);
        final RuntimeException thrown = new RuntimeException("on purpose");
        final int[] freed = new int[1];
        final PacketHandler throwing = new PacketHandler()
        {
            @Override
            public void onPacket(final int type, final int flags, final int source, final UnsafeBuffer buffer,
                final int offset, final int length)
            {
                throw thrown;
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                freed[0] += slots;
            }
        };
        assertSame(thrown, assertThrows(RuntimeException.class, () -> rig.poller.poll(throwing, 10)));
        assertEquals(4, freed[0]);
        assertEquals(4, rig.box.readPosition());
        handler.next[0] = 1;
        assertEquals(1, rig.poller.poll(handler, 10));
    }

    @Test
    void shouldGoOnWhereTheLastConsumerStopped()
    {
        start(1, 16, 8);
        for (int i = 0; i < 30; i++)
        {
            rig.send(mark, 0, i, 100);
            assertEquals(1, new MailboxPoller(Mailbox.attach(Rig.boxFile(directory))).poll(handler, 10));
        }
        assertEquals(30, handler.messages);
    }

    @Test
    void shouldSkipAHeaderThatCannotBe()
    {
        start(2, 16, 4);
        final int lap = 1;
        final long[] headers = {
            MailboxDescriptor.header(lap, 1, 0, 20, 0), MailboxDescriptor.header(lap, MailboxDescriptor.TYPE_STAMP, 0, 0, 0),
            MailboxDescriptor.header(lap, Rig.TYPE, 0, 249, 0), MailboxDescriptor.header(lap, Rig.TYPE, 0, 4095, 0),
            MailboxDescriptor.header(lap, Rig.TYPE, 0, 20, 2), MailboxDescriptor.header(lap, Rig.TYPE, 0, 20, 0xFFFFF),
            MailboxDescriptor.header(lap, 0x103, 0, 20, 0),
            MailboxDescriptor.header(lap, MailboxDescriptor.TYPE_CLAIMED, 0, 20, 2)};
        for (final long header : headers)
        {
            rig.box.buffer().putLong(rig.box.slotOffset(rig.add(1)), header);
        }
        rig.send(mark, 0, 0, 20);
        assertEquals(headers.length + 1, rig.poller.poll(handler, 100));
        assertEquals(1, handler.messages);
        assertEquals(headers.length, rig.poller.corruptCount());
    }
}
