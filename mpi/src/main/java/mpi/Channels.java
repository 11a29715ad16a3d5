// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;

/**
 * By what the ranks of a communicator reach each other: a context for messages, one for collective operations, and one for long
 * objects. In a communicator between two groups the ranks of both are in it, first those of the first group.
 */
final class Channels
{
    /** Contexts of one communicator. */
    static final int CONTEXTS = 3;

    private final World world;
    private final Communicator messages;
    private final Communicator collective;
    private final Communicator objects;
    private final int context;
    private int nextObjectTag;
    /** Operations of several messages that have not ended. */
    private int operations;

    Channels(final World world, final int context, final int[] ranks)
    {
        this.world = world;
        this.context = context;
        final Messenger messenger = world.messenger();
        messages = context == 0 ? messenger.world() : messenger.communicator(context, ranks);
        collective = messenger.communicator(context + 1, ranks);
        objects = messenger.communicator(context + 2, ranks);
    }

    World world()
    {
        return world;
    }

    Communicator messages(final boolean isOfCollective)
    {
        return isOfCollective ? collective : messages;
    }

    Communicator objects()
    {
        return objects;
    }

    /** Tag of the next long objects. */
    int nextObjectTag()
    {
        nextObjectTag = nextObjectTag + 1 & Integer.MAX_VALUE;
        return nextObjectTag;
    }

    /** The first of its contexts. */
    int context()
    {
        return context;
    }

    /** An operation of several messages begins: the contexts stay until it has ended. */
    void hold()
    {
        operations++;
    }

    void release()
    {
        operations--;
    }

    /** Frees the contexts: false as long as an operation needs them. */
    boolean tryFree()
    {
        boolean isFreed = operations == 0;
        for (final Communicator each : new Communicator[]{ messages, collective, objects })
        {
            isFreed = isFreed && (each.isFreed() || tryFree(each));
        }
        return isFreed;
    }

    boolean isFreed()
    {
        return messages.isFreed() || collective.isFreed() || objects.isFreed();
    }

    private boolean tryFree(final Communicator communicator)
    {
        try
        {
            world.messenger().free(communicator);
            return true;
        }
        catch (final IllegalStateException ex)
        {
            // a request of it is active
            return false;
        }
    }
}
