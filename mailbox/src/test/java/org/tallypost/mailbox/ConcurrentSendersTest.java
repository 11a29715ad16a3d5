// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/** Several threads send at once, each with credits of its own, and one receives. */
class ConcurrentSendersTest
{
    @TempDir
    private File directory;

    private volatile Throwable failure;

    @ParameterizedTest
    @CsvSource({"2,8,2,15000", "4,64,5,15000", "3,1024,64,8000", "8,32,4,8000"})
    void shouldKeepEverySendersMessagesWholeAndInOrder(
        final int senders, final int ringSlots, final int runSlots, final int messages)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ConcurrentSendersTest: seed=" + seed + ", senders=" + senders + ", ringSlots=" + ringSlots);
        final Rig rig = new Rig(directory, senders, ringSlots, runSlots);
        final Semaphore[] credits = new Semaphore[senders];
        final Thread[] threads = new Thread[senders];
        for (int source = 0; source < senders; source++)
        {
            final int of = source;
            credits[source] = new Semaphore(ringSlots / senders);
            final ClaimMark mark = rig.takeMark(rig.process);
            final Random random = new Random(seed + source);
            threads[source] = new Thread(() -> send(rig, mark, of, messages, credits[of], random), "sender " + source);
        }
        final CheckingHandler checks = new CheckingHandler(senders);
        final PacketHandler handler = new Receiver(checks, credits);
        for (final Thread thread : threads)
        {
            thread.start();
        }
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "messages: seed=" + seed + ", received=" +
            checks.messages + " of " + (long)senders * messages + ", failure=" + failure);
        while (checks.messages < (long)senders * messages && failure == null)
        {
            if (rig.poller.poll(handler, 10) > 0)
            {
                watchdog.progress();
            }
            else
            {
                assertEquals(0, rig.recover());
                watchdog.idle();
            }
        }
        assertEquals(null, failure);
        for (final Thread thread : threads)
        {
            Watchdog.await("end of " + thread.getName(), () -> !thread.isAlive());
        }
        while (rig.poller.poll(handler, 10) > 0)
        {
            watchdog.idle();
        }
        assertEquals(rig.box.writePosition(), rig.poller.position());
        assertEquals(0, rig.poller.corruptCount() + rig.poller.skippedSlots());
        for (final Semaphore credit : credits)
        {
            assertEquals(ringSlots / senders, credit.availablePermits());
        }
    }

    private static final class Receiver implements PacketHandler
    {
        private final CheckingHandler checks;
        private final Semaphore[] credits;

        Receiver(final CheckingHandler checks, final Semaphore[] credits)
        {
            this.checks = checks;
            this.credits = credits;
        }

        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset, final int length)
        {
            checks.onPacket(type, flags, source, buffer, offset, length);
        }

        @Override
        public void onFreed(final int type, final int source, final int slots)
        {
            credits[source].release(slots);
        }
    }

    private void send(final Rig rig, final ClaimMark mark, final int source, final int messages,
        final Semaphore credits, final Random random)
    {
        try
        {
            final int mostSlots = Math.min(rig.box.runSlots(), rig.box.ringSlots() / rig.box.sources());
            final int most = MailboxDescriptor.payloadLength(mostSlots);
            long sequence = 0;
            while (sequence < messages)
            {
                final int length = Payload.MIN_LENGTH + random.nextInt(most - Payload.MIN_LENGTH + 1);
                final int slots = MailboxDescriptor.slots(length);
                mark.intend(rig.box.claimKey(), slots);
                if (!credits.tryAcquire(slots))
                {
                    mark.clear();
                    Thread.yield();
                    continue;
                }
                final long position = rig.box.claim(mark, slots);
                final boolean isAborted = random.nextInt(20) == 0;
                if (random.nextInt(10) == 0)
                {
                    rig.box.defer(mark, position, length, source);
                }
                Payload.fill(rig.box.buffer(), rig.box.payloadOffset(position), length, source, sequence);
                rig.box.publish(
                    mark, position, isAborted ? MailboxDescriptor.TYPE_ABORTED : Rig.TYPE, 0, length, source);
                sequence += isAborted ? 0 : 1;
            }
        }
        catch (final Throwable thrown)
        {
            failure = thrown;
        }
    }
}
