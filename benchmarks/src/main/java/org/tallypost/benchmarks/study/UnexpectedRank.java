// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.Request;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.SendMode;
import org.tallypost.messaging.SendRequest;
import org.tallypost.node.Node;
import org.tallypost.node.SharedFile;

/**
 * A process with one rank: rank 0 receives nothing until no sender can leave any more, then everything; the others send. A
 * sender counts in a shared file how far it is, and its rounds. None can leave any more if for {@value #STILL} rounds of
 * each sender, and as many polls of the receiver, nothing has come.
 *
 * <pre>
 *   sender                                receiver
 *   GREETING, many times        --&gt;       answers each with ANSWER; measures its memory
 *                               &lt;--       BEGIN
 *   MESSAGE, until it must wait --&gt;       receives none; measures its memory
 *                               &lt;--       FULL, synchronous: the sender notes how far it has come
 *   the rest                    --&gt;       receives all
 *                               &lt;--       END
 * </pre>
 */
public final class UnexpectedRank
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final long PATIENCE_NS = 180_000_000_000L;
    /** Code that is compiled, and threads that are started, should be there before memory is measured. */
    private static final int GREETINGS = 2_000;
    private static final int STILL = 1_000;
    private static final String PROGRESS = "progress";
    /** Of a sender in the shared file. */
    private static final int PROGRESS_LENGTH = 256;
    private static final int ROUNDS_OFFSET = 128;
    private static final int RECEIVES = 64;
    private static final int ROOM_ALIGNMENT = 64;
    private static final int GREETING = 1;
    private static final int ANSWER = 2;
    private static final int BEGIN = 3;
    private static final int MESSAGE = 4;
    private static final int FULL = 5;
    private static final int END = 6;
    private static final int SIGN_LENGTH = 8;

    private final UnexpectedSpec spec;
    private final int rank;
    private final Messenger messenger;
    private final Communicator world;
    private final DeadlineIdleStrategy idle;
    private final UnsafeBuffer sign = new UnsafeBuffer(new byte[SIGN_LENGTH]);
    private final ReceiveRequest heard = new ReceiveRequest();
    private final SendRequest said = new SendRequest();
    /** Of a ring of messages, one for each request. */
    private final UnsafeBuffer rooms;
    /** How far each sender is, and how many rounds it has done. */
    private final UnsafeBuffer progress;
    private long sent;
    /** The request that is looked at first. */
    private int free;
    private long rounds;

    private UnexpectedRank(
        final UnexpectedSpec spec, final int rank, final Endpoint endpoint, final Messenger messenger, final SharedFile progress)
    {
        this.spec = spec;
        this.rank = rank;
        this.messenger = messenger;
        this.progress = progress.buffer();
        world = messenger.world();
        idle = endpoint.newIdleStrategy();
        rooms = new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(Math.max(RECEIVES, spec.sends()) * spec.stride(), ROOM_ALIGNMENT));
    }

    /**
     * Entry point. Ends when the standard input does, because then the parent is gone.
     *
     * @param args directory of the run, and the rank.
     * @throws IOException if the directory is not what it should be.
     */
    public static void main(final String[] args) throws IOException
    {
        ParentEnd.endWithParent();
        final File directory = new File(args[0]);
        final int rank = Integer.parseInt(args[1]);
        try
        {
            final UnexpectedSpec spec = MAPPER.readValue(new File(directory, "spec.json"), UnexpectedSpec.class);
            final NodeContext context = new NodeContext().directory(spec.node()).groupName("unexpected")
                .rankCount(spec.senders() + 1).deleteOnClose(true);
            try (Node node = Node.launch(context); Endpoint endpoint = node.open(rank);
                Messenger messenger = Messenger.launch(new MessengerContext().endpoint(endpoint).rankCount(spec.senders() + 1)
                .eagerWindow(spec.window()).announcements(spec.announcements()).maxRequests(2 * RECEIVES + spec.sends())))
            {
                final SharedFile progress = shared(node, spec, rank);
                final UnexpectedRank unexpected = new UnexpectedRank(spec, rank, endpoint, messenger, progress);
                MAPPER.writeValue(new File(directory, "result-" + rank + ".json"),
                    rank == 0 ? unexpected.receive() : unexpected.send());
            }
        }
        catch (final RuntimeException | Error ex)
        {
            System.err.println(ParentEnd.FAILED + TrialFork.describe(ex));
            System.err.flush();
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    /** Rank 0 makes the file, and the others wait for it. */
    private static SharedFile shared(final Node node, final UnexpectedSpec spec, final int rank)
    {
        if (rank == 0)
        {
            return node.createShared(PROGRESS, (spec.senders() + 1L) * PROGRESS_LENGTH);
        }
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        SharedFile found = node.tryAttachShared(PROGRESS);
        while (found == null)
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException("rank " + rank + " waited in vain for the file of rank 0: " + PROGRESS);
            }
            Thread.yield();
            found = node.tryAttachShared(PROGRESS);
        }
        return found;
    }

    static void prepare(final File directory, final UnexpectedSpec spec) throws IOException
    {
        MAPPER.writeValue(new File(directory, "spec.json"), spec);
    }

    static UnexpectedResult read(final File directory, final int rank) throws IOException
    {
        return MAPPER.readValue(new File(directory, "result-" + rank + ".json"), UnexpectedResult.class);
    }

    /** Works until a condition holds; gives up if nothing happens for long. */
    private void work(final BooleanSupplier isDone, final Supplier<String> awaited)
    {
        long sinceNs = System.nanoTime();
        while (!isDone.getAsBoolean())
        {
            final int work = messenger.doWork();
            tell();
            if (work > 0)
            {
                sinceNs = System.nanoTime();
            }
            else if (System.nanoTime() - sinceNs > PATIENCE_NS)
            {
                throw new IllegalStateException("rank " + rank + " waited in vain for " + awaited.get());
            }
            idle.idle(work);
        }
    }

    /** The receiver's own place means nothing. */
    private void tell()
    {
        progress.putLongRelease(rank * PROGRESS_LENGTH, sent);
        // SYNC POINT unexpected-rounds: how far it is comes first
        progress.putLongRelease(rank * PROGRESS_LENGTH + ROUNDS_OFFSET, ++rounds);
    }

    private void await(final Request request, final String awaited)
    {
        work(request::isDone, () -> awaited);
        require(request, awaited);
    }

    private void require(final Request request, final String what)
    {
        if (request.result() != RequestResult.SUCCESS)
        {
            throw new IllegalStateException("rank " + rank + ", " + what + ": found " + request.result() + ", expected " +
                RequestResult.SUCCESS);
        }
    }

    private void hear(final int source, final int tag, final String awaited)
    {
        messenger.receive(heard, world, source, tag, sign, 0, SIGN_LENGTH);
        await(heard, awaited);
    }

    private void say(final int dest, final int tag)
    {
        messenger.send(said, world, dest, tag, sign, 0, SIGN_LENGTH);
        await(said, "the end of a send");
    }

    private void sayAll(final int tag)
    {
        for (int sender = 1; sender <= spec.senders(); sender++)
        {
            say(sender, tag);
        }
    }

    private UnexpectedResult receive() throws IOException
    {
        for (int i = 0; i < GREETINGS * spec.senders(); i++)
        {
            hear(Communicator.ANY_SOURCE, GREETING, "greetings");
            say(heard.source(), ANSWER);
        }
        final ProcessMemory before = ProcessMemory.now();
        sayAll(BEGIN);
        awaitStillness();
        final ProcessMemory then = ProcessMemory.now();
        final long counted = messenger.counters().unexpected();
        final long bytes = messenger.counters().unexpectedBytes();
        for (int sender = 1; sender <= spec.senders(); sender++)
        {
            messenger.sendSynchronous(said, world, sender, FULL, sign, 0, SIGN_LENGTH);
            await(said, "a sender that notes how far it has come");
        }
        final long startNs = System.nanoTime();
        final long wrong = receiveAll();
        final long nanos = System.nanoTime() - startNs;
        sayAll(END);
        return new UnexpectedResult(
            before, then, ProcessMemory.now(), counted, bytes, messenger.counters().allocatedBytes(), wrong, nanos);
    }

    private void awaitStillness()
    {
        final long[] seen = new long[spec.senders() + 1];
        long before = -1;
        long polls = 0;
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (true)
        {
            final int work = messenger.doWork();
            long now = messenger.counters().unexpected();
            boolean isStill = work == 0 && ++polls >= STILL;
            for (int sender = 1; sender <= spec.senders(); sender++)
            {
                // SYNC POINT unexpected-rounds
                isStill &= progress.getLongAcquire(sender * PROGRESS_LENGTH + ROUNDS_OFFSET) - seen[sender] >= STILL;
                now += progress.getLongAcquire(sender * PROGRESS_LENGTH);
            }
            if (now != before || work > 0)
            {
                before = now;
                polls = 0;
                deadlineNs = System.nanoTime() + PATIENCE_NS;
                for (int sender = 1; sender <= spec.senders(); sender++)
                {
                    seen[sender] = progress.getLongAcquire(sender * PROGRESS_LENGTH + ROUNDS_OFFSET);
                }
            }
            else if (isStill)
            {
                return;
            }
            else if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException("rank 0 waited in vain for senders that do their rounds");
            }
            idle.idle(work);
        }
    }

    /** From any source: of each source they have to come in order. Returns how many did not. */
    private long receiveAll()
    {
        final ReceiveRequest[] requests = IntStream.range(0, RECEIVES)
            .mapToObj((i) -> new ReceiveRequest().prepare(
            world, Communicator.ANY_SOURCE, MESSAGE, rooms, i * spec.stride(), spec.length())).toArray(ReceiveRequest[]::new);
        final long[] next = new long[spec.senders() + 1];
        long started = 0;
        long wrong = 0;
        for (long received = 0; received < spec.messages(); received++)
        {
            while (started < spec.messages() && started < received + RECEIVES)
            {
                messenger.start(requests[(int)(started++ % RECEIVES)]);
            }
            final int at = (int)(received % RECEIVES);
            await(requests[at], "messages");
            wrong += requests[at].length() == spec.length() &&
                isRight(at * spec.stride(), requests[at].source(), next[requests[at].source()]++) ? 0 : 1;
        }
        for (int sender = 1; sender <= spec.senders(); sender++)
        {
            wrong += Math.abs(spec.messagesOf(sender) - next[sender]);
        }
        return wrong;
    }

    /** The first word tells sender and number, and the last byte as well. */
    private boolean isRight(final int offset, final int source, final long number)
    {
        return rooms.getLong(offset) == word(source, number) &&
            (spec.length() == SIGN_LENGTH || rooms.getByte(offset + spec.length() - 1) == (byte)number);
    }

    private static long word(final int source, final long number)
    {
        return (long)source << 48 | number;
    }

    private UnexpectedResult send() throws IOException
    {
        for (int i = 0; i < GREETINGS; i++)
        {
            say(0, GREETING);
            hear(0, ANSWER, "the answer to a greeting");
        }
        hear(0, BEGIN, "the beginning");
        final ProcessMemory before = ProcessMemory.now();
        final SendRequest[] requests = IntStream.range(0, spec.sends()).mapToObj((i) -> new SendRequest().prepare(
            SendMode.STANDARD, world, 0, MESSAGE, rooms, i * spec.stride(), spec.length())).toArray(SendRequest[]::new);
        messenger.receive(heard, world, 0, FULL, sign, 0, SIGN_LENGTH);
        while (!heard.isDone())
        {
            start(requests);
            work(() -> heard.isDone() || isNextFree(requests), () -> "the receiver, with " + sent + " sends");
        }
        require(heard, "to be told that the receiver is full");
        final long waiting = active(requests);
        final long done = sent - waiting;
        final ProcessMemory full = ProcessMemory.now();
        while (sent < spec.messagesOf(rank) || active(requests) > 0)
        {
            start(requests);
            work(() -> isNextFree(requests) || sent == spec.messagesOf(rank) && active(requests) == 0,
                () -> "the receiver, with " + sent + " sends");
        }
        for (final SendRequest request : requests)
        {
            if (request.isDone())
            {
                require(request, "a message");
            }
        }
        hear(0, END, "the end");
        return new UnexpectedResult(before, full, ProcessMemory.now(), done, waiting, 0, 0, 0);
    }

    private static long active(final SendRequest[] requests)
    {
        return Arrays.stream(requests).filter(Request::isActive).count();
    }

    /** Finds a request that can be used: those that were announced are active until there is a receive. */
    private boolean isNextFree(final SendRequest[] requests)
    {
        for (int looks = 0; looks < requests.length && sent < spec.messagesOf(rank); looks++)
        {
            if (!requests[free].isActive())
            {
                return true;
            }
            free = free + 1 == requests.length ? 0 : free + 1;
        }
        return false;
    }

    /** Starts what can be started. */
    private void start(final SendRequest[] requests)
    {
        while (isNextFree(requests))
        {
            if (requests[free].isDone())
            {
                require(requests[free], "a message");
            }
            rooms.putByte(free * spec.stride() + spec.length() - 1, (byte)sent);
            rooms.putLong(free * spec.stride(), word(rank, sent));
            messenger.start(requests[free]);
            sent++;
        }
    }
}
