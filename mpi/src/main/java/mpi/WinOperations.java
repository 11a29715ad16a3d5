// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** What a rank does with parts of a window, and what is under way. */
abstract class WinOperations
{
    /** Tag of messages to a part; those of replies are above it. */
    static final int REQUEST_TAG = 0;

    private final Intracomm comm;
    private final WindowTarget target;
    private final WindowEpoch epoch;
    private final WindowAccess access;
    private final WindowParts parts;
    private final List<WindowOperation> underWay = new ArrayList<>();
    private int lastReplyTag = REQUEST_TAG;
    private long operationsByMessages;
    private boolean isFreed;

    WinOperations(final Buffer base, final int size, final int dispUnit, final Comm of) throws MPIException
    {
        of.check();
        if (of.isBetweenGroups())
        {
            throw new MPIException(MPI.ERR_COMM, "a window is of one group: found a communicator between two");
        }
        final UnsafeBuffer memory = new UnsafeBuffer(0, 0);
        final int unit = base == null ? 1 : Place.unitOf(base);
        final Place place = size == 0 ? new Place().setNone() : new Place().set(base, 0, 0);
        if (size < 0 || (long)size * unit > place.length())
        {
            throw new MPIException(MPI.ERR_SIZE, "the window does not fit the buffer: found=" + size + ", expected=0 to " +
                place.length() / unit);
        }
        if (dispUnit < 1 || dispUnit > Integer.MAX_VALUE / unit)
        {
            throw new MPIException(MPI.ERR_DISP, "no such unit of displacements: found=" + dispUnit + ", expected at least 1");
        }
        if (size > 0 && !place.wrap(memory, size * unit))
        {
            throw new MPIException(MPI.ERR_BUFFER, "a window needs a direct buffer, or one of bytes: found=" + base);
        }
        comm = ((Intracomm)of).dup();
        parts = new WindowParts(comm, base, place.address(), size * unit, dispUnit * unit);
        epoch = new WindowEpoch(parts.count());
        access = new WindowAccess(parts.regions());
        target = new WindowTarget(comm.channels(), memory, access.region(comm.ownRank()),
            new WindowAnswers(comm.channels(), parts.ranks()), parts.count());
        comm.world().start(target);
        // no rank sends to a part that does not listen
        parts.meet();
    }

    final void check() throws MPIException
    {
        if (isFreed)
        {
            throw new MPIException(MPI.ERR_WIN, "the window was freed");
        }
        comm.check();
    }

    final Intracomm comm()
    {
        return comm;
    }

    final World world()
    {
        return comm.world();
    }

    final Channels channels()
    {
        return comm.channels();
    }

    final WindowTarget target()
    {
        return target;
    }

    final WindowAccess access()
    {
        return access;
    }

    /** Operations on items that have gone by messages. */
    final long operationsByMessages()
    {
        return operationsByMessages;
    }

    final WindowEpoch epoch()
    {
        return epoch;
    }

    final int nextReplyTag()
    {
        lastReplyTag = lastReplyTag == Integer.MAX_VALUE ? REQUEST_TAG + 1 : lastReplyTag + 1;
        return lastReplyTag;
    }

    /** A turn of a loop that waits for other ranks; fails if this rank's part does. */
    final void turn() throws MPIException
    {
        target.throwFailure();
        world().turn();
    }

    /** The same, for what another rank does in memory: nothing wakes this thread for it. */
    private void turnAndLook() throws MPIException
    {
        target.throwFailure();
        world().turnAndLook();
    }

    /** Waits for the lock of a rank's part, in memory or by messages. */
    final void awaitLock(final int rank, final boolean isExclusive) throws MPIException
    {
        if (parts.tryLock(rank, isExclusive, this::turnAndLook))
        {
            return;
        }
        begin(new WindowOperation((Win)this, rank,
            isExclusive ? WindowMessage.LOCK_EXCLUSIVE : WindowMessage.LOCK_SHARED));
        boolean isTaken = false;
        try
        {
            awaitAll(rank);
            isTaken = true;
        }
        finally
        {
            if (!isTaken)
            {
                // also if a function of the program has thrown in a turn: the other rank need not keep the lock for this one
                begin(new WindowOperation((Win)this, rank, WindowMessage.UNLOCK));
            }
        }
    }

    /** Gives the lock back; nothing is under way with the rank. */
    final void giveBackLock(final int rank, final boolean isExclusive) throws MPIException
    {
        if (parts.tryUnlock(rank, isExclusive))
        {
            // a rank that takes and gives locks in a loop does what others ask of it
            world().workWithin();
        }
        else
        {
            begin(new WindowOperation((Win)this, rank, WindowMessage.UNLOCK));
            awaitAll(rank);
        }
    }

    /** Behind all that is under way with the same rank. */
    final void begin(final WindowOperation operation) throws MPIException
    {
        final World entered = world().enter();
        try
        {
            world().start(queued(operation));
        }
        finally
        {
            entered.exit();
        }
    }

    private WindowOperation queued(final WindowOperation operation)
    {
        WindowOperation before = null;
        for (int i = underWay.size() - 1; i >= 0; i--)
        {
            final WindowOperation each = underWay.get(i);
            if (each.progress() && each.failure() == null)
            {
                underWay.remove(i);
            }
            else if (each.target() == operation.target() && before == null)
            {
                before = each;
            }
        }
        underWay.add(operation.behind(before));
        return operation;
    }

    /** Waits for what is under way with a rank. */
    final void awaitAll(final int rank) throws MPIException
    {
        MPIException failure = null;
        WindowOperation each = nextUnderWay(rank);
        while (each != null)
        {
            while (!each.progress())
            {
                turn();
            }
            failure = failure == null ? each.failure() : failure;
            underWay.remove(each);
            each = nextUnderWay(rank);
        }
        if (failure != null)
        {
            throw failure;
        }
        if (access.region(rank) != null)
        {
            access.region(rank).flush();
        }
    }

    private WindowOperation nextUnderWay(final int rank)
    {
        for (int i = 0; i < underWay.size(); i++)
        {
            if (underWay.get(i).target() == rank)
            {
                return underWay.get(i);
            }
        }
        return null;
    }

    final void awaitAll() throws MPIException
    {
        MPIException failure = null;
        for (int rank = 0; rank < parts.count(); rank++)
        {
            try
            {
                awaitAll(rank);
            }
            catch (final MPIException ex)
            {
                failure = failure == null ? ex : failure;
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }

    final void end() throws MPIException
    {
        isFreed = true;
        target.close();
        world().await(target);
        comm.free();
    }

    /** Where items begin in the part of a rank, if that may be accessed and has them. */
    private long begin(final int rank, final int disp, final int count, final Datatype type) throws MPIException
    {
        epoch.checkAccess(rank);
        checkType(type);
        type.check();
        if (type.isObject())
        {
            throw new MPIException(MPI.ERR_TYPE, "objects are in no window: found=" + type);
        }
        if (count < 0)
        {
            throw new MPIException(MPI.ERR_COUNT, "no such count: found=" + count + ", expected at least 0");
        }
        final long begin = (long)disp * parts.unit(rank);
        final long last = Math.max(0, count - 1L) * type.extent();
        if (count > 0 && (begin + type.trueBegin() + Math.min(0, last) < 0 ||
            begin + type.trueEnd() + Math.max(0, last) > parts.length(rank)))
        {
            throw new MPIException(MPI.ERR_DISP, "items are outside the part of rank " + rank + ": found=" + begin + " to " +
                (begin + type.trueEnd() + Math.max(0, last)) + ", expected=0 to " + parts.length(rank) + " bytes");
        }
        return begin;
    }

    private static void checkType(final Datatype type) throws MPIException
    {
        if (type == null)
        {
            throw new MPIException(MPI.ERR_TYPE, "no datatype: found=null");
        }
    }

    /** An operation that goes by messages. */
    private WindowOperation operation(
        final int action, final int rank, final long begin, final int count, final Datatype type, final int reduction)
    {
        operationsByMessages++;
        final WindowSegments segments = new WindowSegments(begin, count, type);
        return new WindowOperation((Win)this, rank, action).segments(segments.begins(), segments.lengths(), type, reduction);
    }

    private static UnsafeBuffer packed(final Items... each) throws MPIException
    {
        long length = 0;
        for (final Items items : each)
        {
            checkType(items.type);
            length += (long)Math.max(0, items.count) * items.type.size();
        }
        if (length > Integer.MAX_VALUE - 8)
        {
            throw new MPIException(MPI.ERR_COUNT, "too many bytes: found=" + length);
        }
        final UnsafeBuffer packed = new UnsafeBuffer(new byte[(int)length]);
        final Payload payload = new Payload();
        int at = 0;
        for (final Items items : each)
        {
            payload.pack(items, packed, at);
            at += payload.length();
        }
        return packed;
    }

    private static int reduction(final Op op, final Datatype type) throws MPIException
    {
        if (op == MPI.REPLACE || op == MPI.NO_OP)
        {
            return op == MPI.REPLACE ? WindowMessage.REPLACE : WindowMessage.NO_CHANGE;
        }
        Fold.check(op, type);
        if (op == MPI.PROD && (type == MPI.FLOAT_COMPLEX || type == MPI.DOUBLE_COMPLEX))
        {
            throw new MPIException(MPI.ERR_OP, "products of complex numbers are in no window");
        }
        return WindowMessage.numberOf(op);
    }

    /**
     * Changes the target, and fetches what was there if there is a type of that. Returns what has to go by messages; null if
     * nothing has to.
     */
    private WindowOperation change(
        final Buffer origin, final int orgCount, final Datatype orgType, final Buffer result, final int resultCount,
        final Datatype resultType, final int rank, final int disp, final int count, final Datatype type, final Op op,
        final boolean isAtomic) throws MPIException
    {
        final int reduction = reduction(op, type);
        check();
        if (comm.dest(rank) == MPI.PROC_NULL)
        {
            return null;
        }
        final World entered = world().enter();
        try
        {
            final long begin = begin(rank, disp, count, type);
            if (access.isPossible(rank, begin, type, reduction, isAtomic))
            {
                access.change(origin, orgCount, orgType, result, resultCount, resultType, rank, begin, count, type, reduction,
                    isAtomic);
                return null;
            }
            final WindowOperation made = operation(WindowMessage.UPDATE, rank, begin, count, type, reduction);
            if (reduction != WindowMessage.NO_CHANGE)
            {
                final UnsafeBuffer data = packed(Items.of(origin, 0, orgCount, orgType));
                WindowAccess.checkLength(data.capacity(), count, type);
                made.data(data);
            }
            if (resultType != null)
            {
                final Items into = Items.of(result, 0, resultCount, resultType);
                new Payload().check(into);
                WindowAccess.checkLength((long)resultCount * resultType.size(), count, type);
                made.fetch(into);
            }
            return made;
        }
        finally
        {
            entered.exit();
        }
    }

    private void beginIfAny(final WindowOperation operation) throws MPIException
    {
        if (operation != null)
        {
            begin(operation);
        }
    }

    /** The request of what goes by messages, or of what is done. */
    private Request requested(final int rank, final WindowOperation operation) throws MPIException
    {
        if (operation == null && rank == MPI.PROC_NULL)
        {
            return MPI.REQUEST_NULL;
        }
        final World entered = world().enter();
        try
        {
            return Request.started(world(), operation == null ? new EndedTransfer() : queued(operation));
        }
        finally
        {
            entered.exit();
        }
    }

    /** Stores items in the part of a rank. */
    public final void put(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType) throws MPIException
    {
        beginIfAny(change(origin, orgCount, orgType, null, 0, null, targetRank, targetDisp, targetCount, targetType, MPI.REPLACE,
            false));
    }

    /** Fetches items of the part of a rank. */
    public final void get(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType) throws MPIException
    {
        checkType(orgType);
        beginIfAny(change(null, 0, null, origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType, MPI.NO_OP,
            false));
    }

    /** Reduces items of the part of a rank with others; REPLACE stores these. */
    public final void accumulate(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType, final Op op) throws MPIException
    {
        beginIfAny(change(origin, orgCount, orgType, null, 0, null, targetRank, targetDisp, targetCount, targetType, op, true));
    }

    /** As accumulate, and fetches what was there before; with NO_OP it only fetches. */
    public final void getAccumulate(
        final Buffer origin, final int orgCount, final Datatype orgType, final Buffer resultAddr, final int resultCount,
        final Datatype resultType, final int targetRank, final int targetDisp, final int targetCount, final Datatype targetType,
        final Op op) throws MPIException
    {
        checkType(resultType);
        beginIfAny(change(origin, orgCount, orgType, resultAddr, resultCount, resultType, targetRank, targetDisp, targetCount,
            targetType, op, true));
    }

    /** The same with one item. */
    public final void fetchAndOp(
        final Buffer origin, final Buffer resultAddr, final Datatype dataType, final int targetRank, final int targetDisp,
        final Op op) throws MPIException
    {
        getAccumulate(origin, 1, dataType, resultAddr, 1, dataType, targetRank, targetDisp, 1, dataType, op);
    }

    /** Stores an item in the place of one that is equal to another one; fetches what was there before. */
    public final void compareAndSwap(
        final Buffer origin, final Buffer compareAddr, final Buffer resultAddr, final Datatype targetType, final int targetRank,
        final int targetDisp) throws MPIException
    {
        check();
        if (comm.dest(targetRank) == MPI.PROC_NULL)
        {
            return;
        }
        final World entered = world().enter();
        try
        {
            final long begin = begin(targetRank, targetDisp, 1, targetType);
            if (targetType.size() > Double.BYTES)
            {
                throw new MPIException(MPI.ERR_TYPE, "an item is too long to be compared: found=" + targetType.size() +
                    ", expected at most 8 bytes");
            }
            if (access.isPossible(targetRank, begin, targetType, WindowMessage.REPLACE, true))
            {
                access.compareAndSwap(origin, compareAddr, resultAddr, targetType, targetRank, begin);
                return;
            }
            final Items result = Items.of(resultAddr, 0, 1, targetType);
            new Payload().check(result);
            begin(operation(WindowMessage.COMPARE, targetRank, begin, 1, targetType, WindowMessage.REPLACE)
                .data(packed(Items.of(compareAddr, 0, 1, targetType), Items.of(origin, 0, 1, targetType))).fetch(result));
        }
        finally
        {
            entered.exit();
        }
    }

    public final Request rPut(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType) throws MPIException
    {
        return requested(targetRank, change(origin, orgCount, orgType, null, 0, null, targetRank, targetDisp, targetCount,
            targetType, MPI.REPLACE, false));
    }

    public final Request rGet(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType) throws MPIException
    {
        checkType(orgType);
        return requested(targetRank, change(null, 0, null, origin, orgCount, orgType, targetRank, targetDisp, targetCount,
            targetType, MPI.NO_OP, false));
    }

    public final Request rAccumulate(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType, final Op op) throws MPIException
    {
        return requested(targetRank, change(origin, orgCount, orgType, null, 0, null, targetRank, targetDisp, targetCount,
            targetType, op, true));
    }

    public final Request rGetAccumulate(
        final Buffer origin, final int orgCount, final Datatype orgType, final Buffer resultAddr, final int resultCount,
        final Datatype resultType, final int targetRank, final int targetDisp, final int targetCount, final Datatype targetType,
        final Op op) throws MPIException
    {
        checkType(resultType);
        return requested(targetRank, change(origin, orgCount, orgType, resultAddr, resultCount, resultType, targetRank,
            targetDisp, targetCount, targetType, op, true));
    }

    /** What was done when it was asked for. */
    private static final class EndedTransfer extends Transfer
    {
        @Override
        boolean isCarriedOn()
        {
            return false;
        }

        @Override
        void begin()
        {
            // nothing is left to do
        }

        @Override
        boolean advance()
        {
            return true;
        }
    }
}
