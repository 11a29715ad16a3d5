// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;

import org.tallypost.endpoint.Flow;

/**
 * What is compared.
 *
 * @param scope       threads, processes or network.
 * @param modes       that are measured.
 * @param lengths     of messages in bytes.
 * @param producers   numbers of producers, for rate.
 * @param ranks       of an alltoall.
 * @param transports  in the order of reports.
 * @param slots       of 64 bytes in the receiving buffer.
 * @param rounds      of each transport.
 * @param extraRounds at most, for transports of which too few rounds were kept.
 * @param durationMs  of a run in milliseconds.
 * @param warmups     runs before at least, in each fork.
 * @param attempts    runs at most in each fork.
 * @param probeMs     of a probe in milliseconds.
 * @param states  of the machine's states.
 * @param flow        of the endpoint.
 * @param aeronDriver where it runs.
 * @param exclusive   whether Aeron's only producer has its publication for itself.
 * @param corrupt     transport of which a message is damaged, or null.
 * @param timeoutMs   of a fork in milliseconds.
 * @param batch       messages that our endpoint offers at once; the others send one by one.
 * @param mtuLength   longest datagram between nodes in bytes.
 */
record Settings(
    Scope scope,
    List<Mode> modes,
    List<Integer> lengths,
    List<Integer> producers,
    int ranks,
    List<TransportKind> transports,
    int slots,
    int rounds,
    int extraRounds,
    int durationMs,
    int warmups,
    int attempts,
    int probeMs,
    MachineStates states,
    Flow flow,
    AeronDriver aeronDriver,
    boolean exclusive,
    TransportKind corrupt,
    int timeoutMs,
    int batch,
    int mtuLength)
{
    /** A round trip has one party at each end, whatever the number of producers. */
    List<Group> groups()
    {
        final List<Group> groups = new ArrayList<>();
        for (final Mode mode : modes)
        {
            for (final int count : switch (mode)
            {
                case RTT -> List.of(1);
                case RATE -> producers;
                case ALLTOALL -> List.of(ranks);
            })
            {
                for (final int length : lengths)
                {
                    groups.add(new Group(mode, length, count));
                }
            }
        }
        return groups;
    }

    List<TransportKind> transports(final Group group)
    {
        return transports.stream().filter((kind) -> kind.whyNot(group.mode(), scope, group.producers()) == null).toList();
    }

    ForkSpec spec(final Group group, final TransportKind kind)
    {
        return new ForkSpec(kind, group.mode(), scope, group.length(), group.producers(), slots, durationMs, warmups, attempts,
            probeMs, states, flow, aeronDriver, exclusive, kind == corrupt, timeoutMs, batch, mtuLength);
    }

    /** Between nodes: which threads there are, the same for ours and for Aeron. */
    String threading(final int cores)
    {
        final boolean isInvoked = spec(groups().get(0), TransportKind.TALLYPOST_ENDPOINT).isDriverInvoked(cores);
        return "network: two nodes on loopback, a JVM each; in each of them, ours and Aeron's alike, " + (isInvoked ?
            "one thread is application, agent and media driver by turns: 2 threads, " :
            "the application's thread, and one that is agent and media driver and backs off: 4 threads, ") + cores +
            " cores; MTU " + mtuLength + "; raw: UDP datagrams, one message in each for rtt, packed full for rate";
    }

    int forks()
    {
        return groups().stream().mapToInt((group) -> transports(group).size() * rounds).sum();
    }
}
