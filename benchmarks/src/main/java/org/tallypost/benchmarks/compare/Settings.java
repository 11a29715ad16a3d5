// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;

import org.agrona.BitUtil;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;

/**
 * What is compared, and how.
 *
 * @param scope       threads, processes or network.
 * @param modes       that are measured.
 * @param lengths     of messages in bytes.
 * @param producers   numbers of them, for rate.
 * @param ranks       of an alltoall.
 * @param offered     rates of load and start, as numbers a second, for load also as shares of what each can do.
 * @param burst       messages of a burst.
 * @param contestants that take part where they can.
 * @param subject     number of the contestant that is held against the others.
 * @param slots       of 64 bytes in the receiving buffer.
 * @param teams       of each contestant.
 * @param seconds     for each group, starting and warming up included.
 * @param turnMs      of a turn in milliseconds.
 * @param isMixed     whether the warm-up is as in a real program, with several handlers and kinds of memory.
 * @param seed        of the order of turns and of the intervals.
 * @param busy        threads that do nothing but take processor time.
 * @param flow        of the endpoint.
 * @param aeronDriver where it runs.
 * @param exclusive   for Aeron's only producer.
 * @param corrupt     transport that has its messages damaged, or null.
 * @param timeoutMs   after which a contestant is given up.
 * @param batch       messages that a producer of our endpoint offers at once.
 * @param mtuLength   longest datagram between nodes.
 */
record Settings(
    Scope scope,
    List<Mode> modes,
    List<Integer> lengths,
    List<Integer> producers,
    int ranks,
    List<String> offered,
    int burst,
    List<Contestant> contestants,
    int subject,
    int slots,
    int teams,
    int seconds,
    int turnMs,
    boolean isMixed,
    long seed,
    int busy,
    Flow flow,
    AeronDriver aeronDriver,
    boolean exclusive,
    TransportKind corrupt,
    int timeoutMs,
    int batch,
    int mtuLength)
{
    /** Agrona's rings take messages of up to an eighth of their length. */
    private static final int LONGEST_SHARE = 8;
    private static final int SLOT_LENGTH = 64;
    /** Each has several JVMs. */
    private static final int MOST_SUBJECT_TEAMS = 12;

    /**
     * Teams of a contestant. Every other turn is the subject's. It has as many teams as all others together, up to a limit, so
     * that each team rests as long between two turns: processes that rested less find warmer caches and cores. A contestant that
     * takes part in no group starts no process and takes no turn: it does not count.
     */
    int teams(final int contestant)
    {
        return contestant != subject || modes.contains(Mode.START) ? teams :
            Math.max(teams, Math.min(MOST_SUBJECT_TEAMS, teams * (takers() - 1)));
    }

    /** Contestants that take part in at least one group. */
    int takers()
    {
        return (int)groups().stream().flatMap((group) -> members(group).stream()).distinct().count();
    }

    /** A round trip has one party at each end, whatever the number of producers. */
    List<Group> groups()
    {
        final List<Group> groups = new ArrayList<>();
        for (final Mode mode : modes)
        {
            for (final int count : switch (mode)
            {
                case RTT, LOAD, START, BURST, LATENCY, BANDWIDTH, LOAN, WORD -> List.of(1);
                case RATE -> producers;
                case ALLTOALL -> List.of(ranks);
            })
            {
                for (final int length : lengths)
                {
                    switch (mode)
                    {
                        case LOAD, START -> offered.forEach((rate) -> groups.add(new Group(mode, length, count, rate)));
                        case BURST -> groups.add(new Group(mode, length, count, Integer.toString(burst)));
                        default -> groups.add(new Group(mode, length, count));
                    }
                }
            }
        }
        return groups;
    }

    /** Numbers of the contestants that take part in a group. */
    List<Integer> members(final Group group)
    {
        final List<Integer> members = new ArrayList<>();
        for (int i = 0; i < contestants.size(); i++)
        {
            if (whyNot(group, contestants.get(i).kind()) == null)
            {
                members.add(i);
            }
        }
        return members;
    }

    /** Why a transport takes no part in a group, or null. */
    String whyNot(final Group group, final TransportKind kind)
    {
        final String why = kind.whyNot(group.mode(), scope, group.producers());
        return why != null ? why : group.mode() == Mode.WORD && group.length() != Long.BYTES ? "words of 8 bytes only" :
            kind.whyNotLength(group.length());
    }

    /** Slots in the receiving buffer: for long messages, but bulk, so many that eight of them fit, as Agrona's rings want it. */
    int slots(final Group group)
    {
        final int least = BitUtil.findNextPositivePowerOfTwo(LONGEST_SHARE * (group.length() / SLOT_LENGTH + 1));
        return group.length() <= Endpoint.MAX_RUN_LENGTH || group.mode().isBulk() ? slots : Math.max(slots, least);
    }

    LinkSpec spec(final Group group, final Contestant contestant)
    {
        final TransportKind kind = contestant.kind();
        return new LinkSpec(kind, group.mode(), scope, group.length(), group.producers(), slots(group), flow, aeronDriver,
            exclusive && group.producers() == 1, kind == corrupt, batch, mtuLength, group.burst(),
            contestant.beside().isNothing() ? null : contestant.beside());
    }

    TeamSpec team(final int contestant)
    {
        final List<LinkSpec> cells = new ArrayList<>();
        for (final Group group : groups())
        {
            cells.add(members(group).contains(contestant) ? spec(group, contestants.get(contestant)) : null);
        }
        return new TeamSpec(cells, contestants.get(contestant).slowPercent(), turnMs, timeoutMs,
            isMixed && scope != Scope.NETWORK);
    }

    /** Between nodes: which threads there are, the same for ours and for Aeron. */
    String threading(final int cores)
    {
        final boolean isInvoked = spec(groups().get(0), new Contestant(TransportKind.TALLYPOST_ENDPOINT)).isDriverInvoked(cores);
        return "network: two nodes on loopback, a JVM each; in each of them, ours and Aeron's alike, " + (isInvoked ?
            "one thread is application, agent and media driver by turns: 2 threads, " :
            "the application's thread, and one that is agent and media driver and backs off: 4 threads, ") + cores +
            " cores; MTU " + mtuLength + "; raw: UDP datagrams, one message in each for rtt, packed full for rate";
    }
}
