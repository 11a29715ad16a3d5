// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** How the data of an operation get from member to member. The order is part of what members compare. */
public enum Algorithm
{
    /** In the lines that say that there is something. One step if all that a member shows in it has a place there. */
    INLINE,
    /** By the members' blocks: copied in, and copied or reduced out. One step for each block. */
    BLOCKS,
    /** By blocks, in two steps each: every member reduces a slice of all blocks, then all read slices. Reduce, all-reduce. */
    SLICES,
    /**
     * Straight out of the buffers of the others, which say where these are, and wait until they were read. For buffers from
     * {@link Team#allocate}, and for all with an array or a byte buffer if the members are in one process.
     */
    DIRECT,
    /** Each reduces a slice straight out of all buffers into a block, then all read the slices. For reduce and all-reduce. */
    DIRECT_SLICES;

    /**
     * Whether it reads the buffers of other members.
     *
     * @return true if so.
     */
    public boolean isDirect()
    {
        return this == DIRECT || this == DIRECT_SLICES;
    }
}
