// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Arrays;

/** What the parts of a run have in common. */
final class State implements Books.Carrier
{
    final FabricParameters parameters;
    final FlowOptions flow;
    final ProtocolCosts costs;
    final FabricObserver observer;
    final boolean sharesMemory;
    /** What a process takes to send a control packet. */
    private final long writePs;
    final int processes;
    final EventQueue queue;
    final Mailboxes mailboxes;
    /** Credits given in shared memory, which no process has to retrieve. */
    final Mailboxes grants;
    final Outbox outbox;
    final Books books;
    final Wire wire;
    final Scripts scripts;
    final Tally tally;
    /** Null if mailboxes have no end, or a protocol sees to it that they do not come to it. */
    final BackPressure pressure;
    /** When a process went to sleep; -1 if it is awake. */
    final long[] asleepSince;
    /** Slots for data that are filled or have a packet under way. */
    private final int[] filled;
    private final int nearSlots;
    private final int farTimes;

    /** Time of the event that is dealt with. */
    long now;
    /** Time to which the process that is dealt with has come. */
    long cursor;

    State(final FabricRun run)
    {
        parameters = run.parameters;
        flow = run.flow;
        observer = run.observer;
        sharesMemory = run.sharesMemory;
        writePs = run.writesControlInNoTime ? 0 : parameters.sendShortPs();
        processes = run.workload.processes();
        costs = flow.flow() == Flow.NONE ? ProtocolCosts.NONE :
            flow.flow() == Flow.STATIC ? parameters.fixed() : parameters.adaptive();
        queue = new EventQueue(processes + run.topology.nodes());
        mailboxes = new Mailboxes(processes);
        grants = new Mailboxes(processes);
        final Pairs pairs = new Pairs(processes);
        outbox = new Outbox(processes, pairs);
        books = new Books(processes, pairs, flow, this);
        wire = new Wire(run.topology, parameters);
        scripts = new Scripts(run.workload);
        tally = new Tally(run.workload.rounds());
        asleepSince = new long[processes];
        Arrays.fill(asleepSince, -1);
        filled = new int[processes];
        nearSlots = run.nearSlots;
        farTimes = run.farTimes;
        pressure = flow.flow() == Flow.NONE && flow.slots() > 0 ?
            new BackPressure(this, run.topology, processes, Math.multiplyExact(flow.slots(), Math.max(1, processes - 1))) : null;
    }

    /** Something arrives for a process. */
    void tell(final int process, final long arrivalPs)
    {
        if (asleepSince[process] >= 0 && !scripts.hasLeft(process) && (pressure == null || !pressure.isHeld(process)) &&
            (!queue.contains(process) || queue.time(process) > arrivalPs))
        {
            queue.put(process, Math.max(arrivalPs, asleepSince[process]));
        }
    }

    void fill(final int process, final int slots)
    {
        filled[process] += slots;
        tally.peakSlots = Math.max(tally.peakSlots, filled[process]);
    }

    void free(final int process, final int slots)
    {
        filled[process] -= slots;
    }

    /** What a process takes to retrieve a packet of data. */
    long retrievePs(final int process)
    {
        return filled[process] > nearSlots ? farTimes * parameters.retrievePs() : parameters.retrievePs();
    }

    /** Credits have come, in whichever way. */
    void gain(final int process, final int from, final int credits)
    {
        books.account(process).onCredits(from, credits);
        lookForCredits(process, from);
    }

    void lookForCredits(final int process, final int peer)
    {
        if (outbox.head(process, peer) >= 0 && books.atHand(process, peer) > 0)
        {
            outbox.listReady(process, peer);
        }
    }

    void spend(final long timePs)
    {
        cursor += timePs;
        tally.protocolPs += timePs;
    }

    @Override
    public void control(final int from, final int to, final int kind, final int value)
    {
        cursor += writePs;
        tally.controlPs += writePs;
        if (kind == Mailboxes.CREDIT)
        {
            spend(costs.returnPs());
            tally.creditPackets++;
        }
        else
        {
            // these cost a credit, and so a slot for data
            fill(to, 1);
            if (kind == Mailboxes.REQUEST)
            {
                tally.requests++;
            }
            else
            {
                tally.responses++;
            }
        }
        wire.sendShort(from, to, now, cursor);
        mailboxes.set(mailboxes.add(to, wire.firstArrival), kind, from, value);
        tell(to, wire.firstArrival);
    }

    @Override
    public void giveDirectly(final int from, final int to, final int credits)
    {
        spend(costs.returnPs());
        tally.creditPackets++;
        grants.set(grants.add(to, cursor), Mailboxes.CREDIT, from, credits);
        tell(to, cursor);
    }

    @Override
    public void steals()
    {
        spend(costs.stealPs());
        tally.steals++;
    }
}
