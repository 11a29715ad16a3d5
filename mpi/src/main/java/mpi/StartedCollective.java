// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.AllGather;
import org.tallypost.collectives.AllReduce;
import org.tallypost.collectives.AllToAll;
import org.tallypost.collectives.Barrier;
import org.tallypost.collectives.Broadcast;
import org.tallypost.collectives.Distribution;
import org.tallypost.collectives.ElementType;
import org.tallypost.collectives.Gather;
import org.tallypost.collectives.Reduce;
import org.tallypost.collectives.ReduceScatter;
import org.tallypost.collectives.Scan;
import org.tallypost.collectives.Scatter;

/**
 * Which way a collective operation goes that is only started: by the communicator's team if it has one by then, else by messages.
 * A start waits for no other rank, so it makes no team. All ranks decide alike, since the operations that make one come in the
 * same order at all of them. Its buffers have no objects.
 */
abstract class StartedCollective extends TeamCollective
{
    /**
     * A broadcast, or a gather to all, of so many bytes of all ranks together goes by messages: a rank goes on with the next ones
     * before the others have come to the first. Operations of a team are done one after the other (docs/lab/114).
     */
    private static final int MAX_SHORT = 64;

    StartedCollective()
    {
    }

    /** What starts an operation, within a call. */
    private interface Start
    {
        Transfer transfer() throws MPIException;
    }

    private Request start(final Start start) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            return Request.started(entered, start.transfer());
        }
        finally
        {
            entered.exit();
        }
    }

    private boolean isByPresentTeam(final long length, final Datatype type)
    {
        return !isBetweenGroups() && isForTeam(length, type) && path().isPresent();
    }

    final Request startBarrier() throws MPIException
    {
        return start(() ->
        {
            if (isBetweenGroups() || !path().isPresent())
            {
                return barrierSchedule();
            }
            final Barrier handle = path().team().newBarrier();
            return new TeamTransfer(this).of(handle, handle::start, null);
        });
    }

    final Request startBcast(final Items items, final int root) throws MPIException
    {
        return start(() ->
        {
            final long length = length(items);
            if (length <= MAX_SHORT || !isByPresentTeam(length, items.type))
            {
                return bcastSchedule(items, root);
            }
            checkRoot(root, local());
            final TeamTransfer transfer = new TeamTransfer(this);
            final boolean isRoot = root == ownRank();
            final Payload payload = isRoot ? transfer.out : transfer.in;
            if (isRoot)
            {
                payload.out(items);
            }
            else
            {
                payload.in(items);
            }
            final Broadcast handle = path().team().newBroadcast();
            return transfer.of(handle, () -> handle.start(root, payload.bytes, 0, payload.length()),
                isRoot ? null : transfer::received);
        });
    }

    /** Without own items they are in their place at the root. */
    final Request startGather(final Items own, final Portions all, final int root) throws MPIException
    {
        return start(() ->
        {
            if (!isBetweenGroups() && isVarying(all) && path().isPresent())
            {
                return gatherVarying(own, all, root);
            }
            final Items portion = own == null ? all.first() : own;
            if (isVarying(all) || !isByPresentTeam(length(portion) * peerCount(), portion.type))
            {
                return gatherSchedule(own, all, root);
            }
            checkRoot(root, local());
            final TeamTransfer transfer = new TeamTransfer(this);
            final boolean isRoot = root == ownRank();
            if (isRoot)
            {
                transfer.in.in(whole(all));
            }
            transfer.out.outApartFrom(transfer.in, own == null ? all.of(root) : own);
            final Gather handle = path().team().newGather();
            return transfer.of(handle, () -> handle.start(root, transfer.out.bytes, 0, isRoot ? transfer.in.bytes :
                TeamPath.NOTHING, 0, transfer.out.length()), isRoot ? transfer::received : null);
        });
    }

    /** Without own items they are in their place at the root. */
    final Request startScatter(final Portions all, final Items own, final int root) throws MPIException
    {
        return start(() ->
        {
            if (!isBetweenGroups() && isVarying(all) && path().isPresent())
            {
                return scatterVarying(all, own, root);
            }
            final Items portion = own == null ? all.first() : own;
            if (isVarying(all) || !isByPresentTeam(length(portion) * peerCount(), portion.type))
            {
                return scatterSchedule(all, own, root);
            }
            checkRoot(root, local());
            final TeamTransfer transfer = new TeamTransfer(this);
            final boolean isRoot = root == ownRank();
            final int length = (int)length(portion);
            transfer.in.in(own == null ? Items.of(new byte[length], 0, length, MPI.BYTE) : own);
            if (isRoot)
            {
                transfer.out.outApartFrom(transfer.in, whole(all));
            }
            final Scatter handle = path().team().newScatter();
            return transfer.of(handle, () -> handle.start(root, isRoot ? transfer.out.bytes : TeamPath.NOTHING, 0,
                transfer.in.bytes, 0, length), own == null ? null : transfer::received);
        });
    }

    /** Without own items they are in their place. */
    final Request startAllGather(final Items own, final Portions all) throws MPIException
    {
        return start(() ->
        {
            final long length = lengthOfAll(all);
            if (length <= MAX_SHORT || !isByPresentTeam(length, all.first().type))
            {
                return allGatherSchedule(own, all);
            }
            final TeamTransfer transfer = new TeamTransfer(this);
            final Items mine = own == null ? all.of(ownRank()) : own;
            final AllGather handle = path().team().newAllGather();
            if (all.isEqual())
            {
                transfer.in.in(whole(all));
                transfer.out.outApartFrom(transfer.in, mine);
                return transfer.of(handle, () -> handle.start(transfer.out.bytes, 0, transfer.in.bytes, 0,
                    transfer.out.length()), transfer::received);
            }
            final Distribution distribution = Distribution.ofLengths(lengths(all));
            checkPlaces(all, transfer.in);
            final UnsafeBuffer packed = TeamTransfer.room(distribution.extent());
            transfer.out.out(mine);
            return transfer.of(handle, () -> handle.start(transfer.out.bytes, 0, packed, 0, distribution),
                () -> unpack(all, distribution, packed, transfer.in));
        });
    }

    /** Each rank knows its own lengths alone, which may be longer than what others have: they all go by the team. */
    final Request startAllToAll(final Portions from, final Portions to) throws MPIException
    {
        return start(() ->
        {
            if (isBetweenGroups() || from.hasTypes() || to.hasTypes() ||
                to.isEqual() && !isForTeam(lengthOfAll(to), to.first().type) || !path().isPresent())
            {
                return allToAllSchedule(from, to);
            }
            final TeamTransfer transfer = new TeamTransfer(this);
            final AllToAll handle = path().team().newAllToAll();
            if (to.isEqual())
            {
                transfer.in.in(whole(to));
                transfer.out.outApartFrom(transfer.in, whole(from));
                return transfer.of(handle, () -> handle.start(transfer.out.bytes, 0, transfer.in.bytes, 0,
                    transfer.in.length() / peerCount()), transfer::received);
            }
            checkTotal(lengthOfAll(from));
            checkTotal(lengthOfAll(to));
            checkPlaces(to, transfer.in);
            final Distribution sending = Distribution.ofLengths(lengths(from));
            final UnsafeBuffer out = packed(transfer, from, sending);
            final Distribution receiving = Distribution.ofLengths(lengths(to));
            final UnsafeBuffer in = TeamTransfer.room(receiving.extent());
            return transfer.of(handle, () -> handle.start(out, 0, sending, in, 0, receiving),
                () -> unpack(to, receiving, in, transfer.in));
        });
    }

    private UnsafeBuffer packed(final TeamTransfer transfer, final Portions from, final Distribution distribution)
        throws MPIException
    {
        final UnsafeBuffer packed = TeamTransfer.room(distribution.extent());
        for (int rank = 0; rank < peerCount(); rank++)
        {
            transfer.out.pack(from.of(rank), packed, distribution.offset(rank));
        }
        return packed;
    }

    /**
     * The root alone knows how long portions are that differ, and a start waits for nobody that tells: it is an exchange in which
     * the others have nothing for each other.
     */
    private Transfer gatherVarying(final Items own, final Portions all, final int root) throws MPIException
    {
        checkRoot(root, local());
        final boolean isRoot = root == ownRank();
        checkForm(isRoot, own, all);
        final TeamTransfer transfer = new TeamTransfer(this);
        final AllToAll handle = path().team().newAllToAll();
        if (own != null)
        {
            transfer.out.out(own);
        }
        final Distribution sending = onlyFor(root, own == null ? 0 : transfer.out.length());
        final UnsafeBuffer out = own == null ? TeamPath.NOTHING : transfer.out.bytes;
        if (!isRoot)
        {
            final Distribution nothing = onlyFor(root, 0);
            return transfer.of(handle, () -> handle.start(out, 0, sending, TeamPath.NOTHING, 0, nothing), null);
        }
        checkTotal(lengthOfAll(all));
        checkPlaces(all, transfer.in);
        final Distribution receiving = Distribution.ofLengths(lengthsFor(all, own != null));
        final UnsafeBuffer in = TeamTransfer.room(receiving.extent());
        return transfer.of(handle, () -> handle.start(out, 0, sending, in, 0, receiving), () ->
        {
            for (int rank = 0; rank < peerCount(); rank++)
            {
                if (rank != root || own != null)
                {
                    transfer.in.unpack(all.of(rank), in, receiving.offset(rank));
                }
            }
        });
    }

    private Transfer scatterVarying(final Portions all, final Items own, final int root) throws MPIException
    {
        checkRoot(root, local());
        final boolean isRoot = root == ownRank();
        checkForm(isRoot, own, all);
        final TeamTransfer transfer = new TeamTransfer(this);
        final AllToAll handle = path().team().newAllToAll();
        if (own != null)
        {
            transfer.in.in(own);
        }
        final Distribution receiving = onlyFor(root, own == null ? 0 : transfer.in.length());
        final UnsafeBuffer in = own == null ? TeamPath.NOTHING : transfer.in.bytes;
        final Schedule.Computation end = own == null ? null : transfer::received;
        if (!isRoot)
        {
            final Distribution nothing = onlyFor(root, 0);
            return transfer.of(handle, () -> handle.start(TeamPath.NOTHING, 0, nothing, in, 0, receiving), end);
        }
        checkTotal(lengthOfAll(all));
        final Distribution whole = Distribution.ofLengths(lengths(all));
        final UnsafeBuffer out = packed(transfer, all, whole);
        // what is in its place goes nowhere
        final Distribution sending = own == null ? whole.range(root, 0, 0) : whole;
        return transfer.of(handle, () -> handle.start(out, 0, sending, in, 0, receiving), end);
    }

    private Distribution onlyFor(final int rank, final int length)
    {
        final int[] lengths = new int[peerCount()];
        lengths[rank] = length;
        return Distribution.ofLengths(lengths);
    }

    /** Those of all ranks, or of the others. */
    private int[] lengthsFor(final Portions all, final boolean isWithOwn)
    {
        final int[] lengths = lengths(all);
        lengths[ownRank()] = isWithOwn ? lengths[ownRank()] : 0;
        return lengths;
    }

    private static void checkTotal(final long length) throws MPIException
    {
        if (length > MAX_LENGTH)
        {
            throw new MPIException(MPI.ERR_COUNT, "the portions of all ranks are too long together: found=" + length +
                ", expected at most " + MAX_LENGTH + " bytes");
        }
    }

    private ElementType elementsByPresentTeam(final Op op, final Items items) throws MPIException
    {
        final ElementType elements = isBetweenGroups() ? null : elementsOf(op, items.type);
        return elements != null && isByPresentTeam(length(items), items.type) ? elements : null;
    }

    final Request startReduce(final Items own, final Items result, final Op op, final int root) throws MPIException
    {
        return start(() ->
        {
            final ElementType elements = elementsByPresentTeam(op, own);
            if (elements == null)
            {
                return reduceSchedule(own, result, op, root);
            }
            checkRoot(root, local());
            final TeamTransfer transfer = new TeamTransfer(this);
            final boolean isRoot = root == ownRank();
            if (isRoot)
            {
                transfer.in.in(result);
            }
            transfer.out.outApartFrom(transfer.in, own);
            final Reduce handle = path().team().newReduce(elements, op.reducer());
            return transfer.of(handle, () -> handle.start(root, transfer.out.bytes, 0, isRoot ? transfer.in.bytes :
                TeamPath.NOTHING, 0, transfer.out.length() / elements.length()), isRoot ? transfer::received : null);
        });
    }

    final Request startAllReduce(final Items own, final Items result, final Op op) throws MPIException
    {
        return start(() ->
        {
            final ElementType elements = elementsByPresentTeam(op, own);
            if (elements == null)
            {
                return allReduceSchedule(own, result, op);
            }
            final TeamTransfer transfer = new TeamTransfer(this);
            transfer.in.in(result);
            transfer.out.outApartFrom(transfer.in, own);
            final AllReduce handle = path().team().newAllReduce(elements, op.reducer());
            return transfer.of(handle, () -> handle.start(transfer.out.bytes, 0, transfer.in.bytes, 0,
                transfer.out.length() / elements.length()), transfer::received);
        });
    }

    final Request startScan(final Items own, final Items result, final Op op, final boolean isExclusive) throws MPIException
    {
        return start(() ->
        {
            final ElementType elements = elementsByPresentTeam(op, own);
            if (elements == null)
            {
                return scanSchedule(own, result, op, isExclusive);
            }
            final TeamTransfer transfer = new TeamTransfer(this);
            transfer.in.in(result);
            transfer.out.outApartFrom(transfer.in, own);
            final Scan handle = path().team().newScan(elements, op.reducer(), isExclusive);
            return transfer.of(handle, () -> handle.start(transfer.out.bytes, 0, transfer.in.bytes, 0,
                transfer.out.length() / elements.length()), ownRank() > 0 || !isExclusive ? transfer::received : null);
        });
    }

    /** Portions are of the result. */
    final Request startReduceScatter(final Items own, final Items result, final int[] counts, final Op op) throws MPIException
    {
        return start(() ->
        {
            final ElementType elements = elementsByPresentTeam(op, own);
            if (elements == null)
            {
                return reduceScatterSchedule(own, result, counts, op);
            }
            final TeamTransfer transfer = new TeamTransfer(this);
            final Distribution distribution = distribution(own, result, counts);
            transfer.in.in(result.at(0, counts[ownRank()]));
            transfer.out.outApartFrom(transfer.in, own);
            final ReduceScatter handle = path().team().newReduceScatter(elements, op.reducer());
            return transfer.of(handle, () -> handle.start(transfer.out.bytes, 0, distribution, transfer.in.bytes, 0),
                transfer::received);
        });
    }
}
