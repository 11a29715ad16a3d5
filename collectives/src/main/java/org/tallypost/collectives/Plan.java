// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.BitUtil;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.collectives.internal.ExposureDescriptor;

/**
 * How an operation goes through the arena: by which algorithm, in how many steps, and how much of each portion in a step. It
 * follows from what all members have passed alike, so that it is the same at all of them; and they compare what it follows from.
 *
 * <p>A direct algorithm has a step before its own in which all say where their data are ({@link #isExposing()}), and so has an
 * operation with portions of which members do not know all lengths. What that step says is the same for all, too: whether the
 * plan stays direct, and how long the longest portion is ({@link #settle}).
 */
final class Plan
{
    /** Bytes of a portion that are copied at a time by the direct algorithm; between two the thread may do something else. */
    static final int DIRECT_PIECE = 64 * 1024;
    /** Bytes that are reduced at a time: in the cache that is nearest to the core. */
    static final int DIRECT_REDUCED_PIECE = 16 * 1024;

    private static final int MAX_PORTION = 1 << 28;

    private final Kind kind;
    private final int members;
    private final int blockLength;
    private final AlgorithmTable table;
    private final OperationIdentity identity = new OperationIdentity();
    private Algorithm algorithm;
    private Algorithm forced;
    private boolean isExposing;
    /** Whether each member knows the lengths of its own portions alone, until the first step. */
    private boolean isVarying;
    private boolean isDirectlyRead;
    private boolean isShort;
    private int length;
    private int unit;
    private int portion;
    private int steps;

    Plan(final Kind kind, final int members, final int blockLength, final AlgorithmTable table)
    {
        this.table = table;
        forced = table.forced();
        this.kind = kind;
        this.members = members;
        this.blockLength = blockLength;
    }

    /**
     * Plans portions of some length, of which a member shows one or one for each member.
     *
     * @param longest        length of the longest portion in bytes.
     * @param notDivided     bytes that stay together.
     * @param isDirectlyRead whether there may be buffers that others can read: the same at all members.
     */
    void portions(final int longest, final int notDivided, final boolean isDirectlyRead)
    {
        length = longest;
        unit = notDivided;
        isVarying = false;
        final Algorithm wanted = forced == null ? choice(isDirectlyRead) : forced;
        if (wanted.isDirect() && isDirectlyRead && kind != Kind.BARRIER)
        {
            isExposing = true;
            isShort = false;
            algorithm = wanted == Algorithm.DIRECT_SLICES && !kind.isSliced() ? Algorithm.DIRECT : wanted;
            steps = 1;
        }
        else
        {
            lay(wanted.isDirect() ? Algorithm.BLOCKS : wanted);
        }
    }

    /**
     * Plans a step in which all say how long their portions are, and steps that follow from that.
     *
     * @param isPossiblyRead whether there may be buffers that others can read: the same at all members.
     */
    void varying(final boolean isPossiblyRead)
    {
        length = 0;
        unit = 1;
        isVarying = true;
        isDirectlyRead = isPossiblyRead;
        isExposing = true;
        isShort = false;
        algorithm = forced == null ? Algorithm.BLOCKS : forced;
        steps = 1;
    }

    private Algorithm choice(final boolean isReadDirectly)
    {
        return length <= inLine() ? Algorithm.INLINE : table.choose(kind, length, isReadDirectly);
    }

    private int shown()
    {
        return kind.isForEach() ? members : 1;
    }

    private int inLine()
    {
        return ArenaDescriptor.MAX_INLINE_LENGTH / shown() / unit * unit;
    }

    private void lay(final Algorithm wanted)
    {
        isExposing = false;
        final int inBlock = blockLength / shown() / unit * unit;
        algorithm = wanted == Algorithm.INLINE && inLine() == 0 || wanted == Algorithm.SLICES && !kind.isSliced() ?
            Algorithm.BLOCKS : wanted;
        switch (algorithm)
        {
            case INLINE:
                portion = inLine();
                break;
            case DIRECT:
                portion = (kind.isReduction() ? DIRECT_REDUCED_PIECE : DIRECT_PIECE) / unit * unit;
                break;
            case DIRECT_SLICES:
                portion = (int)Math.min((long)members * inBlock, MAX_PORTION / unit * unit);
                break;
            default:
                portion = inBlock;
                break;
        }
        steps = algorithm == Algorithm.DIRECT ? 1 : algorithm == Algorithm.SLICES ? 2 * pieces() : pieces();
        isShort = (algorithm == Algorithm.BLOCKS || algorithm == Algorithm.SLICES) && length <= portion &&
            shown() * (long)shortShare() <= ArenaDescriptor.SHORT_LENGTH;
        describe();
    }

    /** Parts into which the longest portion is cut. */
    int pieces()
    {
        // not a sum that may overflow: length may be 2^31 - 1
        return length == 0 ? 1 : (length - 1) / portion + 1;
    }

    /** What all members must have passed alike. */
    void describe(final long typeAndReducer, final int root, final int distribution)
    {
        identity.pass(kind, typeAndReducer, root, length, distribution);
        describe();
    }

    /** What the members must have alike beside what they pass: the operation that this one is a part of. */
    void salt(final long value)
    {
        identity.salt(value);
    }

    /** What all members have passed, as one number: without the algorithm, which members of other nodes need not share. */
    long passed()
    {
        return identity.passed();
    }

    private void describe()
    {
        identity.go(algorithm, isExposing);
    }

    /** All have said where their data are, and how long the longest portion is: the plan for what follows. */
    void settle(final boolean canBeRead, final boolean isOverwritten, final int longest)
    {
        if (isVarying)
        {
            length = longest;
            identity.settle(longest);
            final boolean isRead = isDirectlyRead && canBeRead && !isOverwritten;
            final Algorithm wanted = forced == null || forced.isDirect() && !isRead ? choice(isRead) : forced;
            lay(wanted.isDirect() ? Algorithm.DIRECT : wanted);
        }
        else if (!canBeRead || isOverwritten && !kind.isSliced())
        {
            lay(table.choose(kind, length, false));
        }
        else
        {
            lay(isOverwritten ? Algorithm.DIRECT_SLICES : algorithm);
        }
    }

    /** What is not to be chosen but used wherever it can be; null for what the table has. */
    void force(final Algorithm wanted)
    {
        forced = wanted == null ? table.forced() : wanted;
    }

    Algorithm algorithm()
    {
        return algorithm;
    }

    /** Whether the present step is the one in which all say where their data are. */
    boolean isExposing()
    {
        return isExposing;
    }

    /** Whether each member knows the lengths of its own portions alone, until the first step. */
    boolean isVarying()
    {
        return isVarying;
    }

    boolean isInline()
    {
        return isExposing ? !isVarying || ExposureDescriptor.lengthWithShares(members) <= ArenaDescriptor.MAX_INLINE_LENGTH :
            algorithm == Algorithm.INLINE;
    }

    /** Whether portions may go in the step in which members say how long these are; not if another algorithm is forced. */
    boolean mayBeEarly()
    {
        return isExposing && isVarying && (forced == null || forced == Algorithm.BLOCKS);
    }

    /** Whether there may be data of portions of any lengths that members can read where they are. */
    boolean mayBeRead()
    {
        return isDirectlyRead;
    }

    /** Whether what a member shows in a step is in a short place, or may be. */
    boolean isInFewPlaces()
    {
        return isShort || mayBeEarly();
    }

    /** Whether all that a member shows in a step has room in a short place. */
    boolean isShort()
    {
        return isShort;
    }

    private int shortShare()
    {
        return BitUtil.align(length, BitUtil.CACHE_LINE_LENGTH);
    }

    /** Most bytes of a portion in a step, or in a piece. */
    int portion()
    {
        return portion;
    }

    /** Most bytes that are copied or reduced for one member in a step, or in a piece. */
    int movedLength()
    {
        return Math.min(portion, length);
    }

    /** Most bytes that a member shows in a step. */
    int shownLength()
    {
        return shown() * movedLength();
    }

    int steps()
    {
        return steps;
    }

    /** All operations up to this one as one number, behind those before it. */
    long behind(final long operations)
    {
        return OperationIdentity.mix(operations ^ identity.whole());
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

    /** Where the part for a member begins in what is shown in a step. */
    int share(final int member)
    {
        return kind.isForEach() ? member * (isShort ? shortShare() : portion) : 0;
    }
}
