// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/**
 * Another process writes into the shared memory while two senders send and a receiver polls: nothing throws, nothing
 * hangs, nothing outside the mapping is touched (every access is bounds-checked), and when the damage stops, traffic and
 * credits are as before. {@code -Dtallypost.corruptions=N} sets how many there are.
 */
@Tag("once")
class CorruptionTest
{
    private static final int RANKS = 3;
    private static final int SLOTS = 40;
    private static final int BATCH = 20;
    private static final long AFTERWARDS = 1L << 40;
    /** Each is waited for until its sender's process looks, so there are not many. */
    private static final int OPEN_CLAIM_INTERVAL = 100;

    private enum Place
    {
        NEXT_HEADER, ANY_HEADER, PAYLOAD, RING, WRITE_POSITION, READ_POSITION, SOURCE_LINE, RANK_WORD, RANK_OWNER, COUNTERS,
        MARK, MEMBERSHIP, LANE_WORD, LANE_POSITION, LANE_SLOT, OPEN_CLAIM
    }

    @TempDir
    private Path directory;

    private final long seed = Fixtures.seed();
    private final Random random = new Random(seed);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicLong reported = new AtomicLong();
    private final Map<Place, Integer> counts = new EnumMap<>(Place.class);
    private final long[] sent = new long[RANKS];
    private final long[] afterwards = new long[RANKS];
    private final long[] codes = new long[6];
    private volatile boolean isRunning = true;
    private volatile boolean isDamaging = true;
    private Node node;
    private Endpoint receiver;
    private UnsafeBuffer group;
    private UnsafeBuffer registry;
    private long whole;
    private long damaged;
    private long checksum;
    private long longestWaitNs;

    private void onMessage(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            checksum += buffer.getByte(offset + i);
        }
        if (length >= Fixtures.MIN_LENGTH && Fixtures.isWhole(buffer, offset, length) &&
            (Fixtures.stream(buffer, offset) & (AFTERWARDS - 1)) == source)
        {
            whole++;
            // not yet while damage may make a stream look like that
            if (!isDamaging && Fixtures.stream(buffer, offset) == (AFTERWARDS | source))
            {
                final long sequence = Fixtures.sequence(buffer, offset);
                afterwards[source] = sequence == afterwards[source] ? sequence + 1 : Long.MIN_VALUE;
            }
        }
        else
        {
            damaged++;
        }
    }

    private void send(final Endpoint endpoint, final Random own)
    {
        final int rank = endpoint.rank();
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(8192);
        final MessageClaim claim = new MessageClaim();
        final LongSend handle = endpoint.newSend();
        long sequence = 0;
        while (isRunning)
        {
            final int way = own.nextInt(8);
            final int length = Fixtures.length(own, way == 0 && isDamaging ? 6_000 : 1_000);
            Fixtures.fill(buffer, 0, length, rank, sequence);
            long result = Endpoint.NO_CREDIT;
            while (isRunning && isDamaging && result == Endpoint.NO_CREDIT)
            {
                result = send(endpoint, handle, claim, way, buffer, length);
                codes[(int)Math.max(0, Math.min(5, -result))]++;
                if (result < 0)
                {
                    Thread.yield();
                }
            }
            handle.abort();
            sequence++;
            if (result >= 0)
            {
                sent[rank]++;
            }
            if (!isDamaging)
            {
                break;
            }
        }
    }

    private static long send(
        final Endpoint endpoint, final LongSend handle, final MessageClaim claim, final int way, final DirectBuffer buffer,
        final int length)
    {
        if (way == 0)
        {
            return handle.isActive() ? handle.progress() : handle.start(0, 1, buffer, 0, length);
        }
        if (way == 1)
        {
            final long result = endpoint.tryClaim(0, 1, length, claim);
            if (result >= 0)
            {
                claim.putBytes(buffer, 0);
                claim.commit();
            }
            return result;
        }
        return endpoint.offer(0, 1, buffer, 0, length);
    }

    private long noise(final long old)
    {
        switch (random.nextInt(6))
        {
            case 0:
                return random.nextLong();
            case 1:
                return old ^ (1L << random.nextInt(64));
            case 2:
                return old + random.nextInt(65) - 32;
            case 3:
                return random.nextInt(256) - 128L;
            case 4:
                return Long.MAX_VALUE - random.nextInt(64);
            default:
                return old ^ (random.nextLong() >>> random.nextInt(64));
        }
    }

    private int laneOffset(final Place place)
    {
        final int lanes = Fixtures.lanesOffset(receiver);
        switch (place)
        {
            case LANE_WORD:
                return MailboxDescriptor.sourceLineOffset(random.nextInt(RANKS)) + LaneWord.OFFSET;
            case LANE_POSITION:
                // of the first lane: how far it was read, what was given by it, and how far it was paid for
                return lanes + new int[]{0, Long.BYTES, 128}[random.nextInt(3)];
            default:
                return lanes + 64 * random.nextInt((local(receiver).mailbox().buffer().capacity() - lanes) / 64);
        }
    }

    private void damage()
    {
        final Place place = random.nextInt(OPEN_CLAIM_INTERVAL) == 0 ? Place.OPEN_CLAIM :
            Place.values()[random.nextInt(Place.OPEN_CLAIM.ordinal())];
        counts.merge(place, 1, Integer::sum);
        if (place == Place.OPEN_CLAIM)
        {
            final Mailbox mailbox = local(receiver).mailbox();
            mailbox.settle(mailbox.readPosition() & Long.MAX_VALUE, MailboxDescriptor.TYPE_CLAIMED, 0,
                random.nextInt(Endpoint.MAX_RUN_LENGTH), random.nextInt(RANKS));
        }
        else
        {
            damage(place);
        }
    }

    private void damage(final Place place)
    {
        final Mailbox mailbox = local(receiver).mailbox();
        final int ring = MailboxDescriptor.ringOffset(RANKS);
        final int slot = random.nextInt(mailbox.ringSlots());
        UnsafeBuffer buffer = mailbox.buffer();
        int offset;
        switch (place)
        {
            case NEXT_HEADER:
                offset = mailbox.payloadOffset(mailbox.readPosition() & Long.MAX_VALUE) - MailboxDescriptor.HEADER_LENGTH;
                break;
            case ANY_HEADER:
                offset = ring + slot * MailboxDescriptor.SLOT_LENGTH;
                break;
            case PAYLOAD:
                offset = ring + slot * MailboxDescriptor.SLOT_LENGTH + 8 + 8 * random.nextInt(7);
                break;
            case WRITE_POSITION:
                offset = MailboxDescriptor.WRITE_POSITION_OFFSET;
                break;
            case READ_POSITION:
                offset = MailboxDescriptor.READ_POSITION_OFFSET;
                break;
            case SOURCE_LINE:
                offset = MailboxDescriptor.sourceLineOffset(random.nextInt(RANKS)) + 8 * random.nextInt(2);
                break;
            case RANK_WORD:
                buffer = group;
                offset = GroupDescriptor.rankWordOffset(random.nextInt(RANKS));
                break;
            case RANK_OWNER:
                buffer = group;
                offset = GroupDescriptor.ownerOffset(RANKS, random.nextInt(RANKS));
                break;
            case COUNTERS:
                buffer = group;
                offset = GroupDescriptor.countersOffset(RANKS, random.nextInt(RANKS)) +
                    8 * random.nextInt(CountersDescriptor.LENGTH / 8);
                break;
            case MARK:
                buffer = registry;
                offset = 384 + 64 * 128 + 128 * random.nextInt(8) + 8 * random.nextInt(2);
                break;
            case MEMBERSHIP:
                buffer = registry;
                offset = 256;
                break;
            case LANE_WORD:
            case LANE_POSITION:
            case LANE_SLOT:
                offset = laneOffset(place);
                break;
            default:
                offset = ring + 8 * random.nextInt((buffer.capacity() - ring) / 8);
                break;
        }
        damage(buffer, offset);
    }

    /** Not over what was written since: what was settled would be open again, and each of these is waited for. */
    private void damage(final UnsafeBuffer buffer, final int offset)
    {
        final long old = buffer.getLong(offset);
        buffer.compareAndSetLong(offset, old, noise(old));
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ": seed=" + seed + ", whole=" + whole +
            ", damaged=" + damaged + ", codes=" + java.util.Arrays.toString(codes) + ", " +
            Fixtures.books(receiver) + ", write=" +
            local(receiver).mailbox().writePosition() + ", read=" + local(receiver).mailbox().readPosition() + ", rank words=" +
            Long.toHexString(local(node).runtime().group().rankWord(0)) + " " +
                Long.toHexString(local(node).runtime().group().rankWord(1)) + " " +
            Long.toHexString(local(node).runtime().group().rankWord(2)) + ", counted epochs=" +
                local(receiver).inbox().countedEpoch(1) + " " +
            local(receiver).inbox().countedEpoch(2) + ", is closed=" + receiver.isClosed());
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            assertNull(failure.get(), () -> "seed=" + seed + ": " + failure.get());
            if (receiver.poll(this::onMessage, 16) == 0)
            {
                // no pause: what is damaged is looked for at some of the polls only
                watchdog.check();
                Thread.yield();
            }
        }
        longestWaitNs = Math.max(longestWaitNs, System.nanoTime() - startNs);
    }

    private Thread sender(final Endpoint endpoint)
    {
        return Fixtures.start(
            "sender " + endpoint.rank(), () -> send(endpoint, new Random(seed + endpoint.rank())), failure);
    }

    @Test
    void shouldSurviveDamageAndRecover() throws InterruptedException
    {
        final int corruptions = Integer.getInteger("tallypost.corruptions", 20_000);
        final NodeContext context = Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, SLOTS)
            .checkInvariants(true).livenessIntervalNs(1_000_000).errorHandler((t) -> reported.incrementAndGet());
        final File place = context.directory();
        node = Node.launch(context);
        receiver = node.open(0);
        final Endpoint[] senders = {node.open(1), node.open(2)};
        group = MappedFiles.map(new File(place, Group.FILE_NAME), 128, "group");
        registry = MappedFiles.map(new File(place, "registry"), 128, "registry");
        final List<Thread> threads = new ArrayList<>();
        try
        {
            for (final Endpoint endpoint : senders)
            {
                threads.add(sender(endpoint));
            }
            await("first messages", () -> whole > 100);
            int done = 0;
            while (done < corruptions)
            {
                for (int i = 0; i < BATCH; i++)
                {
                    damage();
                    done++;
                    receiver.poll(this::onMessage, 16);
                }
                // traffic goes on in the midst of it
                final long until = whole + random.nextInt(4);
                await("messages between damages, done=" + done + ", " + counts, () -> whole >= until);
            }
            isDamaging = false;
            for (final Thread thread : threads)
            {
                thread.join();
            }
            checkRecovery(senders);
        }
        finally
        {
            isRunning = false;
            node.close();
        }
        System.out.println("CorruptionTest " + corruptions + ": " + counts);
        System.out.println("CorruptionTest: sent=" + (sent[1] + sent[2]) + ", received whole=" + whole + ", damaged=" + damaged +
            ", refused=" + receiver.counters().refused() + ", slots skipped=" + receiver.counters().skippedSlots() +
            ", credits repaired=" + receiver.counters().repairedCredits() + ", errors reported=" + reported.get() +
            ", longest wait for messages=" + longestWaitNs / 1000 + " us, checksum=" + checksum);
    }

    private void send(final Endpoint[] senders, final int count, final long stream)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2048]);
        for (int i = 0; i < count; i++)
        {
            final Endpoint from = senders[i & 1];
            final int length = Fixtures.length(random, 2_000);
            Fixtures.fill(buffer, 0, length, stream | from.rank(), i >> 1);
            // being told of incarnations that seemed lost is in order
            await("a message from " + from.rank(), () -> from.offer(0, 1, buffer, 0, length) >= 0);
        }
        // the backlog is the ring's; what came by lanes is ready as soon as it was sent
        await("the rest", () -> receiver.backlogSlots() == 0 && !local(receiver).inbox().isReady());
    }

    private void checkRecovery(final Endpoint[] senders)
    {
        await("balance of the books", () -> Fixtures.isBalanced(receiver) && local(receiver).inbox().countedEpoch(1) == 1 &&
            local(receiver).inbox().countedEpoch(2) == 1);
        Fixtures.assertConserved(receiver);
        // a slot that was damaged when nobody looked may pass for the next lap's: it shows when the receiver comes by
        send(senders, 2_000, 0);
        await("balance of the books once all slots were used", () -> Fixtures.isBalanced(receiver));
        send(senders, 4_000, AFTERWARDS);
        assertEquals(2_000, afterwards[1], "seed=" + seed);
        assertEquals(2_000, afterwards[2], "seed=" + seed);
        await("balance of the books", () -> Fixtures.isBalanced(receiver));
        Fixtures.assertConserved(receiver);
        assertTrue(whole > 4_000);
    }
}
