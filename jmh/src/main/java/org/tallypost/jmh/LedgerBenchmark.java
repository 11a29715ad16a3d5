// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.tallypost.creditprotocol.DynamicLedger;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.StaticLedger;

/**
 * The receiver's books alone: no mailbox, no credit words, and decisions are only counted. Monitoring points and steals are
 * rare, so the ledger is led to the brink of one in each measured call, and after each batch it is checked that it was one.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LedgerBenchmark
{
    private static final int BATCH = 512;

    /** Senders take turns, a slot each. */
    @State(Scope.Thread)
    public static class Turns
    {
        /** Number of senders. */
        @Param({"1", "1024"})
        public int senders;

        /** S: the quota of each sender is S - k, and k is 2. */
        @Param("64")
        public int slotsPerSender;

        private Ledger staticLedger;
        private Ledger dynamicLedger;
        private int next;

        /** Makes the ledgers. */
        @Setup
        public void setUp()
        {
            final int creditSlots = LedgerBrink.CREDIT_SLOTS;
            staticLedger = new StaticLedger(senders, creditSlots, slotsPerSender, new LedgerBrink.Counted());
            dynamicLedger = new DynamicLedger(senders, creditSlots, slotsPerSender, new LedgerBrink.Counted());
        }

        private int next()
        {
            final int sender = next;
            next = sender + 1 == senders ? 0 : sender + 1;
            return sender;
        }
    }

    /** Senders that are all equally busy, so that none has anything that another one could be given. */
    @State(Scope.Thread)
    public static class Equals extends LedgerBrink
    {
        private long crossings;

        /** As many senders as calls. */
        public Equals()
        {
            super(BATCH);
        }

        /** Before each batch. */
        @Setup(Level.Invocation)
        public void setUp()
        {
            approach(0, BATCH);
            crossings = ledger.creditPackets();
        }

        /** Checks the batch. */
        @TearDown(Level.Invocation)
        public void tearDown()
        {
            checkMonitored(0, BATCH);
            check(ledger.creditPackets() == crossings, "no crossing", ledger.creditPackets() - crossings);
            check(ledger.creditsStolen() == 0, "no steal", ledger.creditsStolen());
        }
    }

    /** Two halves: one is busy and steals from the other, which rests; with each batch they change places. */
    @State(Scope.Thread)
    public static class Halves extends LedgerBrink
    {
        /** One more than are measured: the lists shift when the first one steals, which is not measured. */
        private static final int HALF = BATCH + 1;
        private static final int MAX_ROUNDS = 4;

        private final int[] list = new int[2 * HALF];
        private int busy;
        private long crossings;
        private long stolen;

        /** Two halves. */
        public Halves()
        {
            super(2 * HALF);
        }

        /** Before each batch: the busy half is HIGH and at the brink, and there are LOW senders enough. */
        @Setup(Level.Invocation)
        public void setUp()
        {
            busy = HALF - busy;
            climb();
            for (int round = 0; ledger.copyList(DynamicLedger.LOW, list) < BATCH; round++)
            {
                check(round < MAX_ROUNDS, "victims", ledger.copyList(DynamicLedger.LOW, list));
                // finds LOW empty, and the lists shift
                monitor(busy);
                climb();
            }
            approach(busy, busy + BATCH);
            crossings = ledger.creditPackets();
            stolen = ledger.creditsStolen();
        }

        private void climb()
        {
            for (int sender = busy; sender < busy + HALF; sender++)
            {
                while (ledger.list(sender) != DynamicLedger.HIGH)
                {
                    monitor(sender);
                }
            }
        }

        private void monitor(final int sender)
        {
            approach(sender, sender + 1);
            step(sender, sender + 1);
        }

        /** Checks the batch. */
        @TearDown(Level.Invocation)
        public void tearDown()
        {
            checkMonitored(busy, busy + BATCH);
            check(ledger.creditPackets() == crossings, "no crossing", ledger.creditPackets() - crossings);
            // a steal moves at least k + 1 slots unless that would leave less than k, which these senders are far from
            final long least = (LedgerBrink.CREDIT_SLOTS + 1L) * BATCH;
            check(ledger.creditsStolen() - stolen >= least, "a steal in each call", ledger.creditsStolen() - stolen);
        }
    }

    /**
     * A packet of one slot, with the crossings that come of it.
     *
     * @param turns of the senders.
     * @return true.
     */
    @Benchmark
    public boolean updateStatic(final Turns turns)
    {
        return turns.staticLedger.onRetrieved(turns.next(), 1);
    }

    /**
     * A packet of one slot, with the crossings and monitoring points that come of it.
     *
     * @param turns of the senders.
     * @return true.
     */
    @Benchmark
    public boolean updateDynamic(final Turns turns)
    {
        return turns.dynamicLedger.onRetrieved(turns.next(), 1);
    }

    /**
     * A packet that brings its sender to a monitoring point, each of another sender. No crossing, no steal.
     *
     * @param senders that are equal.
     * @return number of packets.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int monitoringPoint(final Equals senders)
    {
        return senders.step(0, BATCH);
    }

    /**
     * A packet that brings its sender to a monitoring point at which it steals, each from another victim. No crossing.
     *
     * @param senders of which half can steal.
     * @return number of packets.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int steal(final Halves senders)
    {
        return senders.step(senders.busy, senders.busy + BATCH);
    }
}
