// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.collectives.internal.ArenaDescriptor;

/**
 * By which algorithm the operations of a team go: a byte for each kind, each power of two of bytes, and with or without data that
 * can be read directly. The member that makes the arena works it out from its cost profile and writes it there, so that all
 * members have the same one.
 */
final class AlgorithmTable
{
    private static final int CLASSES = ArenaDescriptor.TABLE_CLASSES;
    private static final Kind[] KINDS = Kind.values();
    private static final Algorithm[] ALGORITHMS = Algorithm.values();
    /** Between the powers of two that bound a class. */
    private static final double MIDDLE = 1.4;

    private final byte[] bytes;
    private final Algorithm forced;

    private AlgorithmTable(final byte[] bytes, final Algorithm forced)
    {
        this.bytes = bytes;
        this.forced = forced;
    }

    /** By a cost model. */
    static AlgorithmTable of(final CostModel model)
    {
        final byte[] bytes = new byte[ArenaDescriptor.TABLE_LENGTH];
        for (final Kind kind : KINDS)
        {
            for (int size = 0; size < CLASSES; size++)
            {
                final double length = size == 0 ? 1 : MIDDLE * (1L << size - 1);
                bytes[index(kind, size, false)] = (byte)(1 + best(model, kind, length, false).ordinal());
                bytes[index(kind, size, true)] = (byte)(1 + best(model, kind, length, true).ordinal());
            }
        }
        return new AlgorithmTable(bytes, null);
    }

    /** By the profile of the member that makes an arena. */
    static AlgorithmTable of(final CollectivesContext context, final int members, final int window)
    {
        return of(new CostModel(context.profile(), members, window, context.blockLength()));
    }

    private static Algorithm best(final CostModel model, final Kind kind, final double length, final boolean isDirectlyRead)
    {
        Algorithm best = Algorithm.BLOCKS;
        for (final Algorithm algorithm : ALGORITHMS)
        {
            if (isPossible(kind, algorithm, isDirectlyRead) &&
                model.cost(kind, algorithm, length) < model.cost(kind, best, length))
            {
                best = algorithm;
            }
        }
        return best;
    }

    /** Whether a table may have it. What has a place in a line goes inline, whatever the table has. */
    static boolean isPossible(final Kind kind, final Algorithm algorithm, final boolean isDirectlyRead)
    {
        switch (algorithm)
        {
            case INLINE:
                return false;
            case BLOCKS:
                return true;
            case SLICES:
                return kind.isSliced();
            case DIRECT:
                return isDirectlyRead && kind != Kind.BARRIER;
            default:
                return isDirectlyRead && kind.isSliced();
        }
    }

    private static int index(final Kind kind, final int size, final boolean isDirectlyRead)
    {
        return (kind.ordinal() * 2 + (isDirectlyRead ? 1 : 0)) * CLASSES + size;
    }

    /** Reads the table of an arena. What is there is checked, and not looked at again. */
    static AlgorithmTable read(final DirectBuffer arena, final Algorithm forced)
    {
        final byte[] bytes = new byte[ArenaDescriptor.TABLE_LENGTH];
        arena.getBytes(ArenaDescriptor.TABLE_OFFSET, bytes);
        for (final Kind kind : KINDS)
        {
            for (int i = 0; i < 2 * CLASSES; i++)
            {
                final int found = bytes[index(kind, 0, false) + i];
                if (found < 1 || found > ALGORITHMS.length || !isPossible(kind, ALGORITHMS[found - 1], i >= CLASSES))
                {
                    throw new IllegalArgumentException("damaged table of algorithms: found " + found + " for " + kind +
                        ", expected the number of an algorithm that it can go by");
                }
            }
        }
        return new AlgorithmTable(bytes, forced);
    }

    /** Writes the table into an arena that no member uses yet. */
    void write(final MutableDirectBuffer arena)
    {
        arena.putBytes(ArenaDescriptor.TABLE_OFFSET, bytes);
    }

    /** The algorithm for portions of some length. */
    Algorithm choose(final Kind kind, final int length, final boolean isDirectlyRead)
    {
        return ALGORITHMS[bytes[index(kind, Integer.SIZE - Integer.numberOfLeadingZeros(length), isDirectlyRead)] - 1];
    }

    /** What operations go by unless they say something else; null for what is best. */
    Algorithm forced()
    {
        return forced;
    }
}
