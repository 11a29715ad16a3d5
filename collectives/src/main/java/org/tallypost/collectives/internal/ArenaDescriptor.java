// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives.internal;

/**
 * Layout of an arena. What the members of a team show one another goes through it, step by step. All numbers are in the machine's
 * byte order, since an arena never leaves its host. N members; window W, a power of two; block length L.
 *
 * <pre>
 *  offset      length   field                       written by                      read by
 *  ----------------------------------------------------------------------------------------------------------
 *       0           8   magic                       member that makes it            all, when they attach
 *       8           4   version, written last       member that makes it            all, when they attach
 *      12           4   members                     member that makes it            all, when they attach
 *      16           8   file length                 member that makes it            all, when they attach
 *      24           8   team                        member that makes it            all, when they attach
 *      32           4   view                        member that makes it            all, when they attach
 *      36           4   window                      member that makes it            all, when they attach
 *      40           4   block length                member that makes it            all, when they attach
 *      44          84   padding
 *     128           8   decision                    all, once, from 0               all that do not get on
 *     136           8   agreed                      a member, once for each agreement   all that agree
 *     144           8   meeting                     a member, once, from 0          all that come to it
 *     152         104   padding
 *     256         704   table of algorithms         member that makes it            all, when they attach
 *     960          64   padding
 *    1024      N x  4   sleeping words, up to a multiple of 128: of each member     all that have shown something
 *                       the member that it sleeps for, plus 1; 0 if it is awake
 *           N x 128 (W + 1)   members
 *           N x P             proposals, one of each member
 *           N x 18432         short places, 4 of each member, 4608 bytes each
 *           N x W x L         blocks
 * </pre>
 *
 * Each member has W step lines, used again every W steps, and a line with what it has read. The member alone writes them.
 *
 * <pre>
 *       0           8   step, plus 1                member                          others
 *       8           8   operations                  member                          others
 *      16           8   consumed with the step      member                          others
 *      24         104   payload                     member                          others
 *
 *       0           8   consumed steps              member                          others, when their lines are in use
 *       8           8   incarnation                 member                          others, when they attach
 *      16           4   left                        member                          others that do not get on
 *      20           4   rank                        member that makes it            others, when they attach
 *      24           8   vote                        member                          all that agree
 *      32           8   process, drawn by chance    member                          others, when they attach
 *      40           8   begun                       member                          those that look from outside
 *      48          80   rest of the line
 *
 *       0           8   flags                       member                          all that agree
 *       8           8   what the votes are about    member                          all that agree
 *      16   N/64 x  8   living, a bit for each      member                          all that agree
 *                       member; up to a multiple of 128
 * </pre>
 *
 * A step's payload is in its line if it has at most {@link #MAX_INLINE_LENGTH} bytes. What all members show in an operation
 * of few bytes goes in a short place, which is used again every {@link #SHORT_PLACES} steps and so stays in the nearest
 * caches. All else is in the member's block of the same index as the line. <b>Operations</b> is a number made of all
 * operations of the team up to this one: what they are, of which type, how long, with which root. Members with another number
 * there have called other operations.
 *
 * <p><b>Left.</b> 0 as long as the member is in the team, then {@link #LEFT} or {@link #GAVE_UP}: it will write nothing any
 * more.
 *
 * <p><b>Meeting.</b> 0 as long as members are awaited. Then, for ever, {@link #COMPLETE} or {@link #GIVEN_UP}: whichever a member
 * said first. So no member begins with a team from which another one has turned away.
 *
 * <p><b>Begun.</b> The number of the operation that the member has begun last, plus 1 (56 bits), and its kind, plus 1 (8 bits).
 *
 * <p><b>Table.</b> By which algorithm operations go: 1 plus the number of an algorithm, for each kind and length.
 *
 * <p><b>Decision.</b> 0 as long as the team lives. Then, for ever: why it ended (8 bits), and the member that was found to be
 * gone or that has found it (32 bits).
 *
 * <p><b>Agreements</b> have numbers from 1, of which the words have 24 bits. A <b>vote</b> is the number of an agreement (24
 * bits), what it is about (8 bits) and flags (32 bits). A <b>proposal</b> is what one member makes of all votes; the word
 * <b>agreed</b> has the number of the last agreement (24 bits) and the member, plus 1, that has made the proposal that counts
 * (40 bits).
 */
public final class ArenaDescriptor
{
    /** Says that the file is an arena. */
    public static final long MAGIC = 0x414e_4552_4154_4c54L;
    /** Version of this layout. */
    public static final int VERSION = 9;
    /** Bytes of a line, which one thread alone writes. */
    public static final int LINE_LENGTH = 128;
    /** Least window: slices keep three steps in use at a time. */
    public static final int MIN_WINDOW = 4;
    /** Largest window. */
    public static final int MAX_WINDOW = 64;
    /** Most members of an arena. */
    public static final int MAX_MEMBERS = 1_024;
    /** Short places of a member. As many steps may be under way by them as slices keep in use. */
    public static final int SHORT_PLACES = MIN_WINDOW;
    /** Bytes of a short place. Places are no power of two apart: their lines are in different sets of a cache. */
    public static final int SHORT_LENGTH = 36 * LINE_LENGTH;
    /** Longest block. */
    public static final int MAX_BLOCK_LENGTH = 1 << 24;
    /** Least bytes of a block for each member: an element of the longest type. */
    public static final int MIN_SHARE_LENGTH = 16;

    /** Offset of the magic number. */
    public static final int MAGIC_OFFSET = 0;
    /** Offset of the version. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    /** Offset of the number of members. */
    public static final int MEMBERS_OFFSET = VERSION_OFFSET + Integer.BYTES;
    /** Offset of the length of the file. */
    public static final int FILE_LENGTH_OFFSET = MEMBERS_OFFSET + Integer.BYTES;
    /** Offset of the team's number. */
    public static final int TEAM_OFFSET = FILE_LENGTH_OFFSET + Long.BYTES;
    /** Offset of the view. */
    public static final int VIEW_OFFSET = TEAM_OFFSET + Long.BYTES;
    /** Offset of the window. */
    public static final int WINDOW_OFFSET = VIEW_OFFSET + Integer.BYTES;
    /** Offset of the length of a block. */
    public static final int BLOCK_LENGTH_OFFSET = WINDOW_OFFSET + Integer.BYTES;
    /** Offset of the decision. */
    public static final int DECISION_OFFSET = LINE_LENGTH;
    /** Offset of the word that says which proposal counts. */
    public static final int AGREED_OFFSET = DECISION_OFFSET + Long.BYTES;
    /** Offset of the word that says whether all members have come. */
    public static final int MEETING_OFFSET = AGREED_OFFSET + Long.BYTES;
    /** Offset of the table of algorithms. */
    public static final int TABLE_OFFSET = DECISION_OFFSET + LINE_LENGTH;
    /** Kinds of operations in the table. */
    public static final int TABLE_KINDS = 11;
    /** Lengths in the table: 0, and each power of two and what is below the next one. */
    public static final int TABLE_CLASSES = 32;
    /** Length of the table: for each kind the lengths without data that are read directly, and with them; a byte each. */
    public static final int TABLE_LENGTH = TABLE_KINDS * 2 * TABLE_CLASSES;
    /** Offset of the sleeping words. */
    public static final int SLEEPING_OFFSET = TABLE_OFFSET + (TABLE_LENGTH + LINE_LENGTH - 1 & -LINE_LENGTH);

    /** Within a step line, offset of the step. */
    public static final int STEP_OFFSET = 0;
    /** Within a step line, offset of the number of the operations. */
    public static final int OPERATIONS_OFFSET = STEP_OFFSET + Long.BYTES;
    /** Within a step line, offset of what was consumed when it was written. */
    public static final int CONSUMED_WITH_OFFSET = OPERATIONS_OFFSET + Long.BYTES;
    /** Within a step line, offset of the payload. */
    public static final int PAYLOAD_OFFSET = CONSUMED_WITH_OFFSET + Long.BYTES;
    /** Most bytes of a payload within a step line. */
    public static final int MAX_INLINE_LENGTH = LINE_LENGTH - PAYLOAD_OFFSET;

    /** Within the last line of a member, offset of the steps that it has consumed. */
    public static final int CONSUMED_OFFSET = 0;
    /** Within the last line of a member, offset of its incarnation. */
    public static final int INCARNATION_OFFSET = CONSUMED_OFFSET + Long.BYTES;
    /** Within the last line of a member, offset of the word that says that it has left. */
    public static final int LEFT_OFFSET = INCARNATION_OFFSET + Long.BYTES;
    /** Within the last line of a member, offset of its rank. */
    public static final int RANK_OFFSET = LEFT_OFFSET + Integer.BYTES;
    /** Within the last line of a member, offset of its vote. */
    public static final int VOTE_OFFSET = RANK_OFFSET + Integer.BYTES;
    /** Within the last line of a member, offset of the number of its process. */
    public static final int PROCESS_OFFSET = VOTE_OFFSET + Long.BYTES;
    /** Within the last line of a member, offset of the operation that it has begun last. */
    public static final int BEGUN_OFFSET = PROCESS_OFFSET + Long.BYTES;
    private static final int KIND_BITS = 8;
    /** Within a proposal, offset of the flags. */
    public static final int FLAGS_OFFSET = 0;
    /** Within a proposal, offset of the word with a bit for each thing that members have voted on. */
    public static final int ABOUT_OFFSET = FLAGS_OFFSET + Long.BYTES;
    /** Within a proposal, offset of the bits of the living members. */
    public static final int LIVING_OFFSET = ABOUT_OFFSET + Long.BYTES;
    /** Bits of the number of an agreement. */
    public static final int NUMBER_BITS = 24;
    private static final int NUMBER_SHIFT = Long.SIZE - NUMBER_BITS;
    /** A member has left, after all had entered as far as it knows. */
    public static final int LEFT = 1;
    /** A member has left before all had entered, as far as it knows: it waits for them in another arena, or not at all. */
    public static final int GAVE_UP = 2;
    /** All members have come. */
    public static final long COMPLETE = 1;
    /** A member that had come did not wait for the others. */
    public static final long GIVEN_UP = 2;

    private ArenaDescriptor()
    {
    }

    /**
     * Where the lines of the members begin.
     *
     * @param members number of members.
     * @return the offset in bytes.
     */
    public static int membersOffset(final int members)
    {
        return SLEEPING_OFFSET + (members * Integer.BYTES + LINE_LENGTH - 1 & -LINE_LENGTH);
    }

    /**
     * Length of the lines of a member.
     *
     * @param window steps.
     * @return in bytes.
     */
    public static int memberLength(final int window)
    {
        return (window + 1) * LINE_LENGTH;
    }

    /**
     * Where the proposals begin.
     *
     * @param members number of members.
     * @param window  steps.
     * @return the offset in bytes.
     */
    public static int proposalsOffset(final int members, final int window)
    {
        return membersOffset(members) + members * memberLength(window);
    }

    /**
     * Length of a proposal.
     *
     * @param members number of members.
     * @return in bytes.
     */
    public static int proposalLength(final int members)
    {
        return LIVING_OFFSET + livingWords(members) * Long.BYTES + LINE_LENGTH - 1 & -LINE_LENGTH;
    }

    /**
     * How many words have a bit for each member.
     *
     * @param members number of members.
     * @return the number of words of 8 bytes.
     */
    public static int livingWords(final int members)
    {
        return (members + Long.SIZE - 1) / Long.SIZE;
    }

    /**
     * Where the short places begin.
     *
     * @param members number of members.
     * @param window  steps.
     * @return the offset in bytes.
     */
    public static int shortPlacesOffset(final int members, final int window)
    {
        return proposalsOffset(members, window) + members * proposalLength(members);
    }

    /**
     * Where the blocks begin.
     *
     * @param members number of members.
     * @param window  steps.
     * @return the offset in bytes.
     */
    public static int blocksOffset(final int members, final int window)
    {
        return shortPlacesOffset(members, window) + members * SHORT_PLACES * SHORT_LENGTH;
    }

    /**
     * Length of an arena.
     *
     * @param members     number of members.
     * @param window      steps.
     * @param blockLength in bytes.
     * @return in bytes; more than can be mapped at once if these are too many.
     */
    public static long length(final int members, final int window, final int blockLength)
    {
        return blocksOffset(members, window) + (long)members * window * blockLength;
    }

    /**
     * Whether there may be such an arena.
     *
     * @param members     number of members.
     * @param window      steps.
     * @param blockLength in bytes.
     * @return true if so.
     */
    public static boolean isValid(final int members, final int window, final int blockLength)
    {
        return members >= 1 && members <= MAX_MEMBERS &&
            window >= MIN_WINDOW && window <= MAX_WINDOW && Integer.bitCount(window) == 1 &&
            blockLength >= members * MIN_SHARE_LENGTH && blockLength <= MAX_BLOCK_LENGTH && blockLength % LINE_LENGTH == 0 &&
            length(members, window, blockLength) <= Integer.MAX_VALUE;
    }

    /**
     * The word for an operation that a member begins.
     *
     * @param operation its number.
     * @param kind      its kind, 0 to 254.
     * @return the word, greater than those of the operations before.
     */
    public static long begun(final long operation, final int kind)
    {
        return operation + 1 << KIND_BITS | kind + 1;
    }

    /**
     * Number of the operation that a member has begun last.
     *
     * @param begun the word.
     * @return the number; -1 if it has begun none.
     */
    public static long begunOperation(final long begun)
    {
        return (begun >>> KIND_BITS) - 1;
    }

    /**
     * Kind of the operation that a member has begun last.
     *
     * @param begun the word.
     * @return the kind; -1 if it has begun none.
     */
    public static int begunKind(final long begun)
    {
        return (int)(begun & (1 << KIND_BITS) - 1) - 1;
    }

    /**
     * A decision.
     *
     * @param reason why the team ends, 1 to 255.
     * @param member that it is about.
     * @return the word.
     */
    public static long decision(final int reason, final int member)
    {
        return (long)reason << Integer.SIZE | member;
    }

    /**
     * Why the team ended.
     *
     * @param decision the word, not 0.
     * @return the reason; nothing meaningful if the word is damaged.
     */
    public static int reason(final long decision)
    {
        return (int)(decision >>> Integer.SIZE);
    }

    /**
     * The member that a decision is about.
     *
     * @param decision the word.
     * @return the member; nothing meaningful if the word is damaged.
     */
    public static int member(final long decision)
    {
        return (int)decision;
    }

    /**
     * A vote.
     *
     * @param number of the agreement.
     * @param about  what it is about, 0 to 255.
     * @param flags  of the member.
     * @return the word.
     */
    public static long vote(final long number, final int about, final int flags)
    {
        return number << NUMBER_SHIFT | (long)about << Integer.SIZE | flags & 0xFFFF_FFFFL;
    }

    /**
     * What a vote is about.
     *
     * @param vote the word.
     * @return 0 to 255.
     */
    public static int about(final long vote)
    {
        return (int)(vote >>> Integer.SIZE) & 0xFF;
    }

    /**
     * The word that says which proposal counts.
     *
     * @param number of the agreement.
     * @param member that has made the proposal.
     * @return the word.
     */
    public static long agreed(final long number, final int member)
    {
        return number << NUMBER_SHIFT | member + 1;
    }

    /**
     * The member of such a word.
     *
     * @param agreed the word.
     * @return the member; nothing meaningful if the word is damaged.
     */
    public static int proposer(final long agreed)
    {
        return (int)agreed - 1;
    }

    /**
     * Whether a vote, or the word that says which proposal counts, is of an agreement.
     *
     * @param word   the word.
     * @param number of the agreement.
     * @return true if so.
     */
    public static boolean isOf(final long word, final long number)
    {
        return word >>> NUMBER_SHIFT == (number & (1 << NUMBER_BITS) - 1);
    }
}
