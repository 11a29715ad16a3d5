// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/** How collective operations are done by messages: directly between the root and the others, or between each two. */
abstract class CollectiveSchedules extends MpiJavaMessages
{
    CollectiveSchedules()
    {
    }

    /** Items of each rank in one buffer: so many at each place, in extents. */
    static final class Portions
    {
        private final Items first;
        private final int[] counts;
        private final int[] places;
        private final Datatype[] types;

        private final boolean isEqual;

        private Portions(
            final Items first, final boolean isEqual, final int[] counts, final int[] places, final Datatype[] types)
        {
            this.isEqual = isEqual;
            this.first = first;
            this.counts = counts;
            this.places = places;
            this.types = types;
        }

        /** Equal portions behind each other. */
        static Portions equal(final Items first)
        {
            return new Portions(first, true, null, null, null);
        }

        static Portions of(final Items first, final int[] counts, final int[] places)
        {
            return new Portions(first, false, counts, places, null);
        }

        /** Here places count bytes. */
        static Portions of(final Items first, final int[] counts, final int[] places, final Datatype[] types)
        {
            return new Portions(first, false, counts, places, types);
        }

        Portions check(final int ranks) throws MPIException
        {
            if (!isEqual && (counts == null || places == null))
            {
                throw new MPIException(MPI.ERR_ARG, "counts or displacements are missing: found=null, expected one for each of " +
                    ranks + " ranks");
            }
            if (counts != null && (counts.length < ranks || places.length < ranks || types != null && types.length < ranks))
            {
                throw new MPIException(MPI.ERR_ARG, "counts or displacements are missing: found=" + counts.length + " and " +
                    places.length + ", expected one for each of " + ranks + " ranks");
            }
            return this;
        }

        /** What is in the first one's place, with the count of each portion if these are equal. */
        Items first()
        {
            return first;
        }

        /** Whether the program has called the operation for equal portions; the same at all ranks, also at those without any. */
        boolean isEqual()
        {
            return isEqual;
        }

        boolean hasTypes()
        {
            return types != null;
        }

        int count(final int rank)
        {
            return counts == null ? first.count : counts[rank];
        }

        /** All equal portions together. */
        Items whole(final int items)
        {
            return first.at(0, items);
        }

        Items of(final int rank)
        {
            if (types != null)
            {
                return first.atBytes(places[rank], counts[rank], types[rank]);
            }
            return counts == null ? first.at((long)rank * first.count, first.count) : first.at(places[rank], counts[rank]);
        }
    }

    final int peerCount()
    {
        return peers().size();
    }

    final void run(final Schedule schedule) throws MPIException
    {
        world().start(schedule);
        world().await(schedule);
    }

    static Items nothing()
    {
        return Items.of(null, 0, 0, MPI.BYTE);
    }

    /** Where the root of an operation between groups is: true if it is this rank. */
    private boolean isRootBetweenGroups(final int root) throws MPIException
    {
        if (root != MPI.ROOT && root != MPI.PROC_NULL)
        {
            checkRoot(root, remote());
        }
        return root == MPI.ROOT;
    }

    final Schedule barrierSchedule() throws MPIException
    {
        final Schedule schedule = new Schedule(this);
        if (isBetweenGroups())
        {
            return allToAll(schedule, Portions.equal(nothing()), Portions.equal(nothing()), false);
        }
        reduceTo(schedule, 0, nothing(), null, nothing());
        schedule.round();
        return fromRoot(schedule, nothing(), 0);
    }

    final Schedule bcastSchedule(final Items items, final int root) throws MPIException
    {
        if (!isBetweenGroups() && peerCount() == 1)
        {
            // no message does it
            new Payload().check(items);
        }
        return fromRoot(new Schedule(this), items, root);
    }

    private Schedule fromRoot(final Schedule schedule, final Items items, final int root) throws MPIException
    {
        final boolean isBetween = isBetweenGroups();
        final boolean isRoot = isBetween ? isRootBetweenGroups(root) : root == ownRank();
        if (!isBetween)
        {
            checkRoot(root, local());
        }
        for (int rank = 0; isRoot && rank < peerCount(); rank++)
        {
            if (isBetween || rank != root)
            {
                schedule.send(peerBase() + rank, items);
            }
        }
        return isRoot || root == MPI.PROC_NULL ? schedule : schedule.receive(peerBase() + root, items);
    }

    /** The root has called a form that has portions, and another rank one that has its own items. */
    static void checkForm(final boolean isRoot, final Items own, final Portions all) throws MPIException
    {
        if (isRoot ? all == null : own == null)
        {
            throw new MPIException(MPI.ERR_BUFFER, isRoot ?
                "no portions at the root: found the form of the other ranks, expected the one of the root" :
                "no items at a rank that is not the root: found the form of the root, expected the one of the other ranks");
        }
    }

    /** Without own items they are in their place at the root. */
    final Schedule gatherSchedule(final Items own, final Portions all, final int root) throws MPIException
    {
        final Schedule schedule = new Schedule(this);
        final boolean isBetween = isBetweenGroups();
        if (!isBetween)
        {
            checkRoot(root, local());
        }
        final boolean isRoot = isBetween ? isRootBetweenGroups(root) : root == ownRank();
        if (!isRoot && root == MPI.PROC_NULL)
        {
            return schedule;
        }
        checkForm(isRoot, own, all);
        if (!isRoot)
        {
            return schedule.send(peerBase() + root, own);
        }
        all.check(peerCount());
        for (int rank = 0; rank < peerCount(); rank++)
        {
            if (isBetween || rank != root)
            {
                schedule.receive(peerBase() + rank, all.of(rank));
            }
            else if (own != null)
            {
                schedule.copy(own, all.of(rank));
            }
        }
        return schedule;
    }

    /** Without own items they are in their place at the root. */
    final Schedule scatterSchedule(final Portions all, final Items own, final int root) throws MPIException
    {
        final Schedule schedule = new Schedule(this);
        final boolean isBetween = isBetweenGroups();
        if (!isBetween)
        {
            checkRoot(root, local());
        }
        final boolean isRoot = isBetween ? isRootBetweenGroups(root) : root == ownRank();
        if (!isRoot && root == MPI.PROC_NULL)
        {
            return schedule;
        }
        checkForm(isRoot, own, all);
        if (!isRoot)
        {
            return schedule.receive(peerBase() + root, own);
        }
        all.check(peerCount());
        for (int rank = 0; rank < peerCount(); rank++)
        {
            if (isBetween || rank != root)
            {
                schedule.send(peerBase() + rank, all.of(rank));
            }
            else if (own != null)
            {
                schedule.copy(all.of(rank), own);
            }
        }
        return schedule;
    }

    /** Without own items they are in their place. */
    final Schedule allGatherSchedule(final Items own, final Portions all) throws MPIException
    {
        final Schedule schedule = new Schedule(this);
        all.check(peerCount());
        if (own != null)
        {
            return allToAll(schedule, Portions.of(own, fill(own.count), new int[peerCount()]), all, false);
        }
        final Items inPlace = all.of(ownRank());
        return allToAll(schedule, Portions.of(inPlace, fill(inPlace.count), new int[peerCount()]), all, true);
    }

    private int[] fill(final int count)
    {
        final int[] counts = new int[peerCount()];
        Arrays.fill(counts, count);
        return counts;
    }

    final Schedule allToAllSchedule(final Portions from, final Portions to) throws MPIException
    {
        return allToAll(new Schedule(this), from.check(peerCount()), to.check(peerCount()), false);
    }

    private Schedule allToAll(final Schedule schedule, final Portions from, final Portions to, final boolean isOwnThere)
        throws MPIException
    {
        for (int i = 0; i < peerCount(); i++)
        {
            final int rank = (i + ownRank()) % peerCount();
            if (!isOwnThere || isBetweenGroups() || rank != ownRank())
            {
                schedule.receive(peerBase() + rank, to.of(rank));
            }
        }
        for (int i = 0; i < peerCount(); i++)
        {
            final int rank = (i + ownRank()) % peerCount();
            if (!isOwnThere || isBetweenGroups() || rank != ownRank())
            {
                schedule.send(peerBase() + rank, from.of(rank));
            }
        }
        return schedule;
    }

    /** The items of all peers come to one rank of this side, which reduces them in their order. */
    private void reduceTo(final Schedule schedule, final int root, final Items own, final Op op, final Items result)
        throws MPIException
    {
        if (ownRank() != root)
        {
            if (!isBetweenGroups())
            {
                schedule.send(peerBase() + root, own);
            }
            return;
        }
        foldPeers(schedule, own, op, result);
    }

    /** Reduces what the peers send; without a reduction it only waits for them. */
    private void foldPeers(final Schedule schedule, final Items own, final Op op, final Items result) throws MPIException
    {
        final Fold fold = op == null ? null : new Fold(op, result.type, result.count, result.buffer);
        for (int rank = 0; rank < peerCount(); rank++)
        {
            if (!isBetweenGroups() && rank == ownRank())
            {
                schedule.copy(() -> own, () -> fold == null ? nothing() : fold.next());
            }
            else
            {
                schedule.receive(peerBase() + rank, () -> fold == null ? nothing() : fold.next());
            }
            if (fold != null && rank == 0)
            {
                schedule.then(fold::first);
            }
            else if (fold != null)
            {
                schedule.then(fold::take);
            }
        }
        if (fold != null)
        {
            schedule.copy(fold::done, () -> result);
        }
    }

    /** Own items and result may be the same. */
    final Schedule reduceSchedule(final Items own, final Items result, final Op op, final int root) throws MPIException
    {
        final Schedule schedule = new Schedule(this);
        Fold.check(op, result.type);
        if (!isBetweenGroups())
        {
            checkRoot(root, local());
            reduceTo(schedule, root, own, op, result);
        }
        else if (isRootBetweenGroups(root))
        {
            foldPeers(schedule, own, op, result);
        }
        else if (root != MPI.PROC_NULL)
        {
            schedule.send(peerBase() + root, own);
        }
        return schedule;
    }

    final Schedule allReduceSchedule(final Items own, final Items result, final Op op) throws MPIException
    {
        final Schedule schedule = new Schedule(this);
        Fold.check(op, result.type);
        if (isBetweenGroups())
        {
            sendToPeers(schedule, own);
            foldPeers(schedule, own, op, result);
            return schedule;
        }
        reduceTo(schedule, 0, own, op, result);
        schedule.round();
        return fromRoot(schedule, result, 0);
    }

    private void sendToPeers(final Schedule schedule, final Items items)
    {
        for (int rank = 0; rank < peerCount(); rank++)
        {
            schedule.send(peerBase() + rank, items);
        }
    }

    final void checkCounts(final int... counts) throws MPIException
    {
        if (counts == null || counts.length < local().size())
        {
            throw new MPIException(MPI.ERR_ARG, "counts are missing: found=" + (counts == null ? "null" : counts.length) +
                ", expected=" + local().size());
        }
    }

    /** All items are reduced at the first rank, which gives each rank of its side the portion of it. */
    final Schedule reduceScatterSchedule(final Items own, final Items result, final int[] counts, final Op op) throws MPIException
    {
        final Schedule schedule = new Schedule(this);
        Fold.check(op, result.type);
        checkCounts(counts);
        final int[] places = new int[local().size()];
        int total = 0;
        for (int rank = 0; rank < places.length; rank++)
        {
            places[rank] = total;
            total += counts[rank];
        }
        if (isBetweenGroups())
        {
            schedule.send(peerBase(), own);
        }
        final boolean isFirst = ownRank() == 0;
        final Items whole = isFirst ?
            Items.of(result.type.room(result.buffer, total), 0, total, result.type) : own;
        reduceTo(schedule, 0, own, op, whole);
        schedule.round();
        for (int rank = 1; isFirst && rank < places.length; rank++)
        {
            schedule.send(localBase() + rank, whole.at(places[rank], counts[rank]));
        }
        if (isFirst)
        {
            return schedule.copy(whole.at(0, counts[0]), result.at(0, counts[0]));
        }
        return schedule.receive(localBase(), result.at(0, counts[ownRank()]));
    }

    /** Each rank gets the reduction of those up to it, or before it, from the rank before. */
    final Schedule scanSchedule(final Items own, final Items result, final Op op, final boolean isExclusive) throws MPIException
    {
        final Schedule schedule = new Schedule(this);
        final Fold fold = new Fold(op, result.type, result.count, result.buffer);
        final int rank = ownRank();
        schedule.copy(() -> own, fold::next).round();
        if (rank > 0)
        {
            final Fold before = new Fold(op, result.type, result.count, result.buffer);
            schedule.receive(peerBase() + rank - 1, before::done).round();
            schedule.copy(before::done, fold::done);
            if (isExclusive)
            {
                schedule.copy(before::done, () -> result);
            }
            schedule.then(fold::take);
        }
        else
        {
            schedule.then(fold::first);
        }
        schedule.round();
        if (!isExclusive)
        {
            schedule.copy(fold::done, () -> result);
        }
        return rank + 1 < local().size() ? schedule.send(peerBase() + rank + 1, fold::done) : schedule;
    }
}
