// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.EndpointCounters;
import org.tallypost.endpoint.Priority;
import org.tallypost.node.Node;
import org.tallypost.node.SimulatedAccess;

/**
 * The end of a run: faults are over, processes come back or stay dead, all work in turn. Within a bounded number of rounds
 * everything has arrived or is told, every rank can send to every rank, and the books balance.
 */
class Settlement
{
    /** Rounds after which a last message is sent once more, if the one before has not come. */
    private static final int PATIENCE = 20;
    /** The last round is none in which all is sent once more: what is open then is what nothing brings to an end. */
    private static final int MAX_ROUNDS = 50 * PATIENCE + PATIENCE / 2;
    private static final long ROUND_NS = Plan.INTERVAL_NS / 8;

    final World world;
    private final boolean[] staysDead;
    private final Letter[][] probes;
    private final long[][] results;
    private int rounds;

    Settlement(final World world)
    {
        this.world = world;
        staysDead = new boolean[world.running().length];
        probes = new Letter[world.plan.ranks()][2 * world.plan.ranks()];
        results = new long[world.plan.ranks()][2 * world.plan.ranks()];
    }

    void settle()
    {
        world.calm();
        for (int i = 0; i < staysDead.length; i++)
        {
            final SimulatedProcess process = world.running()[i];
            staysDead[i] = world.plan.leavesDead && process != null && process.isDead() && world.random.nextBoolean();
        }
        String open = "nothing was done";
        while (open != null)
        {
            if (++rounds > MAX_ROUNDS)
            {
                throw new AssertionError("stuck after " + MAX_ROUNDS + " rounds: " + open);
            }
            round();
            open = open();
        }
        world.tally.add("rounds", rounds);
        checkCounters();
    }

    private void round()
    {
        for (int i = 0; i < staysDead.length; i++)
        {
            final SimulatedProcess process = world.running()[i];
            if (process == null || process.isDead())
            {
                if (!staysDead[i])
                {
                    world.start(i);
                }
            }
            else
            {
                world.run(process, () -> work(process));
            }
        }
        world.pass(ROUND_NS);
    }

    void work(final SimulatedProcess process)
    {
        world.work(process);
    }

    /** What is not settled yet; null if all is. */
    private String open()
    {
        for (int i = 0; i < staysDead.length; i++)
        {
            final SimulatedProcess process = world.running()[i];
            if (!staysDead[i] && !process.isWell())
            {
                return process + " is not back";
            }
        }
        return unsettled();
    }

    /** What is not settled yet although all that may be are back; null if all is. */
    String unsettled()
    {
        String problem = null;
        for (int from = 0; from < probes.length; from++)
        {
            final Party sender = world.books.open(from);
            for (int to = 0; sender != null && to < probes.length; to++)
            {
                for (final Priority priority : world.plan.priorities())
                {
                    final String found = probe(sender, to, priority);
                    problem = problem == null ? found : problem;
                }
            }
        }
        if (problem != null)
        {
            return problem;
        }
        final Letter missing = world.books.missing(world);
        return missing != null ? "lost and not told: " + missing : imbalance();
    }

    /** A last message from each to each: also says what is gone. */
    private String probe(final Party sender, final int to, final Priority priority)
    {
        final int at = at(to, priority);
        if (sender.isBusy())
        {
            return sender + " is still sending";
        }
        final Letter known = probes[sender.rank][at];
        final Party receiver = world.books.open(to);
        if (known == null || known.post.sender != sender || known.state != Letter.State.ACCEPTED || rounds % PATIENCE == 0)
        {
            world.run(sender.process, () -> offer(sender, to, priority));
        }
        final Letter letter = probes[sender.rank][at];
        if (receiver == null)
        {
            final long result = results[sender.rank][at];
            return result == Endpoint.PEER_GONE || result == Endpoint.NOT_CONNECTED ? null :
                "not told that rank " + to + " is gone: " + letter + ", " + Endpoint.errorString(result);
        }
        return letter != null && letter.receivedBy == receiver ? null : "on its way: " + letter + ", " +
            Endpoint.errorString(results[sender.rank][at]) + ", to " + receiver;
    }

    private int at(final int to, final Priority priority)
    {
        return priority.ordinal() * world.plan.ranks() + to;
    }

    private void offer(final Party sender, final int to, final Priority priority)
    {
        final int at = at(to, priority);
        results[sender.rank][at] = sender.offer(to, priority, 0, world.length(priority));
        final Post post = sender.post(to, priority);
        probes[sender.rank][at] = post.letters.get(post.letters.size() - 1);
    }

    /** A pair that has other credits than the ledger says; null if there is none. */
    final String imbalance()
    {
        for (int to = 0; to < probes.length; to++)
        {
            final Party receiver = world.books.open(to);
            for (int from = 0; receiver != null && from < probes.length; from++)
            {
                final Party sender = world.books.open(from);
                final boolean isLocal = world.plan.nodeOfRank(from) == world.plan.nodeOfRank(to);
                final Node node = isLocal || sender == null ? null : sender.process.node();
                for (final Priority priority : world.plan.priorities())
                {
                    final String found =
                        SimulatedAccess.imbalance(receiver.endpoint, priority, from, node, sender != null);
                    if (found != null)
                    {
                        return priority + ": " + found;
                    }
                }
            }
        }
        return null;
    }

    private void checkCounters()
    {
        for (final Party party : world.books.parties())
        {
            if (party.isOpen())
            {
                world.run(party.process, () -> checkCounters(party));
            }
        }
    }

    private void checkCounters(final Party party)
    {
        final EndpointCounters counters = party.endpoint.counters();
        world.tally.add("repaired", counters.repairedCredits());
        world.tally.add("refused", counters.refused());
        world.tally.add("skipped", counters.skippedSlots());
        world.tally.add("high", counters.highReceived());
        final long refused = counters.refused() + counters.highRefused();
        if (!world.plan.has(Fault.NAMESPACES) && counters.repairedCredits() + refused > 0)
        {
            throw new AssertionError(
                party + " had to repair " + counters.repairedCredits() + " credits, refused " + refused);
        }
    }
}
