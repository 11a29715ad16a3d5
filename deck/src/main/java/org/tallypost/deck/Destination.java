// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.RequestResult;

/** A mail box as those that post to it see it: which of its buffers the messages of this process may still take. */
final class Destination
{
    /** Nothing is asked. */
    private static final byte QUIET = 0;
    /** The owner is asked for tokens. */
    private static final byte ASKED = 1;
    /** The owner has said that it has none. */
    private static final byte DENIED = 2;

    final String name;
    final int rank;
    final int box;
    final int limit;
    final int incarnation;
    /** Why nothing can be posted any more; null as long as that can be. */
    DeckFailure failure;
    private final int buffers;
    private final int[] tokens = new int[SizeClass.MAX + 1];
    private final byte[] asking = new byte[SizeClass.MAX + 1];
    private final Controls controls;

    Destination(
        final Controls controls, final String name, final int rank, final int box, final int limit, final int buffers,
        final int incarnation)
    {
        this.controls = controls;
        this.name = name;
        this.rank = rank;
        this.box = box;
        this.limit = limit;
        this.buffers = buffers;
        this.incarnation = incarnation;
        java.util.Arrays.fill(tokens, buffers);
    }

    /** Posts what can go at once: most messages do, and need neither an operation nor a request nor a deadline. */
    boolean tryPost(final Messenger messenger, final Communicator data, final UnsafeBuffer buffer, final int length)
    {
        final int sizeClass = SizeClass.of(length);
        if (failure != null || sizeClass > limit || !tryTake(sizeClass))
        {
            return false;
        }
        final RequestResult result = messenger.trySend(data, rank, box, buffer, 0, length);
        if (result == RequestResult.SUCCESS)
        {
            return true;
        }
        // all else is for an attempt to find out, and to say
        give(sizeClass, 1);
        if (result == RequestResult.PEER_GONE)
        {
            failure = DeckFailure.OWNER_GONE;
        }
        return false;
    }

    boolean tryTake(final int sizeClass)
    {
        if (tokens[sizeClass] == 0)
        {
            return false;
        }
        tokens[sizeClass]--;
        return true;
    }

    /** Asks for tokens, as the owner keeps some back for a while. True if it has said that all buffers are in use. */
    boolean ask(final int sizeClass)
    {
        if (asking[sizeClass] == QUIET)
        {
            asking[sizeClass] = ASKED;
            controls.send(rank, ControlDescriptor.WANT, 0, box, sizeClass);
        }
        return asking[sizeClass] == DENIED;
    }

    /** The next message asks again. */
    void forgetDenial(final int sizeClass)
    {
        asking[sizeClass] = QUIET;
    }

    /**
     * Tokens have come back; 0 says that there are none. An owner that gives more than were taken is wrong: there are never
     * more than buffers.
     *
     * @return false if there were too many.
     */
    boolean give(final int sizeClass, final int count)
    {
        if (count == 0)
        {
            asking[sizeClass] = asking[sizeClass] == ASKED ? DENIED : asking[sizeClass];
            return true;
        }
        asking[sizeClass] = QUIET;
        final int taken = buffers - tokens[sizeClass];
        tokens[sizeClass] += Math.min(count, taken);
        return count <= taken;
    }

    int tokens(final int sizeClass)
    {
        return tokens[sizeClass];
    }

    @Override
    public String toString()
    {
        return "'" + name + "' of rank " + rank;
    }
}
