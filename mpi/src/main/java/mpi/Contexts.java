// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which contexts the communicators of this rank have. A new communicator takes the lowest that all its ranks offer.
 *
 * <p>A rank offers a context again when it has freed it, and that it can do when no request of it is active: it has received all
 * that the others have sent to it, as the standard demands of a program. So nothing of the former communicator is under way to a
 * rank of the new one. What a program has sent and nobody has received is dropped when its receiver frees the context; ranks
 * that are not in the new communicator are refused by the messenger.
 */
final class Contexts
{
    /** Numbers of an offer: its first block, the end of the blocks that it says something about, and a bit for each of them. */
    static final int OFFER_LENGTH = 3;
    static final int NONE = -1;
    private static final int BLOCKS = Integer.SIZE;
    private static final int MAX_BLOCK = Integer.MAX_VALUE / Channels.CONTEXTS - 2 * BLOCKS;

    /** By block, which has the contexts of one communicator: whether one has it, or it is in an offer that is open. */
    private final BitSet used = new BitSet();
    private final BitSet offered = new BitSet();
    /** Freed by the program while requests of them were active. */
    private final List<Channels> left = new ArrayList<>();

    /** What this rank can take, from a block on. No other one offers the same until {@link #close}. */
    int[] offer(final int from) throws MPIException
    {
        left.removeIf(this::isGivenBack);
        int first = from;
        while (used.get(first) || offered.get(first))
        {
            first++;
        }
        if (first > MAX_BLOCK)
        {
            throw new MPIException(MPI.ERR_INTERN, "no context is free: found=" + used.cardinality() +
                " communicators; free some");
        }
        int bits = 0;
        for (int i = 0; i < BLOCKS; i++)
        {
            if (!used.get(first + i) && !offered.get(first + i))
            {
                bits |= 1 << i;
                offered.set(first + i);
            }
        }
        return new int[]{ first, first + BLOCKS, bits };
    }

    /** Takes an offer back. */
    void close(final int[] offer)
    {
        for (int i = 0; i < BLOCKS; i++)
        {
            if ((offer[2] & 1 << i) != 0)
            {
                offered.clear(offer[0] + i);
            }
        }
    }

    /** What is in all offers. */
    static int[] common(final int[]... each)
    {
        final int first = Arrays.stream(each).mapToInt((offer) -> offer[0]).max().orElseThrow();
        final int end = Arrays.stream(each).mapToInt((offer) -> offer[1]).min().orElseThrow();
        int bits = -1;
        for (final int[] offer : each)
        {
            final int behind = first - offer[0];
            bits &= behind < BLOCKS ? offer[2] >>> behind : 0;
        }
        return new int[]{ first, end, bits };
    }

    /** The first context of the lowest block; NONE if there is none. */
    static int lowest(final int[] common)
    {
        return common[2] == 0 ? NONE : (common[0] + Integer.numberOfTrailingZeros(common[2])) * Channels.CONTEXTS;
    }

    /** From which block on the next offers are, if this one has nothing in common. */
    static int next(final int[] common)
    {
        return Math.max(common[0], common[1]);
    }

    /** A communicator has it from here on. */
    void take(final int context)
    {
        used.set(context / Channels.CONTEXTS);
    }

    /** Frees contexts, now or when they have no requests. */
    void free(final Channels channels)
    {
        if (!isGivenBack(channels))
        {
            left.add(channels);
        }
    }

    private boolean isGivenBack(final Channels channels)
    {
        final boolean isFreed = channels.tryFree();
        if (isFreed)
        {
            giveBack(channels.context());
        }
        return isFreed;
    }

    /** No communicator of this rank has it. */
    void giveBack(final int context)
    {
        used.clear(context / Channels.CONTEXTS);
    }

    /** Those that cannot be freed yet. */
    int leftCount()
    {
        return left.size();
    }
}
