// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.Distribution;
import org.tallypost.collectives.ElementType;

/**
 * Which way a collective operation goes that waits: by the communicator's team in shared memory, or by messages. All ranks decide
 * alike, because they go by what the standard has alike at all of them: which operation it is, how many bytes a portion has,
 * whether they are objects, and which reduction it is. Where items are, and whether they have gaps, is a rank's own affair: it
 * packs them if it has to.
 */
abstract class TeamCollective extends CollectiveSchedules
{
    static final long MAX_LENGTH = Integer.MAX_VALUE - 8;

    TeamCollective()
    {
    }

    /** What each rank has passed, by messages. */
    abstract int[][] exchangeAll(int... own) throws MPIException;

    /** Bytes of all ranks together, and whether these are objects: whether they go by the team. */
    private boolean isByTeam(final long length, final Datatype type) throws MPIException
    {
        return isForTeam(length, type) && path().isThere(this);
    }

    static boolean isForTeam(final long length, final Datatype type)
    {
        return length <= MAX_LENGTH && (length == 0 || !type.isObject());
    }

    static long length(final Items items) throws MPIException
    {
        if (items.type == null)
        {
            throw new MPIException(MPI.ERR_TYPE, "no datatype: found=null");
        }
        items.type.check();
        if (items.count < 0)
        {
            throw new MPIException(MPI.ERR_COUNT, "no such count: found=" + items.count + ", expected at least 0");
        }
        return (long)items.count * items.type.size();
    }

    /** Checks what all operations need: whether it may go by a team at all. */
    private boolean isOfOneGroup() throws MPIException
    {
        check();
        return !isBetweenGroups();
    }

    final void doBarrier() throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            if (isOfOneGroup() && path().isThere(this))
            {
                path().check(path().calls().barrier());
                return;
            }
            run(barrierSchedule());
        }
        finally
        {
            entered.exit();
        }
    }

    final void doBcast(final Items items, final int root) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            if (!isOfOneGroup() || !isByTeam(length(items), items.type))
            {
                run(bcastSchedule(items, root));
                return;
            }
            checkRoot(root, local());
            final Payload payload = root == ownRank() ? path().out : path().in;
            if (root == ownRank())
            {
                payload.out(items);
            }
            else
            {
                payload.in(items);
            }
            path().check(path().calls().broadcast(root, payload.bytes, 0, payload.length()));
            if (root != ownRank())
            {
                payload.received(payload.length());
            }
        }
        finally
        {
            entered.exit();
        }
    }

    /** Without own items they are in their place at the root. */
    final void doGather(final Items own, final Portions all, final int root) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            final boolean isRoot = isOfOneGroup() && root == ownRank();
            if (!isBetweenGroups() && isVarying(all) && path().isThere(this))
            {
                gatherVarying(own, all, root);
                return;
            }
            final Items portion = own == null ? all.first() : own;
            if (isBetweenGroups() || isVarying(all) || !isByTeam(length(portion) * peerCount(), portion.type))
            {
                run(gatherSchedule(own, all, root));
                return;
            }
            checkRoot(root, local());
            final Payload out = path().out;
            final Payload in = path().in;
            if (isRoot)
            {
                in.in(whole(all));
            }
            takeOut(own == null ? all.of(root) : own, isRoot);
            path().check(path().calls().gather(root, out.bytes, 0, isRoot ? in.bytes : TeamPath.NOTHING, 0, out.length()));
            if (isRoot)
            {
                in.received(in.length());
            }
        }
        finally
        {
            entered.exit();
        }
    }

    final Items whole(final Portions all) throws MPIException
    {
        return all.whole(total((long)all.first().count * peerCount()));
    }

    private static int total(final long items) throws MPIException
    {
        if (items > Integer.MAX_VALUE)
        {
            throw new MPIException(MPI.ERR_COUNT, "too many items for all ranks: found=" + items + ", expected at most " +
                Integer.MAX_VALUE);
        }
        return (int)items;
    }

    /** Takes items to be sent; apart from those that come in, if some do. */
    private void takeOut(final Items items, final boolean isApart) throws MPIException
    {
        if (isApart)
        {
            path().out.outApartFrom(path().in, items);
        }
        else
        {
            path().out.out(items);
        }
    }

    /** Without own items they are in their place at the root. */
    final void doScatter(final Portions all, final Items own, final int root) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            final boolean isRoot = isOfOneGroup() && root == ownRank();
            if (!isBetweenGroups() && isVarying(all) && path().isThere(this))
            {
                scatterVarying(all, own, root);
                return;
            }
            final Items portion = own == null ? all.first() : own;
            if (isBetweenGroups() || isVarying(all) || !isByTeam(length(portion) * peerCount(), portion.type))
            {
                run(scatterSchedule(all, own, root));
                return;
            }
            checkRoot(root, local());
            final Payload in = path().in;
            final int length = (int)length(portion);
            if (own != null)
            {
                in.in(own);
            }
            else
            {
                // what is in its place anyway comes to where nobody looks
                in.in(Items.of(new byte[length], 0, length, MPI.BYTE));
            }
            if (isRoot)
            {
                takeOut(whole(all), true);
            }
            path().check(path().calls().scatter(root, isRoot ? path().out.bytes : TeamPath.NOTHING, 0, in.bytes, 0, length));
            if (own != null)
            {
                in.received(length);
            }
        }
        finally
        {
            entered.exit();
        }
    }

    /** Whether portions may differ. Then they are known to the root alone. */
    static boolean isVarying(final Portions all)
    {
        return all == null || !all.isEqual();
    }

    /** The root tells all how long the portions are; null if they go by messages, as objects do. */
    private Distribution tellLengths(final Portions all, final int root) throws MPIException
    {
        checkRoot(root, local());
        final UnsafeBuffer told = path().outRoom((peerCount() + 1) * Integer.BYTES);
        if (root == ownRank())
        {
            final boolean isMeant = isForTeam(lengthOfAll(all), all.first().type);
            final int[] lengths = isMeant ? lengths(all) : new int[peerCount()];
            told.putInt(0, isMeant ? 1 : 0);
            for (int rank = 0; rank < lengths.length; rank++)
            {
                told.putInt((rank + 1) * Integer.BYTES, lengths[rank]);
            }
        }
        path().check(path().calls().broadcast(root, told, 0, (peerCount() + 1) * Integer.BYTES));
        if (told.getInt(0) == 0)
        {
            return null;
        }
        final int[] lengths = new int[peerCount()];
        Arrays.setAll(lengths, (rank) -> told.getInt((rank + 1) * Integer.BYTES));
        return Distribution.ofLengths(lengths);
    }

    /** With the length that this rank has itself. If it is another one, the distributions of the ranks differ, which all find. */
    private Distribution withOwn(final Distribution told, final Items own) throws MPIException
    {
        final long length = length(own);
        if (length > 0 && own.type.isObject())
        {
            throw new MPIException(MPI.ERR_TYPE, "the root has no objects: found=" + own.type);
        }
        return told.length(ownRank()) == length ? told :
            told.range(ownRank(), told.extent(), (int)Math.min(length, MAX_LENGTH - told.extent()));
    }

    private void gatherVarying(final Items own, final Portions all, final int root) throws MPIException
    {
        final boolean isRoot = root == ownRank();
        checkForm(isRoot, own, all);
        final Distribution told = tellLengths(all, root);
        if (told == null)
        {
            run(gatherSchedule(own, all, root));
            return;
        }
        final Items mine = own == null ? all.of(root) : own;
        final Distribution distribution = withOwn(told, mine);
        final UnsafeBuffer packed = isRoot ? room(all, distribution) : TeamPath.NOTHING;
        takeOut(mine, false);
        path().check(path().calls().gather(root, path().out.bytes, 0, packed, 0, distribution));
        if (isRoot)
        {
            unpack(all, distribution, packed, path().in);
        }
    }

    private void scatterVarying(final Portions all, final Items own, final int root) throws MPIException
    {
        final boolean isRoot = root == ownRank();
        checkForm(isRoot, own, all);
        final Distribution told = tellLengths(all, root);
        if (told == null)
        {
            run(scatterSchedule(all, own, root));
            return;
        }
        final int length = told.length(ownRank());
        final Items mine = own == null ? Items.of(new byte[length], 0, length, MPI.BYTE) : own;
        final Distribution distribution = withOwn(told, mine);
        final UnsafeBuffer packed = isRoot ? path().outRoom(distribution.extent()) : TeamPath.NOTHING;
        for (int rank = 0; isRoot && rank < peerCount(); rank++)
        {
            path().out.pack(all.of(rank), packed, told.offset(rank));
        }
        path().in.in(mine);
        path().check(path().calls().scatter(root, packed, 0, distribution, path().in.bytes, 0));
        path().in.received(path().in.length());
    }

    /** Without own items they are in their place. */
    final void doAllGather(final Items own, final Portions all) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            if (!isOfOneGroup() || !isByTeam(lengthOfAll(all), all.first().type))
            {
                run(allGatherSchedule(own, all));
                return;
            }
            final Items mine = own == null ? all.of(ownRank()) : own;
            if (all.isEqual())
            {
                path().in.in(whole(all));
                takeOut(mine, true);
                path().check(path().calls().allGather(path().out.bytes, 0, path().in.bytes, 0, path().out.length()));
                path().in.received(path().in.length());
                return;
            }
            final Distribution distribution = Distribution.ofLengths(lengths(all));
            final UnsafeBuffer packed = room(all, distribution);
            takeOut(mine, false);
            path().check(path().calls().allGather(path().out.bytes, 0, packed, 0, distribution));
            unpack(all, distribution, packed, path().in);
        }
        finally
        {
            entered.exit();
        }
    }

    final long lengthOfAll(final Portions all) throws MPIException
    {
        all.check(peerCount());
        if (all.isEqual())
        {
            return length(all.first()) * peerCount();
        }
        long length = 0;
        for (int rank = 0; rank < peerCount(); rank++)
        {
            length += length(all.of(rank));
        }
        return length;
    }

    final int[] lengths(final Portions all)
    {
        final int[] lengths = new int[peerCount()];
        Arrays.setAll(lengths, (rank) -> all.count(rank) * all.first().type.size());
        return lengths;
    }

    /** Room for packed portions, after a check that all have places to go to. */
    private UnsafeBuffer room(final Portions all, final Distribution distribution) throws MPIException
    {
        checkPlaces(all, path().in);
        return path().room(distribution.extent());
    }

    final void checkPlaces(final Portions all, final Payload in) throws MPIException
    {
        for (int rank = 0; rank < peerCount(); rank++)
        {
            in.check(all.of(rank));
        }
    }

    final void unpack(final Portions all, final Distribution distribution, final UnsafeBuffer packed, final Payload in)
        throws MPIException
    {
        for (int rank = 0; rank < peerCount(); rank++)
        {
            in.unpack(all.of(rank), packed, distribution.offset(rank));
        }
    }

    final void doAllToAll(final Portions from, final Portions to) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            if (!isOfOneGroup() || from.hasTypes() || to.hasTypes())
            {
                // items of several types: a rank does not know whether others exchange objects
                run(allToAllSchedule(from, to));
            }
            else if (to.isEqual())
            {
                exchangeEqual(from, to);
            }
            else
            {
                exchange(from, to);
            }
        }
        finally
        {
            entered.exit();
        }
    }

    private void exchangeEqual(final Portions from, final Portions to) throws MPIException
    {
        if (!isByTeam(lengthOfAll(to), to.first().type))
        {
            run(allToAllSchedule(from, to));
            return;
        }
        path().in.in(whole(to));
        takeOut(whole(from), true);
        path().check(path().calls().allToAll(
            path().out.bytes, 0, path().in.bytes, 0, path().in.length() / peerCount()));
        path().in.received(path().in.length());
    }

    /** Two ranks may exchange objects, and the others do not know that: so all ask all. */
    private void exchange(final Portions from, final Portions to) throws MPIException
    {
        final long sent = lengthOfAll(from);
        final long received = lengthOfAll(to);
        final boolean isMeant = sent <= MAX_LENGTH && received <= MAX_LENGTH && (sent == 0 || !from.first().type.isObject()) &&
            (received == 0 || !to.first().type.isObject());
        if (!path().isThere(this) || !path().isTrueAtAll(isMeant))
        {
            run(allToAllSchedule(from, to));
            return;
        }
        final int own = ownRank();
        final int[] outgoing = lengths(from);
        final int[] incoming = lengths(to);
        checkPlaces(to, path().in);
        checkPlaces(from, path().out);
        // what stays here goes from place to place, behind all that is packed, as that may lie where this goes to
        final boolean isOwnApart =
            outgoing[own] == incoming[own] && from.of(own).type.isContiguous() && to.of(own).type.isContiguous();
        if (isOwnApart)
        {
            outgoing[own] = 0;
            incoming[own] = 0;
        }
        final Distribution sending = Distribution.ofLengths(outgoing);
        final Distribution receiving = Distribution.ofLengths(incoming);
        final UnsafeBuffer packed = path().room(receiving.extent());
        final UnsafeBuffer out = path().outRoom(sending.extent());
        for (int rank = 0; rank < peerCount(); rank++)
        {
            if (rank != own || !isOwnApart)
            {
                path().out.pack(from.of(rank), out, sending.offset(rank));
            }
        }
        if (isOwnApart)
        {
            path().out.copy(from.of(own), path().in, to.of(own));
        }
        path().check(path().calls().allToAll(out, 0, sending, packed, 0, receiving));
        for (int rank = 0; rank < peerCount(); rank++)
        {
            if (rank != own || !isOwnApart)
            {
                path().in.unpack(to.of(rank), packed, receiving.offset(rank));
            }
        }
    }

    /** Elements that the library's own reductions take; null if this one goes by messages. */
    static ElementType elementsOf(final Op op, final Datatype type) throws MPIException
    {
        Fold.check(op, type);
        final boolean isPair = op == MPI.MINLOC || op == MPI.MAXLOC;
        final boolean isComplex = type == MPI.FLOAT_COMPLEX || type == MPI.DOUBLE_COMPLEX;
        final Kind kind = op.reducer() == null || isPair || isComplex && op == MPI.PROD ? null : type.map().kind();
        return kind == null ? null : kind.elementType();
    }

    /** The elements of a reduction that goes by the team; null if it goes by messages. */
    private ElementType elementsByTeam(final Op op, final Items items) throws MPIException
    {
        final ElementType elements = isOfOneGroup() ? elementsOf(op, items.type) : null;
        return elements != null && isByTeam(length(items), items.type) ? elements : null;
    }

    final void doReduce(final Items own, final Items result, final Op op, final int root) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            final ElementType elements = elementsByTeam(op, own);
            if (elements == null)
            {
                run(reduceSchedule(own, result, op, root));
                return;
            }
            checkRoot(root, local());
            final boolean isRoot = root == ownRank();
            if (isRoot)
            {
                path().in.in(result);
            }
            takeOut(own, isRoot);
            path().check(path().calls().reduce(root, elements, op.reducer(), path().out.bytes, 0,
                isRoot ? path().in.bytes : TeamPath.NOTHING, 0, path().out.length() / elements.length()));
            if (isRoot)
            {
                path().in.received(path().in.length());
            }
        }
        finally
        {
            entered.exit();
        }
    }

    final void doAllReduce(final Items own, final Items result, final Op op) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            final ElementType elements = elementsByTeam(op, own);
            if (elements == null)
            {
                run(allReduceSchedule(own, result, op));
                return;
            }
            path().in.in(result);
            takeOut(own, true);
            path().check(path().calls().allReduce(elements, op.reducer(), path().out.bytes, 0, path().in.bytes, 0,
                path().out.length() / elements.length()));
            path().in.received(path().in.length());
        }
        finally
        {
            entered.exit();
        }
    }

    final void doScan(final Items own, final Items result, final Op op, final boolean isExclusive) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            final ElementType elements = elementsByTeam(op, own);
            if (elements == null)
            {
                run(scanSchedule(own, result, op, isExclusive));
                return;
            }
            path().in.in(result);
            takeOut(own, true);
            path().check(path().calls().scan(elements, op.reducer(), isExclusive, path().out.bytes, 0, path().in.bytes, 0,
                path().out.length() / elements.length()));
            if (ownRank() > 0 || !isExclusive)
            {
                path().in.received(path().in.length());
            }
        }
        finally
        {
            entered.exit();
        }
    }

    /** Portions are of the result. */
    final void doReduceScatter(final Items own, final Items result, final int[] counts, final Op op) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            final ElementType elements = elementsByTeam(op, own);
            if (elements == null)
            {
                run(reduceScatterSchedule(own, result, counts, op));
                return;
            }
            final Distribution distribution = distribution(own, result, counts);
            path().in.in(result.at(0, counts[ownRank()]));
            takeOut(own, true);
            path().check(path().calls().reduceScatter(elements, op.reducer(), path().out.bytes, 0,
                distribution, path().in.bytes, 0));
            path().in.received(path().in.length());
        }
        finally
        {
            entered.exit();
        }
    }

    final Distribution distribution(final Items own, final Items result, final int... counts) throws MPIException
    {
        checkCounts(counts);
        final int[] lengths = new int[peerCount()];
        Arrays.setAll(lengths, (rank) -> counts[rank] * own.type.size());
        for (final int count : counts)
        {
            length(result.at(0, count));
        }
        return Distribution.ofLengths(lengths);
    }
}
