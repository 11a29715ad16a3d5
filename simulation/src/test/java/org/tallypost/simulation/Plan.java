// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.Priority;

/** What a seed chooses: the shape of the group, its settings, and which faults there are. */
final class Plan
{
    static final long INTERVAL_NS = 100_000_000L;
    private static final int LONG_ONE_IN = 16;
    private static final int[] SLOTS = {4, 5, 8, 16, 40, 64};
    private static final int[] HIGH_SLOTS = {0, 2, 3, 4, 10};
    private static final int[] LENGTHS = {16, 40, 48, 120, 600, 2048};
    private static final Set<Fault> EVENTS = EnumSet.of(
        Fault.CRASH, Fault.PAUSE, Fault.CLOSE, Fault.CLOCK_JUMP, Fault.PARTITION, Fault.BACK_PRESSURE, Fault.IMAGE_LOST,
        Fault.DRIVER_LOST);
    private static final long[] TICKS_NS = {20_000, 200_000, 2_000_000};

    final SimulationKind kind;
    final int nodes;
    /** Process of each rank; processes are numbered through all nodes. */
    final int[] processOfRank;
    final int[] nodeOfProcess;
    final Flow flow;
    final CreditReturn creditReturn;
    final boolean piggyback;
    final int slotsPerSender;
    final int creditSlots;
    final int expressLanes;
    final int laneSlots;
    final StealPolicy stealPolicy;
    final boolean checksInvariants;
    final int maxLength;
    final int maxSendLength;
    final int sendingThreads;
    final boolean echoes;
    final int favourite;
    final int events;
    final long tickNs;
    final long delayNs;
    /** Accesses to shared memory between two faults inside of calls, on average. */
    final int fuse;
    final boolean interruptsReads;
    final boolean leavesDead;
    final int faultsOneIn;
    /** 0 without priorities. */
    final int highSlots;
    /** Whether there are streams of their own for them between nodes. */
    final boolean highStream;
    final Set<Fault> faults = EnumSet.noneOf(Fault.class);
    /** Those of the faults that come as events of their own, not with a call. */
    private final List<Fault> faultEvents = new ArrayList<>();

    Plan(final SplittableRandom random, final SimulationKind kind)
    {
        this.kind = kind;
        final int nodeCount = pick(random, 1, 1, 1, 2, 2, 3);
        nodes = kind == SimulationKind.BULK ? Math.max(2, nodeCount) : nodeCount;
        final int perNode = 1 + random.nextInt(nodes == 1 ? 3 : 2);
        nodeOfProcess = new int[nodes * perNode];
        final int ranks = Math.max(nodes * perNode, 2 + random.nextInt(kind == SimulationKind.BULK ? 2 : 5));
        processOfRank = new int[ranks];
        for (int process = 0; process < nodeOfProcess.length; process++)
        {
            nodeOfProcess[process] = process / perNode;
        }
        for (int rank = 0; rank < ranks; rank++)
        {
            processOfRank[rank] = rank < nodeOfProcess.length ? rank : random.nextInt(nodeOfProcess.length);
        }
        flow = nodes > 1 ? pickFlow(random) : random.nextInt(8) == 0 ? Flow.NONE : pickFlow(random);
        creditReturn = nodes == 1 && flow != Flow.NONE && random.nextInt(3) == 0 ? CreditReturn.PACKET : CreditReturn.DIRECT;
        piggyback = creditReturn == CreditReturn.PACKET && random.nextBoolean();
        slotsPerSender = pick(random, SLOTS);
        creditSlots = slotsPerSender == 4 ? 1 + random.nextInt(2) : pick(random, 1, 2, 2);
        expressLanes = random.nextInt(5);
        laneSlots = pick(random, 0, 0, 8, 16);
        stealPolicy = pick(random, 0, 0, 1) == 0 ? StealPolicy.IDLE_FIRST : StealPolicy.MONITORED;
        checksInvariants = random.nextBoolean();
        maxLength = Math.min(pick(random, LENGTHS), guaranteedLength());
        maxSendLength = pick(random, 0, 0, maxLength + 100, 6000);
        sendingThreads = kind != SimulationKind.MESSAGES ? 1 : pick(random, 1, 1, 2);
        echoes = random.nextInt(4) == 0;
        favourite = random.nextInt(3) == 0 ? -1 : random.nextInt(ranks * ranks);
        events = events(random);
        tickNs = TICKS_NS[random.nextInt(TICKS_NS.length)];
        delayNs = pick(random, 1, 50_000, 5_000_000);
        fuse = pick(random, 50, 200, 1000, 4000);
        interruptsReads = random.nextBoolean();
        leavesDead = random.nextInt(3) == 0;
        for (final Fault fault : Fault.values())
        {
            // credits in packets that an Error ended are not made up for
            final boolean fits = (fault.compareTo(Fault.LOSS) < 0 || nodes > 1) &&
                (fault != Fault.ERROR_INSIDE || creditReturn == CreditReturn.DIRECT);
            // a process that was taken for dead and goes on may write into regions; room for their files is another matter
            final boolean fitsBulk = kind != SimulationKind.BULK || fault != Fault.NAMESPACES && fault != Fault.NO_ROOM;
            if (random.nextInt(3) == 0 && fits && fitsBulk)
            {
                faults.add(fault);
            }
        }
        // a link has to stand for a while before there is something to be lost with it
        faultsOneIn = pick(random, 12, 40, 150) * (kind == SimulationKind.BULK ? 4 : 1);
        faultEvents.addAll(faults);
        faultEvents.retainAll(EVENTS);
        highSlots = pick(random, HIGH_SLOTS);
        highStream = random.nextInt(4) > 0;
    }

    /** Many short lives find more than few long ones; some are long all the same. */
    private int events(final SplittableRandom random)
    {
        return kind == SimulationKind.MESSAGES || random.nextInt(LONG_ONE_IN) == 0 ? 300 + random.nextInt(1200) :
            50 + random.nextInt(250);
    }

    /** Longest message that an offer takes sooner or later. */
    private int guaranteedLength()
    {
        final int slots = flow == Flow.NONE ? Endpoint.slots(Endpoint.MAX_RUN_LENGTH) : slotsPerSender - creditSlots;
        return Math.max(16, Math.min(Endpoint.MAX_RUN_LENGTH, slots * 64 - 16));
    }

    private static Flow pickFlow(final SplittableRandom random)
    {
        return random.nextInt(4) == 0 ? Flow.STATIC : Flow.DYNAMIC;
    }

    /** Of messages. */
    List<Priority> priorities()
    {
        return highSlots == 0 ? List.of(Priority.LOW) : List.of(Priority.values());
    }

    /** Longest message of high priority; too short for any if there are no priorities. */
    int maxHighLength()
    {
        return Math.min(maxLength, (highSlots - 1) * 64 - 16);
    }

    static int pick(final SplittableRandom random, final int... values)
    {
        return values[random.nextInt(values.length)];
    }

    int nodeOfRank(final int rank)
    {
        return nodeOfProcess[processOfRank[rank]];
    }

    int[] nodesOfRanks()
    {
        final int[] all = new int[processOfRank.length];
        Arrays.setAll(all, this::nodeOfRank);
        return all;
    }

    int ranks()
    {
        return processOfRank.length;
    }

    List<Fault> events()
    {
        return faultEvents;
    }

    boolean has(final Fault fault)
    {
        return faults.contains(fault);
    }

    @Override
    public String toString()
    {
        return "kind=" + kind + ", nodes=" + nodes + ", processes of ranks=" + Arrays.toString(processOfRank) + ", flow=" + flow +
            ", creditReturn=" + creditReturn + ", piggyback=" + piggyback +
            ", highSlots=" + highSlots + ", highStream=" + highStream + ", slotsPerSender=" + slotsPerSender + ", creditSlots=" +
            creditSlots + ", expressLanes=" + expressLanes + ", laneSlots=" + laneSlots + ", stealPolicy=" + stealPolicy +
            ", maxLength=" + maxLength + ", maxSendLength=" + maxSendLength + ", sendingThreads=" + sendingThreads +
            ", events=" + events + ", tickNs=" + tickNs + ", fuse=" + fuse + ", faults=" + faults;
    }
}
