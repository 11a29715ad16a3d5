// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.tallypost.collectives.internal.ArenaDescriptor;

/**
 * How an operation goes through the arena: by which algorithm, in how many steps, and how much of each portion in a step. It
 * follows from what all members have passed alike, so that it is the same at all of them; and they compare what it follows from.
 */
final class Plan
{
    private static final long MIX_1 = 0xbf58_476d_1ce4_e5b9L;
    private static final long MIX_2 = 0x94d0_49bb_1331_11ebL;
    private static final long NAME_SEED = 0xcbf2_9ce4_8422_2325L;
    private static final long NAME_FACTOR = 0x100_0000_01b3L;
    /** Up to so many bytes every member reduces all blocks itself, which takes one step instead of two. */
    private static final int MAX_UNSLICED_LENGTH = 2_048;

    private final int members;
    private final int blockLength;
    private Algorithm algorithm;
    private Algorithm forced;
    private int portion;
    private int steps;
    private long descriptor;

    Plan(final int members, final int blockLength)
    {
        this.members = members;
        this.blockLength = blockLength;
    }

    /**
     * Plans portions of some length, of which a member shows one or one for each member.
     *
     * @param length       of the longest portion in bytes.
     * @param unit         that is not divided, in bytes.
     * @param isForEach    whether a member shows a portion for each member.
     * @param canBeSliced  whether a reduction may go by slices.
     */
    void portions(final int length, final int unit, final boolean isForEach, final boolean canBeSliced)
    {
        final int shown = isForEach ? members : 1;
        final int inLine = ArenaDescriptor.MAX_INLINE_LENGTH / shown / unit * unit;
        final int inBlock = blockLength / shown / unit * unit;
        algorithm = forced == null ? choice(length, inLine, canBeSliced) :
            forced == Algorithm.INLINE && inLine == 0 || forced == Algorithm.SLICES && !canBeSliced ? Algorithm.BLOCKS : forced;
        portion = algorithm == Algorithm.INLINE ? inLine == 0 ? 1 : inLine : inBlock;
        // not a sum that may overflow: length may be 2^31 - 1
        final int pieces = length == 0 ? 1 : (length - 1) / portion + 1;
        steps = algorithm == Algorithm.SLICES ? 2 * pieces : pieces;
    }

    private Algorithm choice(final int length, final int inLine, final boolean canBeSliced)
    {
        if (length <= inLine)
        {
            return Algorithm.INLINE;
        }
        return canBeSliced && members > 2 && length > MAX_UNSLICED_LENGTH ? Algorithm.SLICES : Algorithm.BLOCKS;
    }

    /** What all members must have passed alike. */
    void describe(final Kind kind, final long typeAndReducer, final int root, final int length, final int distribution)
    {
        long mixed = mix(kind.ordinal() + 1 ^ typeAndReducer);
        mixed = mix(mixed ^ (long)root << Integer.SIZE ^ length & 0xFFFF_FFFFL);
        descriptor = mix(mixed ^ (long)algorithm.ordinal() << Integer.SIZE ^ distribution & 0xFFFF_FFFFL);
    }

    static long typeAndReducer(final ElementType type, final Reducer reducer)
    {
        long hash = NAME_SEED;
        for (int i = 0; i < reducer.name().length(); i++)
        {
            hash = (hash ^ reducer.name().charAt(i)) * NAME_FACTOR;
        }
        return mix(hash ^ type.ordinal() + 1);
    }

    static long mix(final long value)
    {
        long mixed = value;
        mixed = (mixed ^ mixed >>> 30) * MIX_1;
        mixed = (mixed ^ mixed >>> 27) * MIX_2;
        return mixed ^ mixed >>> 31;
    }

    /** For tests: what is not to be chosen but used wherever it can be. */
    void force(final Algorithm wanted)
    {
        forced = wanted;
    }

    Algorithm algorithm()
    {
        return algorithm;
    }

    boolean isInline()
    {
        return algorithm == Algorithm.INLINE;
    }

    /** Most bytes of a portion in a step. */
    int portion()
    {
        return portion;
    }

    int steps()
    {
        return steps;
    }

    long descriptor()
    {
        return descriptor;
    }

    /** Where the part of a portion begins that goes in a piece. */
    int start(final int piece)
    {
        return piece * portion;
    }

    /** Length of the part of a portion that goes in a piece, 0 if the portion has ended before. */
    int length(final int piece, final int portionLength)
    {
        return Math.max(0, Math.min(portion, portionLength - piece * portion));
    }
}
