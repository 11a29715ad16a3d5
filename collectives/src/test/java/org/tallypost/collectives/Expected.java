// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;

/** What an operation leaves in the buffer of a member, written down from what each operation means. */
final class Expected
{
    private Expected()
    {
    }

    static byte[] of(
        final Kind kind, final int member, final int root, final ElementType type, final Reducer reducer, final byte[][] in,
        final byte[] before, final int at, final int length, final boolean isInPlace)
    {
        final byte[] out = before.clone();
        final boolean isRoot = member == root;
        switch (kind)
        {
            case BARRIER:
                break;
            case BROADCAST:
                if (!isRoot)
                {
                    System.arraycopy(in[root], at, out, at, length);
                }
                break;
            case SCATTER:
                if (!isRoot || !isInPlace)
                {
                    System.arraycopy(in[root], at + member * length, out, at, length);
                }
                break;
            case GATHER:
                gather(isRoot, isInPlace, false, member, in, out, at, length);
                break;
            case ALL_GATHER:
                gather(true, isInPlace, isInPlace, member, in, out, at, length);
                break;
            case ALL_TO_ALL:
                for (int i = 0; i < in.length; i++)
                {
                    System.arraycopy(in[i], at + member * length, out, at + i * length, length);
                }
                break;
            case REDUCE:
                if (isRoot)
                {
                    reduce(in.length, type, reducer, in, at, out, at, length);
                }
                break;
            case ALL_REDUCE:
                reduce(in.length, type, reducer, in, at, out, at, length);
                break;
            case REDUCE_SCATTER:
                reduce(in.length, type, reducer, in, at + member * length, out, at, length);
                break;
            case SCAN:
                reduce(member + 1, type, reducer, in, at, out, at, length);
                break;
            default:
                reduce(member, type, reducer, in, at, out, at, length);
                break;
        }
        return out;
    }

    /** With all-gather in place the portions of all members are where they get to. */
    private static void gather(
        final boolean isReceiver, final boolean isInPlace, final boolean areAllInPlace, final int member, final byte[][] in,
        final byte[] out, final int at, final int length)
    {
        for (int i = 0; i < in.length && isReceiver; i++)
        {
            if (i != member || !isInPlace)
            {
                System.arraycopy(in[i], areAllInPlace ? at + i * length : at, out, at + i * length, length);
            }
        }
    }

    private static void reduce(
        final int members, final ElementType type, final Reducer reducer, final byte[][] in, final int from, final byte[] out,
        final int to, final int length)
    {
        if (members == 0)
        {
            return;
        }
        final byte[] result = Arrays.copyOfRange(in[0], from, from + length);
        for (int i = 1; i < members; i++)
        {
            if ("digest".equals(reducer.name()))
            {
                for (int at = 0; at < length; at++)
                {
                    result[at] = in[i][from + at] != 0 ? in[i][from + at] : result[at];
                }
            }
            else
            {
                ReferenceReducer.reduce(reducer, type, result, 0, in[i], from, length / type.length());
            }
        }
        System.arraycopy(result, 0, out, to, length);
    }
}
