// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.RegistryDescriptor;

/**
 * A mailbox and its registry are damaged at random while threads send and the consumer polls and recovers: it never
 * throws, never stands still for ever, never reads outside (bounds checks are on), and works again afterwards.
 * {@code -Dtallypost.corruptions=N} sets the number.
 */
class CorruptionTest
{
    private static final int SENDERS = 3;
    private static final int RING_SLOTS = 256;
    private static final int RUN_SLOTS = 12;
    private static final int FRESH = 2_000;
    private static final Duration LIMIT = Watchdog.DEFAULT_LIMIT;

    @TempDir
    private File directory;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final AtomicBoolean isRunning = new AtomicBoolean(true);
    private final AtomicLong sent = new AtomicLong();
    private final int[] hits = new int[Target.values().length];
    private Rig rig;
    private UnsafeBuffer registry;
    private volatile Throwable senderFailure;
    private volatile long consumed;

    /** Where damage is done. */
    private enum Target
    {
        NEXT_HEADER, ANY_HEADER, PAYLOAD, WRITE_POSITION, READ_POSITION, SOURCE_LINE, FILE_HEADER, ANYWHERE,
        MARK, PROCESS, REGISTRY_ANYWHERE
    }

    /** Counts, and touches every byte that it is given. */
    private static final class Receiver implements PacketHandler
    {
        long whole;
        long damaged;
        long freed;
        long sum;

        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset, final int length)
        {
            if (type < MailboxDescriptor.TYPE_FIRST_USER || type > MailboxDescriptor.TYPE_LAST || source >= SENDERS ||
                length > MailboxDescriptor.payloadLength(RUN_SLOTS))
            {
                throw new AssertionError("unchecked header: type=" + type + ", source=" + source + ", length=" + length);
            }
            for (int i = 0; i < length; i++)
            {
                sum += buffer.getByte(offset + i);
            }
            if (length >= Payload.MIN_LENGTH && Payload.firstDamage(buffer, offset, length) < 0)
            {
                whole++;
            }
            else
            {
                damaged++;
            }
        }

        @Override
        public void onFreed(final int type, final int source, final int slots)
        {
            freed += slots;
        }
    }

    @Test
    void shouldNeitherThrowNorHangNorReadOutsideWhateverIsDamaged() throws Exception
    {
        final int corruptions = Integer.getInteger("tallypost.corruptions", 10_000);
        System.out.println("CorruptionTest: seed=" + seed + ", corruptions=" + corruptions);
        rig = new Rig(directory, SENDERS, RING_SLOTS, RUN_SLOTS);
        registry = rig.registryBuffer();
        final byte[] identities = new byte[Rig.PROCESSES * MailboxDescriptor.LINE_LENGTH];
        registry.getBytes(RegistryDescriptor.entryOffset(0), identities);
        final Thread[] senders = new Thread[SENDERS];
        for (int source = 0; source < SENDERS; source++)
        {
            final int of = source;
            senders[source] = new Thread(() -> send(of), "sender " + source);
            senders[source].start();
        }
        final Receiver receiver = new Receiver();
        long longestNs = 0;
        for (int i = 0; i < corruptions; i++)
        {
            final long startNs = System.nanoTime();
            damage();
            awaitFreed(receiver, 1 + random.nextInt(100));
            // a process that the registry does not know any more would be taken for dead in all that follows
            registry.putBytes(RegistryDescriptor.entryOffset(0), identities, 0, identities.length);
            longestNs = Math.max(longestNs, System.nanoTime() - startNs);
        }
        isRunning.set(false);
        for (final Thread sender : senders)
        {
            Watchdog.await("end of " + sender.getName(), () -> !sender.isAlive());
        }
        assertEquals(null, senderFailure);
        final StringBuilder counts = new StringBuilder();
        for (final Target target : Target.values())
        {
            counts.append(' ').append(target).append('=').append(hits[target.ordinal()]);
        }
        System.out.println("CorruptionTest:" + counts);
        System.out.println("CorruptionTest: sent=" + sent + ", received whole=" + receiver.whole + ", damaged=" +
            receiver.damaged + ", headers and positions refused=" + rig.poller.corruptCount() + ", slots skipped=" +
            rig.poller.skippedSlots() + ", longest wait for progress=" + longestNs / 1000 + " us");
        drain(receiver);
        shouldDeliverFreshMessages();
    }

    private void awaitFreed(final Receiver receiver, final int slots)
    {
        final long until = receiver.freed + rig.poller.skippedSlots() + rig.poller.corruptCount() + slots;
        final Watchdog watchdog = new Watchdog(LIMIT, () -> "progress: seed=" + seed + ", position=" +
            rig.poller.position() + ", write position=" + rig.box.writePosition());
        int idle = 0;
        while (receiver.freed + rig.poller.skippedSlots() + rig.poller.corruptCount() < until)
        {
            final int count = rig.poller.poll(receiver, 16);
            consumed = rig.poller.position();
            if (count == 0 && ++idle % 16 == 0)
            {
                rig.poller.recover(rig.registry, (source) -> true);
                watchdog.idle();
            }
        }
    }

    private void damage()
    {
        final Target target = Target.values()[random.nextInt(Target.values().length)];
        hits[target.ordinal()]++;
        final UnsafeBuffer box = rig.box.buffer();
        switch (target)
        {
            case NEXT_HEADER:
                change(box, rig.box.slotOffset(rig.poller.position() + random.nextInt(8)));
                break;
            case ANY_HEADER:
                change(box, rig.box.slotOffset(random.nextInt(RING_SLOTS)));
                break;
            case PAYLOAD:
                change(box, rig.box.payloadOffset(random.nextInt(RING_SLOTS)) + random.nextInt(6) * 8);
                break;
            case WRITE_POSITION:
                change(box, MailboxDescriptor.WRITE_POSITION_OFFSET);
                break;
            case READ_POSITION:
                change(box, MailboxDescriptor.READ_POSITION_OFFSET);
                break;
            case SOURCE_LINE:
                change(box, MailboxDescriptor.sourceLineOffset(random.nextInt(SENDERS)) + random.nextInt(16) * 8);
                break;
            case FILE_HEADER:
                change(box, random.nextInt(16) * 8);
                break;
            case ANYWHERE:
                change(box, random.nextInt(box.capacity() / 8) * 8);
                break;
            case MARK:
                change(registry, RegistryDescriptor.markOffset(Rig.PROCESSES, random.nextInt(SENDERS + 1)) +
                    random.nextInt(4) * 8);
                break;
            case PROCESS:
                change(registry, RegistryDescriptor.entryOffset(random.nextInt(2)) + random.nextInt(4) * 8);
                break;
            default:
                change(registry, random.nextInt(registry.capacity() / 8) * 8);
                break;
        }
    }

    private void change(final UnsafeBuffer buffer, final int offset)
    {
        final long old = buffer.getLong(offset);
        switch (random.nextInt(5))
        {
            case 0:
                buffer.putLongVolatile(offset, old ^ 1L << random.nextInt(64));
                break;
            case 1:
                buffer.putLongVolatile(offset, old ^ 1L << random.nextInt(64) ^ 1L << random.nextInt(64));
                break;
            case 2:
                buffer.putLongVolatile(offset, random.nextLong());
                break;
            case 3:
                buffer.putLongVolatile(offset, old + random.nextInt(2 * RING_SLOTS) - RING_SLOTS);
                break;
            default:
                // a header as it could be, of this lap
                buffer.putLongVolatile(offset, MailboxDescriptor.header(rig.box.lap(rig.poller.position()),
                    MailboxDescriptor.TYPE_ABORTED + random.nextInt(4), 0, random.nextInt(4096), random.nextInt(4)));
                break;
        }
    }

    /** Credits could be damaged, too: a sender waits for room as long as it seems to come, and then sends anyway. */
    private void send(final int source)
    {
        try
        {
            final ClaimMark mark = rig.takeMark(rig.process);
            final Random lengths = new Random(seed + source);
            long sequence = 0;
            while (isRunning.get())
            {
                for (int i = 0; i < 1000 && rig.box.writePosition() - consumed > RING_SLOTS / 2; i++)
                {
                    Thread.yield();
                }
                rig.send(mark, source, sequence++, Payload.MIN_LENGTH + lengths.nextInt(
                    MailboxDescriptor.payloadLength(RUN_SLOTS) - Payload.MIN_LENGTH + 1));
                sent.getAndIncrement();
            }
        }
        catch (final Throwable failure)
        {
            senderFailure = failure;
        }
    }

    private void drain(final Receiver receiver)
    {
        final Watchdog watchdog = new Watchdog(LIMIT, () -> "an empty mailbox: seed=" + seed +
            ", position=" + rig.poller.position() + ", write position=" + rig.box.writePosition());
        int quiet = 0;
        while (quiet < 3)
        {
            final int work = rig.poller.poll(receiver, 16) + rig.poller.recover(rig.registry, (source) -> true);
            quiet = work == 0 && rig.poller.position() == rig.box.writePosition() ? quiet + 1 : 0;
            watchdog.idle();
        }
    }

    private void shouldDeliverFreshMessages()
    {
        final CheckingHandler fresh = new CheckingHandler(SENDERS);
        final ClaimMark mark = new ClaimMark(registry, RegistryDescriptor.markOffset(Rig.PROCESSES, Rig.MARKS - 1));
        for (int i = 0; i < FRESH; i++)
        {
            for (int source = 0; source < SENDERS; source++)
            {
                rig.send(mark, source, i, 16 + i % 600);
            }
            for (int source = 0; source < SENDERS; source++)
            {
                // what was damaged in advance, in slots that no sender had come to yet, may cost a look
                if (rig.poller.poll(fresh, 1) == 0)
                {
                    rig.poller.recover(rig.registry, (any) -> true);
                }
            }
        }
        Watchdog.await("fresh messages, seed=" + seed, LIMIT, () ->
        {
            rig.poller.recover(rig.registry, (any) -> true);
            rig.poller.poll(fresh, 100);
            return rig.poller.position() == rig.box.writePosition();
        });
        assertEquals((long)FRESH * SENDERS, fresh.messages, "seed=" + seed);
        assertTrue(fresh.next[0] == FRESH && fresh.next[SENDERS - 1] == FRESH);
    }
}
