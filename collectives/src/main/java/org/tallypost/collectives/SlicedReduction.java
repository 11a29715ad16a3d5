// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A reduction of whole buffers to one member or to all. Without slices those that want the result read the blocks of all members,
 * and reduce them. With slices there are two steps for each piece: in the first one all show their data (A), in the second one
 * each shows its slice of the result (B), and the slices are read. The next piece is shown before the result of this one:
 *
 * <pre>
 *   step   0   1   2   3   4   5   6   7
 *          A0  A1  B0  A2  B1  A3  B2  B3
 * </pre>
 */
abstract class SlicedReduction extends Reduction
{
    SlicedReduction(final Team team, final Kind kind, final ElementType type, final Reducer reducer)
    {
        super(team, kind, type, reducer);
    }

    private boolean isSliced()
    {
        return plan().algorithm() == Algorithm.SLICES;
    }

    private boolean isOfSlices()
    {
        return isSliced() || plan().algorithm() == Algorithm.DIRECT_SLICES;
    }

    private boolean isResult(final int step)
    {
        return step > 0 && ((step & 1) == 0 || step == plan().steps() - 1);
    }

    private int piece(final int step)
    {
        if (!isSliced())
        {
            return step;
        }
        if (step == plan().steps() - 1)
        {
            return (step - 1) / 2;
        }
        return isResult(step) ? step / 2 - 1 : (step + 1) / 2;
    }

    private int pieceLength(final int piece)
    {
        return plan().length(piece, in().capacity());
    }

    private int sliceStart(final int piece, final int member)
    {
        final long elements = pieceLength(piece) / unit();
        return (int)(elements * member / members()) * unit();
    }

    @Override
    final int sourceStep(final int step)
    {
        if (!isSliced() || !isResult(step))
        {
            return -1;
        }
        final int piece = piece(step);
        return piece == 0 ? 0 : 2 * piece - 1;
    }

    @Override
    final int sink(final int step)
    {
        if (!isSliced() || isResult(step))
        {
            return -1;
        }
        return Math.min(2 * piece(step) + 2, plan().steps() - 1);
    }

    @Override
    final void write(final int step, final MutableDirectBuffer arena, final int offset)
    {
        final int piece = piece(step);
        if (pieceLength(piece) > 0)
        {
            arena.putBytes(offset, in(), plan().start(piece), pieceLength(piece));
        }
    }

    @Override
    final void fold(
        final int step, final int source, final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to,
        final int toOffset)
    {
        final int piece = piece(step);
        final int start = sliceStart(piece, member());
        takeOf(source, to, toOffset, from, fromOffset + start, sliceStart(piece, member() + 1) - start);
    }

    @Override
    final void read(final int step, final int source, final DirectBuffer from, final int offset)
    {
        final int piece = piece(step);
        if (isOfSlices())
        {
            final int start = sliceStart(piece, source);
            take(true, out(), plan().start(piece) + start, from, offset, sliceStart(piece, source + 1) - start);
        }
        else
        {
            takeOf(source, out(), plan().start(piece), from, offset, pieceLength(piece));
        }
    }
}
