// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * Senders as state machines that a seeded schedule moves by one store at a time, and kills anywhere: whatever the
 * interleaving, nothing of the living is lost, doubled or out of order, nothing waits for the dead, and everything that a
 * dead sender published arrives.
 */
@Tag("once")
class RecoveryScheduleTest
{
    private static final int STEPS = 60_000;
    private static final int SENDERS = 5;

    @TempDir
    private File directory;

    /** What a sender has done of its next message. */
    private enum Stage
    {
        IDLE, INTENDED, ADDED, CLAIMED, HALF_WRITTEN, WRITTEN, PUBLISHED, DEFERRED, DEFERRED_CLEARED
    }

    private final class Sender
    {
        final int source;
        int process;
        ClaimMark mark;
        Stage stage = Stage.IDLE;
        long sequence;
        long position;
        int length;
        boolean isStopped;

        Sender(final int source)
        {
            this.source = source;
            enter();
        }

        void enter()
        {
            process = rig.join();
            mark = rig.takeMark(process);
            stage = Stage.IDLE;
        }

        void step()
        {
            final int slots = MailboxDescriptor.slots(length);
            switch (stage)
            {
                case IDLE:
                    intend();
                    break;
                case INTENDED:
                    addOrGiveUp(slots);
                    break;
                case ADDED:
                    mark.claimed(position);
                    stage = Stage.CLAIMED;
                    break;
                case CLAIMED:
                    if (random.nextInt(4) == 0)
                    {
                        rig.box.settle(position, MailboxDescriptor.TYPE_CLAIMED, 0, length, source);
                        stage = Stage.DEFERRED;
                    }
                    else
                    {
                        mimicHeaders(slots);
                        stage = Stage.HALF_WRITTEN;
                    }
                    break;
                case DEFERRED:
                    mark.clear();
                    stage = Stage.DEFERRED_CLEARED;
                    break;
                case HALF_WRITTEN:
                    Payload.fill(rig.box.buffer(), rig.box.payloadOffset(position), length, source, sequence);
                    stage = Stage.WRITTEN;
                    break;
                case WRITTEN:
                    settle();
                    stage = Stage.PUBLISHED;
                    break;
                case DEFERRED_CLEARED:
                    Payload.fill(rig.box.buffer(), rig.box.payloadOffset(position), length, source, sequence);
                    settle();
                    stage = Stage.IDLE;
                    break;
                default:
                    mark.clear();
                    stage = Stage.IDLE;
                    break;
            }
        }

        private void intend()
        {
            length = Payload.MIN_LENGTH + random.nextInt(MailboxDescriptor.payloadLength(runSlots) - 15);
            mark.intend(rig.box.claimKey(), MailboxDescriptor.slots(length));
            stage = Stage.INTENDED;
        }

        private void addOrGiveUp(final int slots)
        {
            if (heldSlots[source] + slots > quota)
            {
                mark.clear();
                stage = Stage.IDLE;
                return;
            }
            heldSlots[source] += slots;
            position = rig.add(slots);
            stage = Stage.ADDED;
        }

        private void mimicHeaders(final int slots)
        {
            for (int slot = 1; slot < slots; slot++)
            {
                final long at = position + slot + (random.nextBoolean() ? ringSlots : 0);
                rig.box.buffer().putLong(rig.box.payloadOffset(position) - 8 + slot * 64,
                    MailboxDescriptor.header(rig.box.lap(at), Rig.TYPE, 0, 20, source));
            }
        }

        private void settle()
        {
            final boolean isAborted = random.nextInt(5) == 0;
            rig.box.settle(position, isAborted ? MailboxDescriptor.TYPE_ABORTED : Rig.TYPE, 0, length, source);
            if (!isAborted)
            {
                published[source] = ++sequence;
            }
        }
    }

    private Random random;
    private Rig rig;
    private int ringSlots;
    private int runSlots;
    private int quota;
    private int[] heldSlots;
    private long[] published;
    private CheckingHandler handler;
    private final List<Sender> senders = new ArrayList<>();
    private final boolean[] awaitsReclaim = new boolean[SENDERS];
    private int kills;

    @RepeatedTest(12)
    void shouldLoseNothingOfTheLivingWhateverTheSchedule(final RepetitionInfo repetition)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime()) + repetition.getCurrentRepetition();
        random = new Random(seed);
        ringSlots = 4 << random.nextInt(6);
        runSlots = 1 + random.nextInt(Math.min(ringSlots / 4 + 1, 12));
        quota = Math.max(runSlots, ringSlots / SENDERS);
        while (quota * SENDERS > ringSlots)
        {
            ringSlots *= 2;
        }
        System.out.println("RecoveryScheduleTest: seed=" + seed + ", ringSlots=" + ringSlots + ", runSlots=" + runSlots);
        rig = new Rig(directory, SENDERS, ringSlots, runSlots);
        heldSlots = new int[SENDERS];
        published = new long[SENDERS];
        handler = new CheckingHandler(SENDERS);
        for (int source = 0; source < SENDERS; source++)
        {
            senders.add(new Sender(source));
        }
        for (int step = 0; step < STEPS; step++)
        {
            step();
        }
        finish();
        System.out.println("RecoveryScheduleTest: messages=" + handler.messages + ", kills=" + kills + ", skippedSlots=" +
            rig.poller.skippedSlots() + ", laps=" + rig.poller.position() / ringSlots);
        assertEquals(0, rig.poller.corruptCount());
        assertTrue(handler.messages > STEPS / 100, "messages " + handler.messages);
    }

    private void step()
    {
        final Sender sender = senders.get(random.nextInt(SENDERS));
        final int choice = random.nextInt(1000);
        if (choice < 800)
        {
            if (!sender.isStopped && !awaitsReclaim[sender.source])
            {
                sender.step();
            }
        }
        else if (choice < 805)
        {
            sender.isStopped = !sender.isStopped;
        }
        else if (choice < 810)
        {
            kill(sender);
        }
        else if (choice < 900)
        {
            poll();
        }
        else
        {
            recover();
        }
    }

    private void kill(final Sender sender)
    {
        if (!awaitsReclaim[sender.source])
        {
            rig.declareGone(sender.process);
            awaitsReclaim[sender.source] = true;
            kills++;
        }
    }

    private int poll()
    {
        java.util.Arrays.fill(handler.freedSlots, 0);
        final int count = rig.poller.poll(handler, 1 + random.nextInt(4));
        for (int source = 0; source < SENDERS; source++)
        {
            heldSlots[source] -= handler.freedSlots[source];
        }
        return count;
    }

    private int recover()
    {
        final int count = rig.poller.recover(rig.registry, (source) -> !awaitsReclaim[source]);
        if (rig.poller.position() == rig.box.writePosition())
        {
            rig.registry.forgetDeadClaims(rig.box, rig.poller.position());
            for (final Sender sender : senders)
            {
                if (awaitsReclaim[sender.source])
                {
                    assertEquals(published[sender.source], handler.next[sender.source], "all it had published arrived");
                    awaitsReclaim[sender.source] = false;
                    sender.isStopped = false;
                    heldSlots[sender.source] = 0;
                    sender.enter();
                }
            }
        }
        return count;
    }

    /** Some die where they stand, the others finish; then all that is claimed is delivered or skipped. */
    private void finish()
    {
        for (final Sender sender : senders)
        {
            if (random.nextBoolean())
            {
                kill(sender);
            }
        }
        for (final Sender sender : senders)
        {
            while (!awaitsReclaim[sender.source] && sender.stage != Stage.IDLE)
            {
                sender.step();
            }
        }
        int idle = 0;
        while (rig.poller.position() != rig.box.writePosition())
        {
            idle = poll() + rig.poller.recover(rig.registry, (source) -> !awaitsReclaim[source]) == 0 ? idle + 1 : 0;
            assertTrue(idle < 3, "stuck at " + rig.poller.position() + " of " + rig.box.writePosition());
        }
        for (final Sender sender : senders)
        {
            assertEquals(published[sender.source], handler.next[sender.source]);
        }
    }
}
