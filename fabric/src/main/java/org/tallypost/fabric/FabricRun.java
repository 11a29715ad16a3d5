// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Objects;

import org.tallypost.schedule.Schedule;

/**
 * A run of a workload over a fabric. Set it up, and run it once or more: each run starts anew. For one thread.
 */
public final class FabricRun
{
    final Topology topology;
    final FabricParameters parameters;
    final Workload workload;
    FlowOptions flow = FlowOptions.none();
    Progress progress = Progress.SENDS_FIRST;
    FabricObserver observer = FabricObserver.NONE;
    long seed = 1;
    long jitterPs;
    boolean sharesMemory;
    boolean checksInvariants;
    boolean writesControlInNoTime;
    int nearSlots = Integer.MAX_VALUE;
    int farTimes = 1;

    /**
     * A run without flow control.
     *
     * @param topology   of the fabric: at least as many processes as the workload has.
     * @param parameters of the fabric.
     * @param workload   to run.
     */
    public FabricRun(final Topology topology, final FabricParameters parameters, final Workload workload)
    {
        this.topology = Objects.requireNonNull(topology, "topology");
        this.parameters = Objects.requireNonNull(parameters, "parameters");
        this.workload = Objects.requireNonNull(workload, "workload");
        if (workload.processes() < 1 || workload.processes() > topology.processes() || workload.rounds() < 1)
        {
            throw new IllegalArgumentException("workload does not fit: found processes=" + workload.processes() + ", rounds=" +
                workload.rounds() + ", expected 1 to " + topology.processes() + " and at least 1");
        }
    }

    /**
     * A run of a schedule without flow control.
     *
     * @param topology   of the fabric: at least as many processes as the schedule has.
     * @param parameters of the fabric.
     * @param schedule   to run.
     */
    public FabricRun(final Topology topology, final FabricParameters parameters, final Schedule schedule)
    {
        this(topology, parameters, Workload.of(schedule));
    }

    /**
     * Sets the flow control.
     *
     * @param options of it.
     * @return this.
     */
    public FabricRun flow(final FlowOptions options)
    {
        flow = Objects.requireNonNull(options, "options");
        return this;
    }

    /**
     * Sets when processes look at their mailboxes.
     *
     * @param when they do.
     * @return this.
     */
    public FabricRun progress(final Progress when)
    {
        progress = Objects.requireNonNull(when, "when");
        return this;
    }

    /**
     * Lets processes start at different times.
     *
     * @param newSeed     of the times.
     * @param newJitterPs each starts at a time from 0 to, and without, this; 0 for all at once.
     * @return this.
     */
    public FabricRun jitter(final long newSeed, final long newJitterPs)
    {
        seed = newSeed;
        jitterPs = newJitterPs;
        return this;
    }

    /**
     * Sets whether processes of a node send to each other through its memory, which needs neither card nor credits.
     *
     * @param shares whether they do; if not, their packets cross the node's card once.
     * @return this.
     */
    public FabricRun sharedMemory(final boolean shares)
    {
        sharesMemory = shares;
        return this;
    }

    /**
     * Sets what is told of events.
     *
     * @param newObserver told.
     * @return this.
     */
    public FabricRun observer(final FabricObserver newObserver)
    {
        observer = Objects.requireNonNull(newObserver, "newObserver");
        return this;
    }

    /**
     * Sets whether a process takes no time to send a control packet, which still goes through cards and is retrieved.
     *
     * @param isFree whether it does not.
     * @return this.
     */
    public FabricRun freeControl(final boolean isFree)
    {
        writesControlInNoTime = isFree;
        return this;
    }

    /**
     * Sets what a packet takes to retrieve while much waits in a mailbox, as where a cache does not hold all of it.
     *
     * @param slots that wait at most where nothing changes.
     * @param times as long as otherwise, with more of them; at least 1.
     * @return this.
     */
    public FabricRun farPackets(final int slots, final int times)
    {
        if (slots < 0 || times < 1)
        {
            throw new IllegalArgumentException("far packets out of range: found slots=" + slots + ", times=" + times +
                ", expected at least 0 and 1");
        }
        nearSlots = slots;
        farTimes = times;
        return this;
    }

    /**
     * Sets whether every ledger checks all its invariants after each call, which is slow.
     *
     * @param checks whether they do.
     * @return this.
     */
    public FabricRun checkInvariants(final boolean checks)
    {
        checksInvariants = checks;
        return this;
    }

    /**
     * Runs.
     *
     * @return what it came to.
     * @throws InterruptedException if the thread was interrupted.
     */
    public FabricResult run() throws InterruptedException
    {
        return new Engine(this).run();
    }
}
