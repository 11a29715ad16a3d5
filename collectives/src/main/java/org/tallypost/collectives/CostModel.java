// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.tallypost.collectives.internal.ArenaDescriptor;

/**
 * How long an operation takes by each algorithm, as worked out from a profile of the machine.
 *
 * <pre>
 *   T = exchanges * L + steps * (s + (p - 1) q) + max(work of the busiest, work of all / processors) + fill
 * </pre>
 *
 * p members; l the way of a line, q reading a further one, s a member's own work for a step, w a turn of another member on the
 * processor. An exchange takes L = l, or with more members than processors L = l + w (p / processors - 1): then all members have
 * to have had their turn. Steps within a window need no exchange of their own, but each window is one. Fill
 * is the piece that is copied in before another member has something to read. Work is counted in bytes copied and reduced; where
 * all data of an operation do not fit into a cache, they come from memory. Slices of a direct reduction come from the cache of
 * another core, whatever their length, which costs as much as memory; and so does writing them, into lines that others have read.
 *
 * <p>If the profile has measured times of an operation, T is taken as many times as these are longer than the model says.
 */
final class CostModel
{
    /** What fits into the cache of a core, in bytes. */
    private static final long NEAR_LENGTH = 1 << 20;

    private final CostProfile profile;
    private final int members;
    private final int window;
    private final int blockLength;

    CostModel(final CostProfile profile, final int members, final int window, final int blockLength)
    {
        this.profile = profile;
        this.members = members;
        this.window = window;
        this.blockLength = blockLength;
    }

    /** Time in nanoseconds for portions of some length in bytes: as modelled, and put right by what was measured. */
    double cost(final Kind kind, final Algorithm algorithm, final double length)
    {
        final MeasuredTimes times = profile.times();
        final int nearest = times.nearestMembers(kind, members);
        if (nearest == 0)
        {
            return modelled(kind, algorithm, length);
        }
        final CostModel measured = nearest == members ? this : new CostModel(profile, nearest, window, blockLength);
        return modelled(kind, algorithm, length) *
            times.ratio(kind, algorithm, nearest, length, (each) -> measured.modelled(kind, algorithm, each));
    }

    private double modelled(final Kind kind, final Algorithm algorithm, final double length)
    {
        final int shown = kind.isForEach() ? members : 1;
        final double inBlock = (double)blockLength / shown;
        final boolean isFar = 2 * length * shown * members > NEAR_LENGTH;
        final double copy = profile.copyNs(isFar);
        final double reduce = profile.reduceNs(isFar);
        final double work = busiest(kind, algorithm, length, copy, reduce);
        final double all = all(kind, algorithm, length, copy, reduce);
        double steps = 1;
        double exchanges = 1;
        double fill = 0;
        switch (algorithm)
        {
            case INLINE:
                steps = Math.ceil(length / Math.max(1, ArenaDescriptor.MAX_INLINE_LENGTH / shown));
                break;
            case BLOCKS:
                steps = Math.ceil(length / inBlock);
                fill = Math.min(length, inBlock) * shown * copy;
                break;
            case SLICES:
                steps = 2 * Math.ceil(length / inBlock);
                exchanges = 2;
                fill = Math.min(length, inBlock) * copy;
                break;
            case DIRECT:
                steps = 2;
                exchanges = 2;
                break;
            default:
                steps = 1 + Math.ceil(length / (inBlock * members));
                exchanges = 2;
                fill = Math.min(length / members, inBlock) * (copy + (members - 1) * reduce);
                break;
        }
        final double turns = Math.max(0, (double)members / profile.processors() - 1);
        // a window of steps, then the others have to have consumed some of them
        final double waits = Math.max(exchanges, steps / window);
        final double line = profile.lineNs() + turns * profile.turnNs();
        final double own = steps * (profile.stepNs() + (members - 1) * profile.nextLineNs()) * Math.max(1, turns + 1);
        return waits * line + own + Math.max(work, all / Math.min(members, profile.processors())) + fill;
    }

    /** Work of the member that has most of it. */
    private double busiest(
        final Kind kind, final Algorithm algorithm, final double n, final double copy, final double reduce)
    {
        final double reduced = copy + (members - 1) * reduce;
        final boolean isDirect = algorithm.isDirect();
        switch (kind)
        {
            case BARRIER:
                return 0;
            case BROADCAST:
                return n * copy;
            case SCATTER:
                return isDirect ? n * copy : members * n * copy;
            case GATHER:
                return (members - 1) * n * copy;
            case ALL_GATHER:
                return (isDirect ? members - 1 : members) * n * copy;
            case ALL_TO_ALL:
                return (isDirect ? 1 : 2) * members * n * copy;
            case REDUCE_SCATTER:
                return (isDirect ? 0 : members * n * copy) + n * reduced;
            case REDUCE:
            case ALL_REDUCE:
                return (isDirect ? 0 : n * copy) + (algorithm == Algorithm.SLICES ? n / members * reduced + n * copy :
                    algorithm == Algorithm.DIRECT_SLICES ? n / members * reduced + (n / members + n) * profile.copyNs(true) :
                    n * reduced);
            default:
                return (isDirect ? 0 : n * copy) + n * reduced;
        }
    }

    /** Work of all members. */
    private double all(final Kind kind, final Algorithm algorithm, final double n, final double copy, final double reduce)
    {
        final double most = busiest(kind, algorithm, n, copy, reduce);
        final boolean isDirect = algorithm.isDirect();
        switch (kind)
        {
            case BROADCAST:
                return (isDirect ? members - 1 : members) * n * copy;
            case SCATTER:
                return (isDirect ? members - 1 : 2 * members - 1) * n * copy;
            case GATHER:
                return (isDirect ? 1 : 2) * (members - 1) * n * copy;
            case REDUCE:
                return (isDirect ? 0 : members * n * copy) + n * (copy + (members - 1) * reduce) +
                    (algorithm == Algorithm.SLICES ? n * copy : 0) +
                    (algorithm == Algorithm.DIRECT_SLICES ? 2 * n * profile.copyNs(true) : 0);
            case SCAN:
            case EXCLUSIVE_SCAN:
                return members * ((isDirect ? 0 : n * copy) + n * (copy + (members - 1) / 2.0 * reduce));
            default:
                return members * most;
        }
    }
}
