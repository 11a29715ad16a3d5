// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

/**
 * Looks at several requests, or waits for them. Only methods with names that begin with {@code await} call
 * {@link Messenger#doWork()}. A request that is not active is not waited for, one that was never started neither. Null stands
 * for no request.
 */
public final class Requests
{
    private Requests()
    {
    }

    private static boolean isActive(final Request request)
    {
        return request != null && request.isActive();
    }

    /**
     * Whether all are done.
     *
     * @param requests to look at.
     * @return true if none is active.
     */
    public static boolean allDone(final Request... requests)
    {
        for (final Request request : requests)
        {
            if (isActive(request))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * The first one that is done.
     *
     * @param requests to look at.
     * @return its index; -1 if there is none.
     */
    public static int anyDone(final Request... requests)
    {
        for (int i = 0; i < requests.length; i++)
        {
            if (requests[i] != null && requests[i].isDone())
            {
                return i;
            }
        }
        return -1;
    }

    /**
     * Those that are done.
     *
     * @param indexes  gets their indexes, in order; as long as the requests.
     * @param requests to look at.
     * @return how many are done.
     * @throws IllegalArgumentException if there are fewer indexes than requests.
     */
    public static int someDone(final int[] indexes, final Request... requests)
    {
        checkRoom(indexes, requests);
        int count = 0;
        for (int i = 0; i < requests.length; i++)
        {
            if (requests[i] != null && requests[i].isDone())
            {
                indexes[count++] = i;
            }
        }
        return count;
    }

    private static void checkRoom(final int[] indexes, final Request... requests)
    {
        if (indexes.length < requests.length)
        {
            throw new IllegalArgumentException("too few indexes: found=" + indexes.length + ", expected=" + requests.length +
                " or more, one for each request");
        }
    }

    /**
     * Whether one at least is active: otherwise there is nothing to wait for.
     *
     * @param requests to look at.
     * @return true if so.
     */
    public static boolean anyActive(final Request... requests)
    {
        return !allDone(requests);
    }

    /**
     * Waits for all of several requests.
     *
     * @param messenger that they were started with.
     * @param timeoutNs longest time, in nanoseconds; {@link Messenger#FOREVER} for no limit.
     * @param requests  to wait for.
     * @return false if the time is over, and one is still active.
     * @throws IllegalArgumentException if one is of another messenger.
     */
    public static boolean awaitAll(final Messenger messenger, final long timeoutNs, final Request... requests)
    {
        messenger.checkOwners(requests);
        final long deadlineNs = Messenger.deadline(timeoutNs);
        boolean isDone = allDone(requests);
        while (!isDone && messenger.pass(deadlineNs))
        {
            isDone = allDone(requests);
        }
        return isDone;
    }

    /**
     * Waits for one of several requests.
     *
     * @param messenger that they were started with.
     * @param timeoutNs longest time, in nanoseconds; {@link Messenger#FOREVER} for no limit.
     * @param requests  to wait for.
     * @return index of the first one that is done; -1 if the time is over, or none is active or done.
     * @throws IllegalArgumentException if one is of another messenger.
     */
    public static int awaitAny(final Messenger messenger, final long timeoutNs, final Request... requests)
    {
        messenger.checkOwners(requests);
        final long deadlineNs = Messenger.deadline(timeoutNs);
        int index = anyDone(requests);
        while (index < 0 && anyActive(requests) && messenger.pass(deadlineNs))
        {
            index = anyDone(requests);
        }
        return index;
    }

    /**
     * Waits until one at least of several requests is done.
     *
     * @param messenger that they were started with.
     * @param timeoutNs longest time, in nanoseconds; {@link Messenger#FOREVER} for no limit.
     * @param indexes   gets the indexes of all that are done, in order; as long as the requests.
     * @param requests  to wait for.
     * @return how many are done; 0 if the time is over, or none is active or done.
     * @throws IllegalArgumentException if one is of another messenger, or there are fewer indexes than requests.
     */
    public static int awaitSome(
        final Messenger messenger, final long timeoutNs, final int[] indexes, final Request... requests)
    {
        checkRoom(indexes, requests);
        awaitAny(messenger, timeoutNs, requests);
        return someDone(indexes, requests);
    }
}
