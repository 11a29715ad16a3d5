// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The operations of a team as calls that wait until they are done, or until a deadline: {@link Team#calls()}. Each returns the
 * operation's number in its team, 0 or more, or a negative result. With {@link Team#TIMED_OUT} the operation is still under way,
 * its buffers are still its own, and {@link #again()} goes on waiting for it.
 *
 * <pre>
 *   if (team.calls(System.nanoTime() + 1_000_000_000L).broadcast(0, buffer, 0, length) == Team.TIMED_OUT)
 *   {
 *       // team.lateMembers(...) tells which members have not come
 *       result = team.calls().again();
 *   }
 * </pre>
 *
 * The handles are made at their first use, and nothing is allocated after that, but for new teams. For the thread that polls the
 * endpoint. What is thrown is that of the start of each operation. {@link #again()} is for the last call: an agreement or a new
 * team that is to be waited for after other calls has a handle of its own ({@link Team#newSplit()}).
 */
public final class TeamCalls
{
    private final Team team;
    private final List<Reduction> reductions = new ArrayList<>();
    private Barrier barrier;
    private Broadcast broadcast;
    private Scatter scatter;
    private Gather gather;
    private AllGather allGather;
    private AllToAll allToAll;
    private Agreement agreement;
    private Split split;
    private Shrink shrink;
    private boolean hasDeadline;
    private long deadlineNs;
    private Progress last;

    TeamCalls(final Team team)
    {
        this.team = team;
    }

    TeamCalls until(final boolean isBounded, final long nanoTime)
    {
        hasDeadline = isBounded;
        deadlineNs = nanoTime;
        return this;
    }

    private long await(final NewTeam awaited, final Consumer<Team> out)
    {
        awaited.passTo(out);
        return await(awaited);
    }

    private long await(final Progress awaited)
    {
        last = awaited;
        return again();
    }

    /**
     * Waits for the last call, which has timed out. If that was to make a team, what was passed to it gets the team.
     *
     * @return as that call; its result once more if it was done.
     * @throws IllegalStateException if there was no call.
     */
    public long again()
    {
        if (last == null)
        {
            throw new IllegalStateException("no call of team " + team.id() + " to be waited for again");
        }
        final long result = team.await(last, hasDeadline, deadlineNs);
        if (last instanceof NewTeam)
        {
            ((NewTeam)last).pass();
        }
        return result < 0 || last != agreement ? result : agreement.flags();
    }

    /**
     * Waits until all members have come.
     *
     * @return as {@link Barrier#await(long)}.
     */
    public long barrier()
    {
        barrier = barrier == null ? team.newBarrier() : barrier;
        barrier.start();
        return await(barrier);
    }

    /**
     * All get what the root has.
     *
     * @param root   a member.
     * @param buffer that the root reads and all others write.
     * @param offset of the data in bytes.
     * @param length of the data in bytes, the same at all members.
     * @return as {@link Broadcast#await(long)}.
     */
    public long broadcast(final int root, final MutableDirectBuffer buffer, final int offset, final int length)
    {
        broadcast = broadcast == null ? team.newBroadcast() : broadcast;
        broadcast.start(root, buffer, offset, length);
        return await(broadcast);
    }

    /**
     * Each member gets its portion of what the root has.
     *
     * @param root       a member.
     * @param from       buffer with the portions of all members; used at the root only.
     * @param fromOffset of the first one in bytes.
     * @param to         buffer for this member's portion.
     * @param toOffset   of it in bytes.
     * @param length     of each portion in bytes.
     * @return as {@link Scatter#await(long)}.
     */
    public long scatter(
        final int root, final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to, final int toOffset,
        final int length)
    {
        scatter = scatter == null ? team.newScatter() : scatter;
        scatter.start(root, from, fromOffset, to, toOffset, length);
        return await(scatter);
    }

    /**
     * Each member gets its portion of what the root has, as a distribution has it.
     *
     * @param root         a member.
     * @param from         buffer with the portions of all members; used at the root only.
     * @param fromOffset   where the distribution begins, in bytes.
     * @param distribution an equal one at all members.
     * @param to           buffer for this member's portion.
     * @param toOffset     of it in bytes.
     * @return as {@link Scatter#await(long)}.
     */
    public long scatter(
        final int root, final DirectBuffer from, final int fromOffset, final Distribution distribution,
        final MutableDirectBuffer to, final int toOffset)
    {
        scatter = scatter == null ? team.newScatter() : scatter;
        scatter.start(root, from, fromOffset, distribution, to, toOffset);
        return await(scatter);
    }

    /**
     * The root gets the portions of all.
     *
     * @param root       a member.
     * @param from       buffer with this member's portion.
     * @param fromOffset of it in bytes.
     * @param to         buffer for the portions of all members; used at the root only.
     * @param toOffset   of the first one in bytes.
     * @param length     of each portion in bytes.
     * @return as {@link Gather#await(long)}.
     */
    public long gather(
        final int root, final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to, final int toOffset,
        final int length)
    {
        gather = gather == null ? team.newGather() : gather;
        gather.start(root, from, fromOffset, to, toOffset, length);
        return await(gather);
    }

    /**
     * The root gets the portions of all, to where a distribution has them.
     *
     * @param root         a member.
     * @param from         buffer with this member's portion.
     * @param fromOffset   of it in bytes.
     * @param to           buffer for the portions of all members; used at the root only.
     * @param toOffset     where the distribution begins, in bytes.
     * @param distribution an equal one at all members, without overlaps.
     * @return as {@link Gather#await(long)}.
     */
    public long gather(
        final int root, final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to, final int toOffset,
        final Distribution distribution)
    {
        gather = gather == null ? team.newGather() : gather;
        gather.start(root, from, fromOffset, to, toOffset, distribution);
        return await(gather);
    }

    /**
     * All get the portions of all.
     *
     * @param from       buffer with this member's portion.
     * @param fromOffset of it in bytes.
     * @param to         buffer for the portions of all members.
     * @param toOffset   of the first one in bytes.
     * @param length     of each portion in bytes.
     * @return as {@link AllGather#await(long)}.
     */
    public long allGather(
        final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to, final int toOffset, final int length)
    {
        allGather = allGather == null ? team.newAllGather() : allGather;
        allGather.start(from, fromOffset, to, toOffset, length);
        return await(allGather);
    }

    /**
     * All get the portions of all, to where a distribution has them.
     *
     * @param from         buffer with this member's portion.
     * @param fromOffset   of it in bytes.
     * @param to           buffer for the portions of all members.
     * @param toOffset     where the distribution begins, in bytes.
     * @param distribution an equal one at all members, without overlaps.
     * @return as {@link AllGather#await(long)}.
     */
    public long allGather(
        final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to, final int toOffset,
        final Distribution distribution)
    {
        allGather = allGather == null ? team.newAllGather() : allGather;
        allGather.start(from, fromOffset, to, toOffset, distribution);
        return await(allGather);
    }

    /**
     * Each member gets the portions that the others have for it.
     *
     * @param from       buffer with a portion for each member.
     * @param fromOffset of the first one in bytes.
     * @param to         buffer for a portion of each member.
     * @param toOffset   of the first one in bytes.
     * @param length     of each portion in bytes.
     * @return as {@link AllToAll#await(long)}.
     */
    public long allToAll(
        final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to, final int toOffset, final int length)
    {
        allToAll = allToAll == null ? team.newAllToAll() : allToAll;
        allToAll.start(from, fromOffset, to, toOffset, length);
        return await(allToAll);
    }

    /**
     * Each member gets the portions that the others have for it, of any lengths.
     *
     * @param from       buffer with a portion for each member.
     * @param fromOffset where the distribution of what is sent begins, in bytes.
     * @param sending    by members to which it is sent, this member's own.
     * @param to         buffer for a portion of each member.
     * @param toOffset   where the distribution of what is received begins, in bytes.
     * @param receiving  by members of which it is received, this member's own, without overlaps.
     * @return as {@link AllToAll#await(long)}.
     */
    public long allToAll(
        final DirectBuffer from, final int fromOffset, final Distribution sending, final MutableDirectBuffer to,
        final int toOffset, final Distribution receiving)
    {
        allToAll = allToAll == null ? team.newAllToAll() : allToAll;
        allToAll.start(from, fromOffset, sending, to, toOffset, receiving);
        return await(allToAll);
    }

    /**
     * The root gets the reduction of what all have.
     *
     * @param root      a member.
     * @param type      of the elements.
     * @param reducer   for them.
     * @param in        buffer with this member's elements.
     * @param inOffset  of the first one in bytes.
     * @param out       buffer for the results; used at the root only.
     * @param outOffset of the first one in bytes.
     * @param count     number of elements, the same at all members.
     * @return as {@link Reduce#await(long)}.
     */
    public long reduce(
        final int root, final ElementType type, final Reducer reducer, final DirectBuffer in, final int inOffset,
        final MutableDirectBuffer out, final int outOffset, final int count)
    {
        Reduce handle = (Reduce)find(Kind.REDUCE, type, reducer);
        if (handle == null)
        {
            handle = team.newReduce(type, reducer);
            reductions.add(handle);
        }
        handle.start(root, in, inOffset, out, outOffset, count);
        return await(handle);
    }

    /**
     * All get the reduction of what all have.
     *
     * @param type      of the elements.
     * @param reducer   for them.
     * @param in        buffer with this member's elements.
     * @param inOffset  of the first one in bytes.
     * @param out       buffer for the results.
     * @param outOffset of the first one in bytes.
     * @param count     number of elements, the same at all members.
     * @return as {@link AllReduce#await(long)}.
     */
    public long allReduce(
        final ElementType type, final Reducer reducer, final DirectBuffer in, final int inOffset, final MutableDirectBuffer out,
        final int outOffset, final int count)
    {
        AllReduce handle = (AllReduce)find(Kind.ALL_REDUCE, type, reducer);
        if (handle == null)
        {
            handle = team.newAllReduce(type, reducer);
            reductions.add(handle);
        }
        handle.start(in, inOffset, out, outOffset, count);
        return await(handle);
    }

    /**
     * Each member gets its portion of the reduction of what all have.
     *
     * @param type      of the elements.
     * @param reducer   for them.
     * @param in        buffer with elements for all members.
     * @param inOffset  of the first one in bytes.
     * @param out       buffer for this member's results.
     * @param outOffset of the first one in bytes.
     * @param count     number of elements for each member.
     * @return as {@link ReduceScatter#await(long)}.
     */
    public long reduceScatter(
        final ElementType type, final Reducer reducer, final DirectBuffer in, final int inOffset, final MutableDirectBuffer out,
        final int outOffset, final int count)
    {
        final ReduceScatter handle = reduceScatter(type, reducer);
        handle.start(in, inOffset, out, outOffset, count);
        return await(handle);
    }

    /**
     * Each member gets its portion of the reduction of what all have, as a distribution has it.
     *
     * @param type         of the elements.
     * @param reducer      for them.
     * @param in           buffer with elements for all members.
     * @param inOffset     where the distribution begins, in bytes.
     * @param distribution an equal one at all members.
     * @param out          buffer for this member's results.
     * @param outOffset    of the first one in bytes.
     * @return as {@link ReduceScatter#await(long)}.
     */
    public long reduceScatter(
        final ElementType type, final Reducer reducer, final DirectBuffer in, final int inOffset,
        final Distribution distribution, final MutableDirectBuffer out, final int outOffset)
    {
        final ReduceScatter handle = reduceScatter(type, reducer);
        handle.start(in, inOffset, distribution, out, outOffset);
        return await(handle);
    }

    private ReduceScatter reduceScatter(final ElementType type, final Reducer reducer)
    {
        final ReduceScatter found = (ReduceScatter)find(Kind.REDUCE_SCATTER, type, reducer);
        if (found != null)
        {
            return found;
        }
        final ReduceScatter made = team.newReduceScatter(type, reducer);
        reductions.add(made);
        return made;
    }

    /**
     * Each member gets the reduction of the members up to it, or before it.
     *
     * @param type        of the elements.
     * @param reducer     for them.
     * @param isExclusive whether a member's own elements are left out of its result.
     * @param in          buffer with this member's elements.
     * @param inOffset    of the first one in bytes.
     * @param out         buffer for the results.
     * @param outOffset   of the first one in bytes.
     * @param count       number of elements, the same at all members.
     * @return as {@link Scan#await(long)}.
     */
    public long scan(
        final ElementType type, final Reducer reducer, final boolean isExclusive, final DirectBuffer in, final int inOffset,
        final MutableDirectBuffer out, final int outOffset, final int count)
    {
        Scan handle = (Scan)find(isExclusive ? Kind.EXCLUSIVE_SCAN : Kind.SCAN, type, reducer);
        if (handle == null)
        {
            handle = team.newScan(type, reducer, isExclusive);
            reductions.add(handle);
        }
        handle.start(in, inOffset, out, outOffset, count);
        return await(handle);
    }

    private Reduction find(final Kind kind, final ElementType type, final Reducer reducer)
    {
        for (int i = 0; i < reductions.size(); i++)
        {
            final Reduction found = reductions.get(i);
            if (found.kind() == kind && found.isOf(type, reducer))
            {
                return found;
            }
        }
        return null;
    }

    /**
     * All living members get the same value, also in a team that has ended ({@link Team#MISMATCH}, {@link Team#DAMAGED} and
     * {@link Team#CLOSED} excepted).
     *
     * @param flags of this member, at least 0.
     * @return the flags that all have that have called this; or a negative result.
     * @throws IllegalArgumentException if the flags are negative.
     */
    public long agree(final int flags)
    {
        agreement = agreement == null ? team.newAgreement() : agreement;
        agreement.start(flags);
        return await(agreement);
    }

    /**
     * Makes a team of the members with the same color.
     *
     * @param color which team this member wants to be in; negative for none.
     * @param key   which place it wants there, see {@link Split#start}.
     * @param out   gets the new team, also from {@link #again()}; it is not called without one.
     * @return as {@link Split#await(long)}.
     */
    public long split(final int color, final int key, final Consumer<Team> out)
    {
        split = split == null ? team.newSplit() : split;
        split.start(color, key);
        return await(split, out);
    }

    /**
     * Makes a team of the living members, in the same order.
     *
     * @param out gets the new team, also from {@link #again()}; it is not called without one.
     * @return as {@link Shrink#await(long)}.
     */
    public long shrink(final Consumer<Team> out)
    {
        shrink = shrink == null ? team.newShrink() : shrink;
        shrink.start();
        return await(shrink, out);
    }
}
