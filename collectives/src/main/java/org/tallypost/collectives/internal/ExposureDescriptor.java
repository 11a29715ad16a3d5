// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives.internal;

/**
 * Layout of what a member says in the payload of a step line about where its data are. The member writes it before it shows the
 * line; the others read it behind that.
 *
 * <pre>
 *  offset      length   field
 *  ----------------------------------------------------------------------------------------------------------
 *       0           4   kind: nowhere, unused, memory of the team, memory of the process
 *       4           4   overwritten: 1 if the member writes its result over the data, 0 if not
 *       8           4   memory of the team: its number
 *      12           4   longest portion in bytes; 0 if all members know it
 *      16           8   memory of the team: offset of the data in the member's part of it
 *      24           8   length of the data in bytes
 * </pre>
 *
 * Behind that, where members do not know each other's portions, there is for each member where its portion is in the data. It is
 * all in the member's block if there is no place in the line.
 *
 * <pre>
 *       0           4   offset of the portion in bytes
 *       4           4   length of the portion in bytes
 *       8           4   length of the portion that is expected of that member in bytes
 * </pre>
 *
 * <p><b>Kind.</b> {@link #NOWHERE}: others cannot read the data where they are. {@link #UNUSED}: no member wants data of this
 * member. {@link #TEAM_MEMORY}: they are in memory that was allocated for the team. {@link #PROCESS_MEMORY}: the members are in
 * one process, which knows where the data are.
 */
public final class ExposureDescriptor
{
    /** Others cannot read the data where they are. */
    public static final int NOWHERE = 1;
    /** No member wants data of this one. */
    public static final int UNUSED = 2;
    /** The data are in memory that was allocated for the team. */
    public static final int TEAM_MEMORY = 3;
    /** The data are in memory of the process of all members. */
    public static final int PROCESS_MEMORY = 4;

    /** Offset of the kind. */
    public static final int KIND_OFFSET = 0;
    /** Offset of the word that says whether the data are overwritten. */
    public static final int OVERWRITTEN_OFFSET = KIND_OFFSET + Integer.BYTES;
    /** Offset of the memory's number. */
    public static final int MEMORY_OFFSET = OVERWRITTEN_OFFSET + Integer.BYTES;
    /** Offset of the length of the longest portion. */
    public static final int LONGEST_OFFSET = MEMORY_OFFSET + Integer.BYTES;
    /** Offset of the data's offset. */
    public static final int DATA_OFFSET_OFFSET = LONGEST_OFFSET + Integer.BYTES;
    /** Offset of the data's length. */
    public static final int DATA_LENGTH_OFFSET = DATA_OFFSET_OFFSET + Long.BYTES;
    /** Length of it all in bytes. */
    public static final int LENGTH = DATA_LENGTH_OFFSET + Long.BYTES;

    /** Within what is said of a portion, offset of its offset. */
    public static final int SHARE_OFFSET_OFFSET = 0;
    /** Within what is said of a portion, offset of its length. */
    public static final int SHARE_LENGTH_OFFSET = SHARE_OFFSET_OFFSET + Integer.BYTES;
    /** Within what is said of a portion, offset of the length that is expected. */
    public static final int SHARE_EXPECTED_OFFSET = SHARE_LENGTH_OFFSET + Integer.BYTES;
    /** Length of what is said of a portion in bytes. */
    public static final int SHARE_LENGTH = SHARE_EXPECTED_OFFSET + Integer.BYTES;

    private ExposureDescriptor()
    {
    }

    /**
     * Where is said where a member's portion is.
     *
     * @param member from 0.
     * @return the offset in bytes.
     */
    public static int shareOffset(final int member)
    {
        return LENGTH + member * SHARE_LENGTH;
    }

    /**
     * Length of it all with what is said of portions.
     *
     * @param members number of portions.
     * @return the length in bytes.
     */
    public static int lengthWithShares(final int members)
    {
        return shareOffset(members);
    }
}
