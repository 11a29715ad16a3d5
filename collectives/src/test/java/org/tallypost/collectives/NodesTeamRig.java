// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * All members of a team of several nodes in one thread: arenas in memory of this process, and messages that are refused now and
 * then and come late.
 */
final class NodesTeamRig
{
    static final long ID = 9;
    private static final long SESSION = 77;

    final MemoryMeetings meetings;
    final Team[] teams;
    final NodeMap[] maps;
    final MemoryMulticast multicast;
    private final Teams[] all;
    private final Random random;

    /** Of so many members, each on a node. Chance refuses messages. */
    NodesTeamRig(final Random random, final CollectivesContext context, final int... nodeOf)
    {
        this.random = random;
        final int size = nodeOf.length;
        meetings = new MemoryMeetings(size, false);
        meetings.refusals = random;
        meetings.mostLength = new int[]{2_048, 500, 100}[random.nextInt(3)];
        all = new Teams[size];
        teams = new Team[size];
        maps = new NodeMap[size];
        multicast = new MemoryMulticast(random, (int)Arrays.stream(nodeOf).distinct().count());
        final int[] ranks = new int[size];
        Arrays.setAll(ranks, (i) -> i);
        final NodeLinks[] links = new NodeLinks[size];
        final TeamArena[] arenas = new TeamArena[size];
        final Team[] inner = new Team[size];
        for (int i = 0; i < size; i++)
        {
            all[i] = new Teams(meetings.of(i), context, null);
            maps[i] = new NodeMap(size, i, (member) -> nodeOf[member]);
            links[i] = all[i].link(maps[i], ranks, ID, 1);
            arenas[i] = all[i].arena(ID, 1, maps[i].locals(), maps[i].localOf(i));
        }
        for (int left = size, turn = 0; left > 0; turn++)
        {
            if (turn > 100_000 * size)
            {
                throw new AssertionError("nodes do not meet: " + Arrays.toString(nodeOf));
            }
            final int i = random.nextInt(size);
            deliver(i);
            if (teams[i] == null && arenas[i].tryJoin() && links[i].tryConnect())
            {
                inner[i] = all[i].open(arenas[i]);
                links[i].votes().links().session(SESSION);
                teams[i] = all[i].open(inner[i], arenas[i], maps[i], links[i]);
                if (maps[i].isLeader())
                {
                    teams[i].nodes().moves().multicast(true);
                    teams[i].nodes().moves().program().multicast(
                        new NodesMulticast(multicast.of(maps[i].node()), teams[i].nodes(), 5));
                }
                left--;
            }
            else if (teams[i] != null)
            {
                all[i].progress();
            }
        }
    }

    int size()
    {
        return teams.length;
    }

    /** A member gets the first message that has come for it; or finds that there is none. */
    void deliver(final int member)
    {
        final MemoryMeetings.Letter letter = meetings.letters.get(member).poll();
        if (letter != null)
        {
            all[member].onMessage(letter.source, letter.bytes, 0, letter.bytes.capacity());
        }
        else
        {
            all[member].polledNothing();
        }
    }

    /** A member does what it can. */
    void progress(final int member)
    {
        all[member].progress();
    }

    /** A member gets a message that was not sent. */
    void deliver(final int member, final int source, final byte[] bytes)
    {
        all[member].onMessage(source, new UnsafeBuffer(bytes), 0, bytes.length);
    }

    CollectivesCounters counters(final int member)
    {
        return all[member].counters();
    }

    /** A member dies. */
    void kill(final int member)
    {
        meetings.gone[member] = true;
        meetings.letters.get(member).clear();
    }

    /** Lets members get on at random until all that these have begun has ended. What is null was not begun. */
    void finish(final Awaited... begun)
    {
        for (long turn = 0; !isOver(begun); turn++)
        {
            if (turn > 5_000_000)
            {
                throw new AssertionError("hangs: " + Arrays.toString(begun));
            }
            final int i = random.nextInt(size());
            if (!meetings.gone[i])
            {
                deliver(i);
                all[i].progress();
                for (final Awaited each : begun)
                {
                    if (each != null && rankOf(each) == i)
                    {
                        each.progress();
                    }
                }
            }
        }
    }

    private static int rankOf(final Awaited each)
    {
        return each.team().rankOf(each.team().member());
    }

    private static boolean isOver(final Awaited... begun)
    {
        for (final Awaited each : begun)
        {
            if (each != null && each.isActive())
            {
                return false;
            }
        }
        return true;
    }
}
