// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** How the data of an operation go through the arena. */
enum Algorithm
{
    /** In the lines that say that there is something. One step if all that a member shows in it has a place there. */
    INLINE,
    /** By the members' blocks: copied in, and copied or reduced out. One step for each block. */
    BLOCKS,
    /** By blocks, in two steps each: every member reduces a slice of all blocks, then all read the slices. */
    SLICES
}
