// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.FuzzInput;

/**
 * Members of a team do operations, agree and make teams while the bytes of their arenas are damaged. Each call returns a result
 * that it may, nothing is thrown, and nothing is written beside the buffers of the members. A damaged arena may lead to wrong
 * data, and to a member that waits: a program's deadline ends that.
 */
public final class ArenaFuzz
{
    private static final int MAX_STEPS = 400;
    private static final int MAX_COUNT = 3_000;
    private static final int GUARD = 64;
    private static final byte GUARDED = 0x5a;
    private static final int BLOCK = 1_024;
    private static final int MAX_CALLS = 64;

    private final FuzzInput input;
    private final TeamRig rig;
    private final List<UnsafeBuffer> guarded = new ArrayList<>();
    private final List<Awaited> begun = new ArrayList<>();
    private final List<Team> made = new ArrayList<>();

    private ArenaFuzz(final FuzzInput input)
    {
        this.input = input;
        final TeamRig.Reach[] reaches = TeamRig.Reach.values();
        final int members = 1 + input.next(4);
        rig = new TeamRig(members, 4, BLOCK, reaches[input.next(reaches.length)], 2 * members * 16 * MAX_COUNT + 4 * GUARD);
    }

    /**
     * Entry for the fuzzer.
     *
     * @param bytes of the input.
     */
    public static void fuzzerTestOneInput(final byte[] bytes)
    {
        final ArenaFuzz fuzz = new ArenaFuzz(new FuzzInput(bytes));
        for (int i = 0; i < MAX_STEPS && fuzz.input.hasMore(); i++)
        {
            fuzz.step();
        }
        fuzz.end();
    }

    private void step()
    {
        switch (input.next(8))
        {
            case 0:
            case 1:
                harm();
                break;
            case 2:
            case 3:
                operate();
                break;
            case 4:
                together();
                break;
            case 5:
                attach();
                break;
            default:
                move(1 + input.next(64));
                break;
        }
    }

    /** A word of an arena changes: one of the header, of a line, or of a block. */
    private void harm()
    {
        final List<ByteBuffer> arenas = new ArrayList<>(rig.meetings.files().values());
        final UnsafeBuffer arena = new UnsafeBuffer(arenas.get(input.next(arenas.size())));
        final int at = (input.next(1 << 16) * Long.BYTES) % (arena.capacity() - Long.BYTES) & -Long.BYTES;
        arena.putLong(at, input.nextHarm(arena.getLong(at)));
    }

    /** All members start the same operation, or some of them another one. */
    private void operate()
    {
        final Kind kind = Kind.values()[input.next(Kind.values().length)];
        final Algorithm algorithm = Algorithm.values()[input.next(Algorithm.values().length)];
        final int root = input.next(rig.size());
        final int count = input.next(MAX_COUNT);
        final int odd = input.next(8 * rig.size());
        for (int i = 0; i < rig.size() && begun.size() < MAX_CALLS; i++)
        {
            final Kind called = i == odd ? Kind.BARRIER : kind;
            final ElementType type = kind.ordinal() < Kind.REDUCE.ordinal() ? ElementType.BYTES : ElementType.INT;
            final int length = rig.size() * count * type.length();
            final Operation started = input.next(4) == 0 ? varying(rig.teams[i], i == odd ? 1 : count) : MatrixTest.start(
                rig.teams[i], called, algorithm, root, type, Reducers.SUM, buffer(i, 0, length), buffer(i, 1, length), 0, count,
                false);
            begun.add(started);
        }
    }

    private Operation varying(final Team team, final int length)
    {
        final AllToAll exchange = team.newAllToAll();
        final Distribution distribution = Distribution.descending(team.size(), length);
        exchange.start(buffer(team.member(), 0, team.size() * length), 0, distribution,
            buffer(team.member(), 1, team.size() * length), 0, distribution);
        return exchange;
    }

    /** A buffer of one member, with bytes around it that nobody may write; in memory of the team, if there is any. */
    private UnsafeBuffer buffer(final int member, final int which, final int length)
    {
        final int half = rig.parts == null ? 0 : rig.parts[member].capacity() / 2;
        final UnsafeBuffer whole = rig.parts != null && input.next(4) != 0 ?
            new UnsafeBuffer(rig.parts[member], which * half, half) :
            new UnsafeBuffer(ByteBuffer.allocateDirect(length + 2 * GUARD));
        whole.setMemory(0, GUARD, GUARDED);
        whole.setMemory(whole.capacity() - GUARD, GUARD, GUARDED);
        guarded.add(whole);
        return new UnsafeBuffer(whole, GUARD, length);
    }

    /** Members agree, or make new teams. A team does one of these at a time. */
    private void together()
    {
        final int what = input.next(3);
        if (begun.stream().noneMatch((each) -> each instanceof TeamCall && each.isActive()))
        {
            for (final Team team : rig.teams)
            {
                final int number = input.next(4);
                if (what == 0)
                {
                    final Agreement agreement = team.newAgreement();
                    agreement.start(number);
                    begun.add(agreement);
                }
                else if (what == 1)
                {
                    final Split split = team.newSplit();
                    split.start(number - 1, number);
                    begun.add(split);
                }
                else
                {
                    final Shrink shrink = team.newShrink();
                    shrink.start();
                    begun.add(shrink);
                }
            }
        }
    }

    /** The last rank looks at the arena once more, as it is now. */
    private void attach()
    {
        final int self = rig.size() - 1;
        if (self == 0)
        {
            // it is the one that makes the arena
            return;
        }
        final Teams teams = new Teams(rig.meetings.of(self), new CollectivesContext().blockLength(BLOCK), null);
        final TeamArena arena = teams.arena(TeamRig.ID, TeamRig.VIEW, IntStream.range(0, rig.size()).toArray(), self);
        try
        {
            arena.tryJoinAnew();
            arena.missing();
        }
        catch (final IllegalArgumentException | IllegalStateException ex)
        {
            // it is no such arena: refused in words
            if (ex.getMessage() == null)
            {
                throw ex;
            }
        }
    }

    private void move(final int turns)
    {
        for (int i = 0; i < turns && !begun.isEmpty(); i++)
        {
            final int index = input.next(begun.size());
            final Awaited each = begun.get(index);
            check(each.progress());
            if (!each.isActive())
            {
                begun.remove(index);
                if (each instanceof NewTeam && ((NewTeam)each).newTeam() != null)
                {
                    final Team team = ((NewTeam)each).newTeam();
                    made.add(team);
                    final Barrier barrier = team.newBarrier();
                    check(barrier.start());
                }
            }
        }
    }

    private static void check(final long result)
    {
        if (result < 0 && Team.errorString(result).startsWith("unknown") || result == Team.REVOKED)
        {
            throw new AssertionError("no such result: " + result);
        }
    }

    /** What can be done is done; then all leave. */
    private void end()
    {
        for (int turn = 0; turn < 100; turn++)
        {
            for (final Awaited each : begun)
            {
                check(each.progress());
            }
        }
        final int[] into = new int[2];
        for (final Team team : rig.teams)
        {
            team.lateMembers(into);
            team.goneMembers(into);
            team.goneMember();
            team.close();
        }
        made.forEach(Team::close);
        for (final UnsafeBuffer whole : guarded)
        {
            for (int i = 0; i < GUARD; i++)
            {
                if (whole.getByte(i) != GUARDED || whole.getByte(whole.capacity() - 1 - i) != GUARDED)
                {
                    throw new AssertionError("written beside a buffer: found another byte " + i +
                        " bytes from an end of its " + whole.capacity());
                }
            }
        }
    }
}
