// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;

/**
 * Something that was started and ends later. When a wait or a test has found it done it is null, but a persistent one is only
 * inactive. Calls for several requests pass over those that are null or inactive.
 */
public class Request implements Freeable
{
    private static final int NONE = -1;

    private final World world;
    /** Goes back to the rank when this has ended, to be used again; then it is null. */
    private Transfer transfer;
    private final boolean isPersistent;
    private boolean isActive;
    private boolean isFreed;

    Request(final World world, final Transfer transfer, final boolean isPersistent)
    {
        this.world = world;
        this.transfer = transfer;
        this.isPersistent = isPersistent;
    }

    /** A request of a transfer that is started here. */
    static Request started(final World world, final Transfer transfer) throws MPIException
    {
        final Request request = new Request(world, transfer, false);
        request.begin();
        return request;
    }

    final void begin() throws MPIException
    {
        if (isActive || isFreed)
        {
            throw new MPIException(MPI.ERR_REQUEST, isFreed ? "the request was freed" : "the request is active: wait for it");
        }
        World.current().enter();
        try
        {
            if (transfer.channels() != null && transfer.channels().isFreed())
            {
                throw new MPIException(MPI.ERR_COMM, "the communicator of the request was freed");
            }
            world.startWithin(transfer);
            isActive = true;
        }
        finally
        {
            world.exit();
        }
    }

    private boolean isDone()
    {
        return isActive && transfer.progress();
    }

    private Status end()
    {
        final Status status = Status.of(transfer);
        letGoOfTransfer();
        return status;
    }

    private void letGoOfTransfer()
    {
        isActive = false;
        if (!isPersistent && !transfer.isCarriedOn())
        {
            world.giveBack(transfer);
            transfer = null;
        }
    }

    /** As {@link #endOrThrow}, for a caller that wants none. */
    private void endWithoutStatus() throws MPIException
    {
        final MPIException failure = transfer.failure();
        letGoOfTransfer();
        if (failure != null)
        {
            throw failure;
        }
    }

    /** The end of one that is done, for a caller that wants one status: throws what it has failed with. */
    private Status endOrThrow() throws MPIException
    {
        final MPIException failure = transfer.failure();
        final Status status = end();
        if (failure != null)
        {
            throw failure;
        }
        return status;
    }

    /** Ends all that are done; throws their statuses if one has failed. */
    private static Status[] end(final Request[] requests, final int[] places) throws MPIException
    {
        final Status[] all = new Status[places.length];
        MPIException failure = null;
        int failed = 0;
        for (int i = 0; i < places.length; i++)
        {
            final Request request = requests[places[i]];
            if (isNothing(request))
            {
                all[i] = new Status().index(places[i]);
                continue;
            }
            final MPIException found = request.transfer.failure();
            all[i] = request.end().index(places[i]);
            if (found != null)
            {
                failed++;
                failure = failure == null ? found : failure;
            }
        }
        if (failure != null)
        {
            throw new MPIException(failed + " of " + places.length + " requests have failed, the first because of: " +
                failure.getMessage(), failure, all);
        }
        return all;
    }

    private static boolean isNothing(final Request request)
    {
        return request == null || !request.isActive;
    }

    /** The first that is done; UNDEFINED if none is active, and NONE if none is done. */
    private static int firstDone(final Request[] requests)
    {
        int found = MPI.UNDEFINED;
        for (int i = 0; i < requests.length; i++)
        {
            if (!isNothing(requests[i]))
            {
                if (requests[i].isDone())
                {
                    return i;
                }
                found = NONE;
            }
        }
        return found;
    }

    /** Those that are done; null if none is active. */
    private static int[] allDone(final Request[] requests)
    {
        final List<Integer> places = new ArrayList<>();
        boolean isAny = false;
        for (int i = 0; i < requests.length; i++)
        {
            if (!isNothing(requests[i]))
            {
                isAny = true;
                if (requests[i].isDone())
                {
                    places.add(i);
                }
            }
        }
        return isAny ? places.stream().mapToInt(Integer::intValue).toArray() : null;
    }

    private static int[] everyPlace(final Request[] requests)
    {
        final int[] places = new int[requests.length];
        for (int i = 0; i < places.length; i++)
        {
            places[i] = i;
        }
        return places;
    }

    private static boolean isEveryDone(final Request[] requests)
    {
        boolean isEvery = true;
        for (final Request request : requests)
        {
            isEvery &= isNothing(request) || request.isDone();
        }
        return isEvery;
    }

    // Open MPI

    public final void waitFor() throws MPIException
    {
        waitStatus();
    }

    public final Status waitStatus() throws MPIException
    {
        final World running = World.current();
        running.enter();
        try
        {
            if (isActive)
            {
                transfer.await();
            }
            while (isActive && !isDone())
            {
                running.turn();
            }
            return isActive ? endOrThrow() : new Status();
        }
        finally
        {
            running.exit();
        }
    }

    public final boolean test() throws MPIException
    {
        final World running = World.current();
        running.enter();
        try
        {
            if (isActive && !isDone())
            {
                running.workWithin();
            }
            final boolean isOver = !isActive || isDone();
            if (isActive && isOver)
            {
                endWithoutStatus();
            }
            return isOver;
        }
        finally
        {
            running.exit();
        }
    }

    /** The status if it is done, else null. */
    public final Status testStatus() throws MPIException
    {
        final World running = World.current();
        running.enter();
        try
        {
            if (!isActive)
            {
                return new Status();
            }
            if (!isDone())
            {
                running.workWithin();
            }
            return isDone() ? endOrThrow() : null;
        }
        finally
        {
            running.exit();
        }
    }

    /** The status if it is done, else null; the request stays as it is. */
    public final Status getStatus() throws MPIException
    {
        final World running = World.current();
        running.enter();
        try
        {
            running.work();
            return !isActive ? new Status() : isDone() ? Status.of(transfer) : null;
        }
        finally
        {
            running.exit();
        }
    }

    public static int waitAny(final Request[] requests) throws MPIException
    {
        return waitAnyStatus(requests).index;
    }

    public static Status waitAnyStatus(final Request[] requests) throws MPIException
    {
        final World running = World.current();
        running.enter();
        try
        {
            int found = firstDone(requests);
            while (found == NONE)
            {
                running.turn();
                found = firstDone(requests);
            }
            return found == MPI.UNDEFINED ? new Status() : requests[found].endOrThrow().index(found);
        }
        finally
        {
            running.exit();
        }
    }

    /** The place of one that is done; UNDEFINED if none is, as Open MPI has it. */
    public static int testAny(final Request[] requests) throws MPIException
    {
        final Status status = testAnyStatus(requests);
        return status == null ? MPI.UNDEFINED : status.index;
    }

    /** The status of one that is done; null if none is. */
    public static Status testAnyStatus(final Request[] requests) throws MPIException
    {
        final World running = World.current();
        running.enter();
        try
        {
            running.work();
            final int found = firstDone(requests);
            return found == NONE ? null : found == MPI.UNDEFINED ? new Status() : requests[found].endOrThrow().index(found);
        }
        finally
        {
            running.exit();
        }
    }

    public static void waitAll(final Request[] requests) throws MPIException
    {
        waitAllStatus(requests);
    }

    public static Status[] waitAllStatus(final Request[] requests) throws MPIException
    {
        final World running = World.current();
        running.enter();
        try
        {
            for (final Request request : requests)
            {
                if (!isNothing(request))
                {
                    request.transfer.await();
                }
            }
            while (!isEveryDone(requests))
            {
                running.turn();
            }
            return end(requests, everyPlace(requests));
        }
        finally
        {
            running.exit();
        }
    }

    public static boolean testAll(final Request[] requests) throws MPIException
    {
        return testAllStatus(requests) != null;
    }

    /** The statuses if all are done, else null. */
    public static Status[] testAllStatus(final Request[] requests) throws MPIException
    {
        final World running = World.current();
        running.enter();
        try
        {
            running.work();
            return isEveryDone(requests) ? end(requests, everyPlace(requests)) : null;
        }
        finally
        {
            running.exit();
        }
    }

    private static Status[] some(final Request[] requests, final boolean isWaiting) throws MPIException
    {
        final World running = World.current();
        running.enter();
        try
        {
            running.work();
            int[] places = allDone(requests);
            while (isWaiting && places != null && places.length == 0)
            {
                running.turn();
                places = allDone(requests);
            }
            return places == null ? null : end(requests, places);
        }
        finally
        {
            running.exit();
        }
    }

    private static int[] places(final Status[] all)
    {
        if (all == null)
        {
            return null;
        }
        final int[] places = new int[all.length];
        for (int i = 0; i < places.length; i++)
        {
            places[i] = all[i].index;
        }
        return places;
    }

    /** The places of those that are done; null if none is active. */
    public static int[] waitSome(final Request[] requests) throws MPIException
    {
        return places(some(requests, true));
    }

    public static Status[] waitSomeStatus(final Request[] requests) throws MPIException
    {
        return some(requests, true);
    }

    public static int[] testSome(final Request[] requests) throws MPIException
    {
        return places(some(requests, false));
    }

    public static Status[] testSomeStatus(final Request[] requests) throws MPIException
    {
        return some(requests, false);
    }

    public final void cancel() throws MPIException
    {
        if (!isActive)
        {
            return;
        }
        final World running = World.current();
        running.enter();
        try
        {
            if (isActive)
            {
                transfer.cancel();
            }
        }
        finally
        {
            running.exit();
        }
    }

    /** Lets go of it: what is under way gets done. */
    @Override
    public final void free() throws MPIException
    {
        if (isNull())
        {
            throw new MPIException(MPI.ERR_REQUEST, "the request is null");
        }
        if (isActive)
        {
            letGo();
        }
        isActive = false;
        isFreed = true;
    }

    private void letGo() throws MPIException
    {
        final World running = World.current();
        running.enter();
        try
        {
            if (isActive)
            {
                running.letGo(transfer);
            }
            isActive = false;
        }
        finally
        {
            running.exit();
        }
    }

    public final boolean isNull()
    {
        return isFreed || !isPersistent && !isActive;
    }

    // mpiJava

    public final Status Wait() throws MPIException
    {
        return waitStatus();
    }

    public final Status Test() throws MPIException
    {
        return testStatus();
    }

    public static Status Waitany(final Request[] requests) throws MPIException
    {
        return waitAnyStatus(requests);
    }

    public static Status Testany(final Request[] requests) throws MPIException
    {
        return testAnyStatus(requests);
    }

    public static Status[] Waitall(final Request[] requests) throws MPIException
    {
        return waitAllStatus(requests);
    }

    public static Status[] Testall(final Request[] requests) throws MPIException
    {
        return testAllStatus(requests);
    }

    public static Status[] Waitsome(final Request[] requests) throws MPIException
    {
        return some(requests, true);
    }

    public static Status[] Testsome(final Request[] requests) throws MPIException
    {
        return some(requests, false);
    }

    public final void Cancel() throws MPIException
    {
        cancel();
    }

    public final void Free() throws MPIException
    {
        free();
    }

    public final boolean Is_null()
    {
        return isNull();
    }
}
