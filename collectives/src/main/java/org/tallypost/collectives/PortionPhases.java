// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Of operations with a portion for each member: leaders have the portions of members behind each other, those of one node
 * together, each in room for the longest one.
 */
abstract class PortionPhases extends Phases
{
    static final UnsafeBuffer NOTHING = new UnsafeBuffer(0, 0);

    private Distribution distribution;

    PortionPhases(final NodesPath path)
    {
        super(path);
    }

    /** Length of so many portions; refused if it is none of a buffer. */
    final int lengthOf(final int count, final int portion)
    {
        Checks.range("length of the portions at a node", (long)count * portion, 0, Integer.MAX_VALUE);
        return count * portion;
    }

    /** Among the members of this node, one has so many bytes and the others none: what goes between it and the leader. */
    final Distribution only(final int local, final int length)
    {
        if (distribution == null || distribution.length(local) != length || distribution.extent() != length)
        {
            distribution = Distribution.ascending(map().locals().length, 0).range(local, 0, length);
        }
        return distribution;
    }

    /** Blocks of the program: the portions of each node. */
    final void nodeBlocks(final int portion)
    {
        for (int node = 0; node <= map().nodes(); node++)
        {
            path().moves().blocks().bound(node, map().before(node) * portion);
        }
    }

    /** Where the portions of this node begin. */
    final int here(final int portion)
    {
        return map().before(map().node()) * portion;
    }

    /** Puts what comes from a leader into the places of the members. */
    final void unpack(final UnsafeBuffer packed, final Portions to, final int portion, final int except)
    {
        for (int i = 0; i < map().size(); i++)
        {
            if (i != except && to.length(i) > 0)
            {
                to.whole().putBytes(to.offset(i), packed, map().placeOf(i) * portion, to.length(i));
            }
        }
    }

    /** Puts the portions of the members behind each other. */
    final void pack(final Portions from, final UnsafeBuffer packed, final int portion)
    {
        for (int i = 0; i < map().size(); i++)
        {
            if (from.length(i) > 0)
            {
                packed.putBytes(map().placeOf(i) * portion, from.whole(), from.offset(i), from.length(i));
            }
        }
    }
}
