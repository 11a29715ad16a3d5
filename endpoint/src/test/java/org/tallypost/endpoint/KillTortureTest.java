// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/**
 * Processes that send to one endpoint while others of them are killed, or stopped and continued, at random points of
 * sending, and come back. {@code -Dtallypost.kills=200} and {@code -Dtallypost.stops=200} make the tests longer.
 */
@Tag("once")
class KillTortureTest
{
    private static final int CHILDREN = 4;
    private static final int RANKS_PER_CHILD = 2;
    private static final int RANKS = 1 + CHILDREN * RANKS_PER_CHILD;
    private static final int SLOTS = 16;

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final ForkedJvm[] children = new ForkedJvm[CHILDREN];
    private final int[] epochs = new int[RANKS];
    /** Incarnation of each rank that runs now: every one is killed only after it has sent. */
    private final int[] startedEpochs = new int[RANKS];
    private final long[] next = new long[RANKS];
    private final long[] lastArrivalNs = new long[RANKS];
    private final long[] sinceStart = new long[CHILDREN];
    private Flow flow;
    private CreditReturn creditReturn;
    private Node node;
    private Endpoint receiver;
    private String failure;
    private long messages;
    private long longestStallNs;
    private long longestGapNs;
    private long lastMessageNs;
    private int holdersKilled;

    private void onMessage(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final int epoch = (int)(Fixtures.stream(buffer, offset) >>> 32);
        final int rank = (int)Fixtures.stream(buffer, offset);
        final long sequence = Fixtures.sequence(buffer, offset);
        final long nowNs = System.nanoTime();
        if (epoch > epochs[source])
        {
            epochs[source] = epoch;
            next[source] = 0;
        }
        else if (lastArrivalNs[source] != 0)
        {
            longestStallNs = Math.max(longestStallNs, nowNs - lastArrivalNs[source]);
        }
        if (rank != source || epoch != epochs[source] || sequence != next[source] || !Fixtures.isWhole(buffer, offset, length))
        {
            failure = "source=" + source + ", expected epoch=" + epochs[source] + ", sequence=" + next[source] +
                ", found source=" + rank + ", epoch=" + epoch + ", sequence=" + sequence + ", length=" + length;
        }
        next[source] = sequence + 1;
        longestGapNs = Math.max(longestGapNs, nowNs - lastMessageNs);
        lastMessageNs = nowNs;
        lastArrivalNs[source] = nowNs;
        if (epoch == startedEpochs[source])
        {
            // not what its predecessor had left in the mailbox
            sinceStart[(source - 1) / RANKS_PER_CHILD] |= 1L << ((source - 1) % RANKS_PER_CHILD);
        }
        messages++;
    }

    private int work()
    {
        final int count = receiver.poll(this::onMessage, 16);
        assertNull(failure, () -> failure + ", seed=" + seed);
        return count;
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ": seed=" + seed + ", messages=" +
            messages + ", " + Fixtures.books(receiver));
        while (!condition.getAsBoolean())
        {
            if (work() == 0)
            {
                watchdog.idle();
            }
        }
    }

    private void start(final int child)
    {
        final int first = 1 + child * RANKS_PER_CHILD;
        sinceStart[child] = 0;
        for (int rank = first; rank < first + RANKS_PER_CHILD; rank++)
        {
            lastArrivalNs[rank] = 0;
            startedEpochs[rank]++;
        }
        children[child] = RankProcess.start(directory, flow, creditReturn, RANKS, SLOTS, random.nextLong(), first, first + 1);
        children[child].writeLine("send");
    }

    private boolean hasSent(final int child)
    {
        return sinceStart[child] == (1L << RANKS_PER_CHILD) - 1;
    }

    /** Lanes in the hands of a child's ranks; of a dead one, until the next poll. */
    private int lanesHeld(final int child)
    {
        int count = 0;
        for (int rank = 1 + child * RANKS_PER_CHILD; rank < 1 + (child + 1) * RANKS_PER_CHILD; rank++)
        {
            final long word = local(receiver).mailbox().buffer().getLongVolatile(
                MailboxDescriptor.sourceLineOffset(rank) + LaneWord.OFFSET);
            count += LaneWord.state(word) == LaneWord.HELD || LaneWord.state(word) == LaneWord.RECALLED ? 1 : 0;
        }
        return count;
    }

    private boolean haveAllSent()
    {
        boolean haveAll = true;
        for (int child = 0; child < CHILDREN; child++)
        {
            haveAll &= hasSent(child);
        }
        return haveAll;
    }

    private void startAll(final Flow flowValue, final CreditReturn creditReturnValue)
    {
        flow = flowValue;
        creditReturn = creditReturnValue;
        node = Node.launch(Fixtures.context(directory, flow, creditReturn, RANKS, SLOTS).checkInvariants(true));
        receiver = node.open(0);
        lastMessageNs = System.nanoTime();
        for (int child = 0; child < CHILDREN; child++)
        {
            start(child);
        }
        await("first messages of all", this::haveAllSent);
        longestStallNs = 0;
        longestGapNs = 0;
    }

    /** All that was sent has arrived, and with all of them still there, all credits are back. */
    private void finish()
    {
        await("messages of all", this::haveAllSent);
        for (final ForkedJvm child : children)
        {
            child.writeLine("quit");
        }
        final long[] sent = new long[RANKS];
        for (final ForkedJvm child : children)
        {
            final String[] line = {""};
            await("end of the senders", () ->
            {
                final String read = child.pollLine();
                line[0] = read == null ? line[0] : read;
                if (read != null && read.startsWith("sent"))
                {
                    final String[] words = read.split(" ");
                    sent[Integer.parseInt(words[1])] = Long.parseLong(words[2]);
                }
                assertTrue(!line[0].startsWith("unexpected"), line[0] + ", seed=" + seed);
                return line[0].equals("done");
            });
        }
        await("rest of the messages", () -> receiver.backlogSlots() == 0);
        for (int rank = 1; rank < RANKS; rank++)
        {
            assertEquals(sent[rank], next[rank], "rank " + rank + ", seed=" + seed);
        }
        await("balance of the books", () -> Fixtures.isBalanced(receiver));
        Fixtures.assertConserved(receiver);
        assertEquals(0, receiver.counters().refused(), "refused");
        assertEquals(0, receiver.counters().repairedCredits(), "repaired");
        for (int rank = 1; rank < RANKS; rank++)
        {
            assertTrue(!local(receiver).inbox().ledger().isGone(rank));
        }
    }

    @AfterEach
    void closeAll()
    {
        for (final ForkedJvm child : children)
        {
            if (child != null)
            {
                child.close();
            }
        }
        if (node != null)
        {
            node.close();
        }
    }

    private void killMany(final int kills)
    {
        System.out.println("KillTortureTest kills: seed=" + seed + ", flow=" + flow + ", creditReturn=" + creditReturn);
        final boolean hasLanes = flow == Flow.DYNAMIC && creditReturn == CreditReturn.DIRECT;
        final Watchdog holders = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a victim that holds a lane: seed=" + seed);
        for (int i = 0; i < kills || hasLanes && holdersKilled == 0; i++)
        {
            holders.check();
            final int victim = random.nextInt(CHILDREN);
            await("messages of the next victim", () -> hasSent(victim));
            final long untilNs = System.nanoTime() + random.nextInt(3_000_000);
            while (System.nanoTime() - untilNs < 0)
            {
                work();
            }
            children[victim].kill();
            holdersKilled += lanesHeld(victim);
            start(victim);
        }
        finish();
        System.out.println("KillTortureTest kills=" + kills + ", flow=" + flow + ", creditReturn=" + creditReturn +
            ": messages=" + messages + ", lanes of victims=" + holdersKilled +
            ", slots skipped=" + receiver.counters().skippedSlots() +
            ", longest time between two messages of a survivor=" + longestStallNs / 1000 + " us");
    }

    @ParameterizedTest
    @CsvSource({"DYNAMIC,DIRECT,6", "STATIC,DIRECT,4", "DYNAMIC,PACKET,5"})
    void shouldLoseNothingOfTheOthersWhenSendersAreKilled(
        final Flow flowValue, final CreditReturn creditReturnValue, final int kills)
    {
        startAll(flowValue, creditReturnValue);
        killMany(Integer.getInteger("tallypost.kills", kills));
    }

    @Test
    void shouldLoseNothingWhenSendersAreStoppedAndContinued()
    {
        final int stops = Integer.getInteger("tallypost.stops", 10);
        startAll(Flow.DYNAMIC, CreditReturn.DIRECT);
        System.out.println("KillTortureTest stops: seed=" + seed);
        for (int i = 0; i < stops; i++)
        {
            final long until = messages + 1 + random.nextInt(400);
            await("messages between stops", () -> messages >= until);
            final ForkedJvm child = children[random.nextInt(CHILDREN)];
            child.stop();
            final long untilNs = System.nanoTime() + random.nextInt(150_000_000);
            while (System.nanoTime() - untilNs < 0)
            {
                work();
            }
            child.resume();
        }
        finish();
        assertEquals(0, receiver.counters().skippedSlots());
        System.out.println("KillTortureTest stops=" + stops + ": messages=" + messages + ", longest stall of all=" +
            longestGapNs / 1000 + " us, stops of up to 150 ms included");
    }
}
