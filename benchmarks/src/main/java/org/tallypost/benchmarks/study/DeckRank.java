// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.harness.ThreadBooks;
import org.tallypost.deck.Deck;
import org.tallypost.deck.DeckContext;
import org.tallypost.deck.DeckCounters.Counter;
import org.tallypost.deck.MailBox;
import org.tallypost.deck.MailBoxReference;
import org.tallypost.deck.Message;
import org.tallypost.deck.SizeClass;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.SendRequest;
import org.tallypost.node.Node;

/**
 * One of two processes that take turns with three groups: matched messages, mail boxes with buffers for all sizes, and mail boxes
 * without buffers, so that all their messages need a handshake. Rank 0 measures, rank 1 answers. One thread each.
 */
public final class DeckRank
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int RANKS = 2;
    /** Room for several runs of 2 KiB on their way. */
    private static final int SLOTS = 1_024;
    private static final int SHORT_LENGTH = 8;
    /** Longs of one as long as a buffer of class 17 holds. */
    private static final int MOST_LONGS = 16_382;
    /** Buffers for empty messages alone, so that a short one has a handshake too, and no long copy hides what that costs. */
    private static final int LOWEST_LIMIT = SizeClass.MIN;
    /** Messages that are in a box when they are retrieved: as many as a class has buffers. */
    private static final int READY = 10;
    private static final int TRIPS_TO_LONG_ONES = 10;
    private static final int WAYS = 4;

    private final DeckSpec spec;
    private final long timeoutNs;
    private final int rank;
    private final Messenger messenger;
    private final Mailing standard;
    private final Mailing handshakes;
    private final ThreadBooks books = new ThreadBooks();
    private final long[] copied = new long[READY * MOST_LONGS];
    private final long[] copies = new long[READY * MOST_LONGS];
    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();
    private final UnsafeBuffer sent = new UnsafeBuffer(new byte[SHORT_LENGTH]);
    private final UnsafeBuffer received = new UnsafeBuffer(new byte[SHORT_LENGTH]);

    /** A deck with a box, and the box of the other rank. */
    private static final class Mailing
    {
        final Deck deck;
        final MailBox box;
        final MailBoxReference other;
        final Message out;
        final Message in;
        final Message[] taken = new Message[READY];
        final long[] values = new long[MOST_LONGS];
        /** Messages that were retrieved so far. */
        long retrieved;

        Mailing(final Endpoint endpoint, final DeckContext context, final long timeoutNs)
        {
            deck = Deck.launch(context.endpoint(endpoint).rankCount(RANKS).timeoutNs(timeoutNs));
            box = deck.createMailBox("rank-" + endpoint.rank());
            other = deck.cloneMailBox("rank-" + (1 - endpoint.rank()));
            out = deck.newMessage(MOST_LONGS * Long.BYTES + SHORT_LENGTH);
            in = deck.newMessage(0);
            for (int i = 0; i < READY; i++)
            {
                taken[i] = deck.newMessage(0);
            }
        }

        void post(final int longs)
        {
            out.clear();
            if (longs == 1)
            {
                out.pack(values[0]);
            }
            else
            {
                out.pack(values, 0, longs);
            }
            other.post(out);
        }

        void take(final long timeoutNs)
        {
            if (!box.retrieve(in, timeoutNs))
            {
                throw new IllegalStateException("no message in time: " + box);
            }
            if (in.unpackLong() != 0)
            {
                throw new IllegalStateException("another message: found=" + in + ", expected one long of 0");
            }
            in.clear();
            retrieved++;
        }
    }

    private DeckRank(
        final DeckSpec spec, final int rank, final Messenger messenger, final Mailing standard, final Mailing handshakes)
    {
        this.spec = spec;
        timeoutNs = TimeUnit.MILLISECONDS.toNanos(spec.timeoutMs());
        this.rank = rank;
        this.messenger = messenger;
        this.standard = standard;
        this.handshakes = handshakes;
    }

    /**
     * Takes the turns. Ends when the standard input does, because then the parent is gone.
     *
     * @param args directory, and the rank.
     * @throws IOException if the directory is not what it should be.
     */
    public static void main(final String[] args) throws IOException
    {
        ParentEnd.endWithParent();
        final File directory = new File(args[0]);
        final int rank = Integer.parseInt(args[1]);
        try
        {
            final DeckSpec spec = MAPPER.readValue(new File(directory, "spec"), DeckSpec.class);
            final DeckTurns turns = run(directory, rank, spec);
            MAPPER.writeValue(result(directory, rank), turns);
        }
        catch (final RuntimeException | Error ex)
        {
            System.err.println(ParentEnd.FAILED + TrialFork.describe(ex));
            System.err.flush();
            Runtime.getRuntime().halt(1);
        }
    }

    static void prepare(final File directory, final DeckSpec spec) throws IOException
    {
        MAPPER.writeValue(new File(directory, "spec"), spec);
    }

    static DeckTurns read(final File directory) throws IOException
    {
        final DeckTurns turns = MAPPER.readValue(result(directory, 0), DeckTurns.class);
        turns.join(MAPPER.readValue(result(directory, 1), DeckTurns.class).lostShare());
        return turns;
    }

    private static File result(final File directory, final int rank)
    {
        return new File(directory, "result-" + rank);
    }

    private static Node node(final File directory, final String name)
    {
        return Node.launch(new NodeContext().directory(new File(directory, name)).groupName(name).rankCount(RANKS)
            .slotsPerSender(SLOTS));
    }

    private static DeckTurns run(final File directory, final int rank, final DeckSpec spec)
    {
        final long timeoutNs = TimeUnit.MILLISECONDS.toNanos(spec.timeoutMs());
        try (Node first = node(directory, "matched");
            Node second = node(directory, "standard");
            Node third = node(directory, "handshakes");
            Endpoint matched = first.open(rank);
            Endpoint ofStandard = second.open(rank);
            Endpoint ofHandshakes = third.open(rank);
            Messenger messenger = Messenger.launch(new MessengerContext().endpoint(matched).rankCount(RANKS)))
        {
            final Mailing standard = new Mailing(ofStandard, new DeckContext(), timeoutNs);
            final Mailing handshakes = new Mailing(ofHandshakes, new DeckContext().limit(LOWEST_LIMIT), timeoutNs);
            final DeckRank self = new DeckRank(spec, rank, messenger, standard, handshakes);
            final DeckTurns turns = new DeckTurns(spec.turns());
            for (int turn = -spec.warmups(); turn < spec.turns(); turn++)
            {
                self.turn(turn, turns);
            }
            // the other one may still need this one
            self.matched(1);
            standard.deck.close();
            handshakes.deck.close();
            return turns;
        }
    }

    /** The ways in an order that turns, so that none is always behind the same one. */
    private void turn(final int turn, final DeckTurns turns)
    {
        books.start();
        final long beginNs = System.nanoTime();
        final int longTrips = Math.max(1, spec.trips() / TRIPS_TO_LONG_ONES);
        final double[] figures = new double[WAYS + 2];
        for (int i = 0; i < WAYS; i++)
        {
            final int way = Math.floorMod(turn + i, WAYS);
            switch (way)
            {
                case 0:
                    figures[0] = matched(spec.trips());
                    break;
                case 1:
                    figures[1] = trips(standard, spec.trips());
                    break;
                case 2:
                    figures[2] = trips(handshakes, spec.trips());
                    break;
                default:
                    figures[3] = retrieves(1, longTrips, false);
                    figures[4] = retrieves(1, longTrips, true);
                    figures[5] = retrieves(MOST_LONGS, longTrips, false);
                    break;
            }
        }
        if (turn >= 0)
        {
            turns.matched()[turn] = figures[0];
            turns.deck()[turn] = figures[1];
            turns.large()[turn] = figures[2];
            turns.retrievedShort()[turn] = figures[3];
            turns.retrievedBehindCopies()[turn] = figures[4];
            turns.retrievedLong()[turn] = figures[5];
            turns.lostShare()[turn] = books.lostShare(System.nanoTime() - beginNs);
        }
    }

    private void sendMatched()
    {
        messenger.send(send, messenger.world(), 1 - rank, 1, sent, 0, SHORT_LENGTH);
        if (!messenger.await(send, timeoutNs))
        {
            throw new IllegalStateException("a matched message has not gone in time: " + send);
        }
    }

    private void receiveMatched()
    {
        messenger.receive(receive, messenger.world(), 1 - rank, 1, received, 0, SHORT_LENGTH);
        if (!messenger.await(receive, timeoutNs))
        {
            throw new IllegalStateException("no matched message in time: " + receive);
        }
    }

    private double matched(final int trips)
    {
        final long beginNs = System.nanoTime();
        for (int i = 0; i < trips; i++)
        {
            if (rank == 0)
            {
                sendMatched();
                receiveMatched();
            }
            else
            {
                receiveMatched();
                sendMatched();
            }
        }
        return (double)(System.nanoTime() - beginNs) / trips;
    }

    private double trips(final Mailing mailing, final int trips)
    {
        final long beginNs = System.nanoTime();
        for (int i = 0; i < trips; i++)
        {
            if (rank == 0)
            {
                mailing.post(1);
                mailing.take(timeoutNs);
            }
            else
            {
                mailing.take(timeoutNs);
                mailing.post(1);
            }
            // of a message with a handshake: it has gone when its answer is here, at the other rank it has still to go
            if (!mailing.out.awaitPosted(timeoutNs))
            {
                throw new IllegalStateException("a message was not posted in time: " + mailing.out);
            }
        }
        return (double)(System.nanoTime() - beginNs) / trips;
    }

    /**
     * Retrieves messages that are all in the box already, and clears them. Behind copies: of as many bytes as long messages have,
     * so that short ones find the same in the caches as long ones, which were copied into their buffers before.
     */
    private double retrieves(final int longs, final int rounds, final boolean isBehindCopies)
    {
        long usedNs = 0;
        for (int round = 0; round < rounds; round++)
        {
            if (rank == 1)
            {
                for (int i = 0; i < READY; i++)
                {
                    standard.post(longs);
                }
                standard.take(timeoutNs);
                continue;
            }
            // some may have come already
            final long all = standard.retrieved + READY;
            final long deadlineNs = System.nanoTime() + timeoutNs;
            while (standard.deck.counters().get(Counter.ARRIVED) < all)
            {
                if (standard.deck.doWork() == 0)
                {
                    Thread.yield();
                }
                if (System.nanoTime() - deadlineNs > 0)
                {
                    throw new IllegalStateException("messages are missing in a box: " + standard.box);
                }
            }
            if (isBehindCopies)
            {
                System.arraycopy(copied, 0, copies, 0, copied.length);
            }
            final long beginNs = System.nanoTime();
            for (final Message each : standard.taken)
            {
                if (!standard.box.retrieve(each, 0))
                {
                    throw new IllegalStateException("fewer messages than have arrived: " + standard.box);
                }
            }
            for (final Message each : standard.taken)
            {
                each.clear();
            }
            usedNs += System.nanoTime() - beginNs;
            standard.retrieved += READY;
            standard.post(1);
        }
        return (double)usedNs / rounds / READY;
    }
}
