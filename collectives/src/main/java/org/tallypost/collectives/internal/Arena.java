// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives.internal;

import java.lang.invoke.VarHandle;
import org.agrona.concurrent.AtomicBuffer;

/**
 * An arena, as one member sees it. A number that another member has written is compared or taken for the least of several, and
 * never used as a length, an index or an offset: whatever is there, no access leaves the arena.
 */
public final class Arena
{
    private final AtomicBuffer buffer;
    private final int members;
    private final int window;
    private final int blockLength;
    private final int membersOffset;
    private final int memberLength;
    private final int proposalsOffset;
    private final int proposalLength;
    private final int shortPlacesOffset;
    private final int blocksOffset;

    private Arena(final AtomicBuffer buffer, final int members, final int window, final int blockLength)
    {
        this.buffer = buffer;
        this.members = members;
        this.window = window;
        this.blockLength = blockLength;
        membersOffset = ArenaDescriptor.membersOffset(members);
        memberLength = ArenaDescriptor.memberLength(window);
        proposalsOffset = ArenaDescriptor.proposalsOffset(members, window);
        proposalLength = ArenaDescriptor.proposalLength(members);
        shortPlacesOffset = ArenaDescriptor.shortPlacesOffset(members, window);
        blocksOffset = ArenaDescriptor.blocksOffset(members, window);
    }

    /** Makes an arena of memory that is all zeros, for ranks in the order of their member numbers. */
    public static void initialise(
        final AtomicBuffer buffer, final long team, final int view, final int[] ranks, final int window, final int blockLength)
    {
        final int members = ranks.length;
        if (!ArenaDescriptor.isValid(members, window, blockLength) ||
            buffer.capacity() != ArenaDescriptor.length(members, window, blockLength))
        {
            throw new IllegalArgumentException("no such arena: found members=" + members + ", window=" + window +
                ", block length=" + blockLength + ", length=" + buffer.capacity() + "; " + EXPECTED);
        }
        buffer.putInt(ArenaDescriptor.MEMBERS_OFFSET, members);
        buffer.putLong(ArenaDescriptor.FILE_LENGTH_OFFSET, buffer.capacity());
        buffer.putLong(ArenaDescriptor.TEAM_OFFSET, team);
        buffer.putInt(ArenaDescriptor.VIEW_OFFSET, view);
        buffer.putInt(ArenaDescriptor.WINDOW_OFFSET, window);
        buffer.putInt(ArenaDescriptor.BLOCK_LENGTH_OFFSET, blockLength);
        final Arena arena = new Arena(buffer, members, window, blockLength);
        for (int i = 0; i < members; i++)
        {
            buffer.putInt(arena.lastLineOffset(i) + ArenaDescriptor.RANK_OFFSET, ranks[i]);
        }
        buffer.putLong(ArenaDescriptor.MAGIC_OFFSET, ArenaDescriptor.MAGIC);
        // SYNC POINT arena-complete: pairs with the acquire load of the version in attach
        buffer.putIntRelease(ArenaDescriptor.VERSION_OFFSET, ArenaDescriptor.VERSION);
    }

    private static final String EXPECTED = "expected members=1 to " + ArenaDescriptor.MAX_MEMBERS +
        ", window=a power of two from " + ArenaDescriptor.MIN_WINDOW + " to " + ArenaDescriptor.MAX_WINDOW +
        ", block length=a multiple of " + ArenaDescriptor.LINE_LENGTH + " of at least " + ArenaDescriptor.MIN_SHARE_LENGTH +
        " bytes for each member, and a length that these have";

    /** Whether the member that makes an arena is done with it. */
    public static boolean isComplete(final AtomicBuffer buffer)
    {
        return buffer.capacity() >= ArenaDescriptor.SLEEPING_OFFSET && buffer.getIntAcquire(ArenaDescriptor.VERSION_OFFSET) != 0;
    }

    /** Attaches to an arena of a certain team that another member has made. Whatever is there is checked first. */
    public static Arena attach(final AtomicBuffer buffer, final long team, final int view, final int members)
    {
        final Arena arena = attach(buffer);
        if (arena.members != members || arena.team() != team || arena.view() != view)
        {
            throw new IllegalArgumentException("arena of another team: found team=" + arena.team() + ", view=" + arena.view() +
                ", members=" + arena.members + ", expected team=" + team + ", view=" + view + ", members=" + members);
        }
        return arena;
    }

    /** Attaches to whatever arena it is. */
    public static Arena attach(final AtomicBuffer buffer)
    {
        if (buffer.capacity() < ArenaDescriptor.SLEEPING_OFFSET)
        {
            throw new IllegalArgumentException("not an arena: found length=" + buffer.capacity() + ", expected at least " +
                ArenaDescriptor.SLEEPING_OFFSET);
        }
        // SYNC POINT arena-complete: pairs with the release store of the version in initialise
        final int version = buffer.getIntAcquire(ArenaDescriptor.VERSION_OFFSET);
        final long magic = buffer.getLong(ArenaDescriptor.MAGIC_OFFSET);
        if (magic != ArenaDescriptor.MAGIC || version != ArenaDescriptor.VERSION)
        {
            throw new IllegalArgumentException("not an arena: found magic=0x" + Long.toHexString(magic) + ", version=" + version +
                ", expected=0x" + Long.toHexString(ArenaDescriptor.MAGIC) + ", " + ArenaDescriptor.VERSION);
        }
        final int members = buffer.getInt(ArenaDescriptor.MEMBERS_OFFSET);
        final int window = buffer.getInt(ArenaDescriptor.WINDOW_OFFSET);
        final int blockLength = buffer.getInt(ArenaDescriptor.BLOCK_LENGTH_OFFSET);
        final long length = buffer.getLong(ArenaDescriptor.FILE_LENGTH_OFFSET);
        if (!ArenaDescriptor.isValid(members, window, blockLength) || buffer.capacity() != length ||
            length != ArenaDescriptor.length(members, window, blockLength))
        {
            throw new IllegalArgumentException("damaged arena: found members=" + members + ", window=" + window +
                ", block length=" + blockLength + ", length=" + length + " of " + buffer.capacity() + "; " + EXPECTED);
        }
        return new Arena(buffer, members, window, blockLength);
    }

    /** The team's number. */
    public long team()
    {
        return buffer.getLong(ArenaDescriptor.TEAM_OFFSET);
    }

    /** The team's view. */
    public int view()
    {
        return buffer.getInt(ArenaDescriptor.VIEW_OFFSET);
    }

    public AtomicBuffer buffer()
    {
        return buffer;
    }

    public int members()
    {
        return members;
    }

    public int window()
    {
        return window;
    }

    public int blockLength()
    {
        return blockLength;
    }

    private int lineOffset(final int member, final long step)
    {
        return membersOffset + member * memberLength + ((int)step & window - 1) * ArenaDescriptor.LINE_LENGTH;
    }

    private int lastLineOffset(final int member)
    {
        return membersOffset + member * memberLength + window * ArenaDescriptor.LINE_LENGTH;
    }

    /** Where the payload of a member is in a step that needs no block. */
    public int payloadOffset(final int member, final long step)
    {
        return lineOffset(member, step) + ArenaDescriptor.PAYLOAD_OFFSET;
    }

    /** Where the payload of a member is in a step with blocks. */
    public int blockOffset(final int member, final long step)
    {
        return blocksOffset + (member * window + ((int)step & window - 1)) * blockLength;
    }

    /** Where the payload of a member is in a step with short places. */
    public int shortOffset(final int member, final long step)
    {
        final int place = member * ArenaDescriptor.SHORT_PLACES + ((int)step & ArenaDescriptor.SHORT_PLACES - 1);
        return shortPlacesOffset + place * ArenaDescriptor.SHORT_LENGTH;
    }

    /**
     * Gets the line of a step, which all members have consumed a window ago, before there is anything to show: nothing waits for
     * it later. What is written has no meaning, and nothing reads it before the step is shown.
     */
    public void fetch(final int member, final long step)
    {
        buffer.putLong(lineOffset(member, step) + ArenaDescriptor.CONSUMED_WITH_OFFSET, 0);
    }

    /** Shows a step: its payload was written before. */
    public void publish(final int member, final long step, final long operations, final long consumed)
    {
        final int line = lineOffset(member, step);
        buffer.putLong(line + ArenaDescriptor.OPERATIONS_OFFSET, operations);
        buffer.putLong(line + ArenaDescriptor.CONSUMED_WITH_OFFSET, consumed);
        // SYNC POINT step: pairs with the acquire load in shown; what is before is plain, since nobody reads it until then
        buffer.putLongRelease(line + ArenaDescriptor.STEP_OFFSET, step + 1);
    }

    /** What is in the line of a step: the step plus 1 if it is shown, and something less before. */
    public long shown(final int member, final long step)
    {
        // SYNC POINT step: pairs with the release store in publish
        return buffer.getLongAcquire(lineOffset(member, step) + ArenaDescriptor.STEP_OFFSET);
    }

    /** Of a step that is shown, the number of the operations. Plain: it was read by the acquire load before. */
    public long operations(final int member, final long step)
    {
        return buffer.getLong(lineOffset(member, step) + ArenaDescriptor.OPERATIONS_OFFSET);
    }

    /** Of a step that is shown, what the member had consumed. Plain, as above. */
    public long consumedWith(final int member, final long step)
    {
        return buffer.getLong(lineOffset(member, step) + ArenaDescriptor.CONSUMED_WITH_OFFSET);
    }

    /** A member will not read the steps before this one again. */
    public void consume(final int member, final long steps)
    {
        // SYNC POINT consumed: its loads of the payloads come before; pairs with the acquire load in consumed
        buffer.putLongRelease(lastLineOffset(member) + ArenaDescriptor.CONSUMED_OFFSET, steps);
    }

    /** Steps that a member will not read again. */
    public long consumed(final int member)
    {
        // SYNC POINT consumed: what is written over these steps comes after; pairs with the release store in consume
        return buffer.getLongAcquire(lastLineOffset(member) + ArenaDescriptor.CONSUMED_OFFSET);
    }

    /** Says in which process a member is, before it enters. */
    public void process(final int member, final long process)
    {
        buffer.putLong(lastLineOffset(member) + ArenaDescriptor.PROCESS_OFFSET, process);
    }

    /** The process of a member that has entered. Plain: it was written before. */
    public long process(final int member)
    {
        return buffer.getLong(lastLineOffset(member) + ArenaDescriptor.PROCESS_OFFSET);
    }

    /** A member begins an operation. Plain: nobody waits for it, and it is written through before the member's next step. */
    public void begin(final int member, final long operation, final int kind)
    {
        buffer.putLong(lastLineOffset(member) + ArenaDescriptor.BEGUN_OFFSET, ArenaDescriptor.begun(operation, kind));
    }

    /** A member enters; its incarnation is at least 1. */
    public void enter(final int member, final int incarnation)
    {
        buffer.putLongRelease(lastLineOffset(member) + ArenaDescriptor.INCARNATION_OFFSET, incarnation);
    }

    /** Incarnation of a member that has entered; 0 before. */
    public long entered(final int member)
    {
        return buffer.getLongAcquire(lastLineOffset(member) + ArenaDescriptor.INCARNATION_OFFSET);
    }

    /**
     * A member finds that all have entered: from now on none can give the meeting up. Whether that is so; false if one has.
     */
    public boolean tryComplete()
    {
        return decideMeeting(ArenaDescriptor.COMPLETE) == ArenaDescriptor.COMPLETE;
    }

    /** A member does not wait for the others. Whether it may go; false if all have come, and count on it. */
    public boolean tryGiveUp()
    {
        return decideMeeting(ArenaDescriptor.GIVEN_UP) != ArenaDescriptor.COMPLETE;
    }

    private long decideMeeting(final long decision)
    {
        // SYNC POINT meeting: behind what the members have entered; what is decided is the same for all
        final boolean isDecided = buffer.compareAndSetLong(ArenaDescriptor.MEETING_OFFSET, 0, decision);
        return isDecided ? decision : buffer.getLongVolatile(ArenaDescriptor.MEETING_OFFSET);
    }

    /** Whether a member has found that all have entered. What they wrote before is visible then. */
    public boolean isMeetingComplete()
    {
        // SYNC POINT meeting: pairs with the decision
        return buffer.getLongAcquire(ArenaDescriptor.MEETING_OFFSET) == ArenaDescriptor.COMPLETE;
    }

    /** A member leaves, and will write nothing any more. */
    public void leave(final int member, final int how)
    {
        final int offset = lastLineOffset(member) + ArenaDescriptor.LEFT_OFFSET;
        if (buffer.getIntOpaque(offset) == 0)
        {
            // SYNC POINT left: behind all that it has shown and consumed; pairs with the acquire load in left
            buffer.putIntRelease(offset, how);
            // SYNC POINT direct: the word, then whatever the program writes into its buffers
            VarHandle.fullFence();
        }
    }

    /**
     * Between the loads of what members have in buffers of their own and a look whether these have left, or the team has ended.
     * One that has written into its buffer had said so before: so a member that has read what was written there finds it.
     */
    public void behindDirectReads()
    {
        // SYNC POINT direct: pairs with the fence in leave; a decision is made or seen before the buffer is written, too
        VarHandle.acquireFence();
    }

    /** How a member has left; 0 if it has not. All that it had shown and consumed before is visible then. */
    public int left(final int member)
    {
        // SYNC POINT left: a look at what it has consumed comes after; pairs with the release store in leave
        return buffer.getIntAcquire(lastLineOffset(member) + ArenaDescriptor.LEFT_OFFSET);
    }

    /**
     * Whether a member that has not got through an operation has shown a step of it with another number. For members that have
     * consumed the step already: its line may be written again at any moment.
     *
     * @param from       first step of the operation.
     * @param to         first step behind it.
     * @param operations that are expected with all these steps.
     */
    public boolean differs(final int member, final long from, final long to, final long operations)
    {
        for (int i = 0; i < window; i++)
        {
            final long step = shown(member, i) - 1;
            if (step >= from && step < to && ((int)step & window - 1) == i && operations(member, i) != operations)
            {
                // SYNC POINT differs: the number before the consumed steps. What is behind the operation is written after a full
                // fence behind the consumption of the operation's last step (Arena.fence): a number of a later operation is not
                // taken for one of this operation
                VarHandle.acquireFence();
                return consumed(member) < to;
            }
        }
        return false;
    }

    /** A member is about to sleep until another one shows or consumes something. It looks again before it does. */
    public void sleep(final int member, final int awaited)
    {
        buffer.putIntOpaque(sleepingOffset(member), awaited + 1);
        // SYNC POINT sleeping: store, fence, look; pairs with the fence in isSleepingFor, so that one of both sees the other's
        // store
        VarHandle.fullFence();
    }

    /** A member is awake. */
    public void awake(final int member)
    {
        buffer.putIntOpaque(sleepingOffset(member), 0);
    }

    /** To be called after something was shown or consumed, and before the sleeping words are looked at. */
    public void fence()
    {
        // SYNC POINT sleeping: publish or consume, fence, look at the words; pairs with the fence in sleep
        VarHandle.fullFence();
    }

    /** Whether a member sleeps until another one has done something. */
    public boolean isSleepingFor(final int member, final int awaited)
    {
        return buffer.getIntOpaque(sleepingOffset(member)) == awaited + 1;
    }

    /** Whether a member sleeps, whatever for. */
    public boolean isSleeping(final int member)
    {
        return buffer.getIntOpaque(sleepingOffset(member)) != 0;
    }

    private static int sleepingOffset(final int member)
    {
        return ArenaDescriptor.SLEEPING_OFFSET + member * Integer.BYTES;
    }

    /** Ends the team for all members, if nobody has. Returns what is decided. */
    public long decide(final long decision)
    {
        // loads first: a full compare-and-set only if there is none yet
        if (decision() == 0)
        {
            buffer.compareAndSetLong(ArenaDescriptor.DECISION_OFFSET, 0, decision);
        }
        return decision();
    }

    /** What was decided; 0 if nothing was. */
    public long decision()
    {
        return buffer.getLongAcquire(ArenaDescriptor.DECISION_OFFSET);
    }

    /** The rank of a member. The maker has written it; what is there is checked by its reader. */
    public int rank(final int member)
    {
        return buffer.getInt(lastLineOffset(member) + ArenaDescriptor.RANK_OFFSET);
    }

    /** A member votes, or changes its vote as long as nothing is agreed. */
    public void vote(final int member, final long number, final int about, final int flags)
    {
        buffer.putLongRelease(lastLineOffset(member) + ArenaDescriptor.VOTE_OFFSET, ArenaDescriptor.vote(number, about, flags));
    }

    /** The last vote of a member. */
    public long voteOf(final int member)
    {
        return buffer.getLongAcquire(lastLineOffset(member) + ArenaDescriptor.VOTE_OFFSET);
    }

    private int proposalOffset(final int member)
    {
        return proposalsOffset + member * proposalLength;
    }

    /** Whether the last vote of a member is in this agreement, or the next one. */
    public boolean hasVoted(final int member, final long number)
    {
        final long vote = voteOf(member);
        return ArenaDescriptor.isOf(vote, number) || ArenaDescriptor.isOf(vote, number + 1);
    }

    /** A member writes down what it makes of the votes: to be followed by agree. */
    public void propose(final int member, final int flags, final int about, final long[] living)
    {
        final int offset = proposalOffset(member);
        buffer.putLong(offset + ArenaDescriptor.FLAGS_OFFSET, flags);
        buffer.putLong(offset + ArenaDescriptor.ABOUT_OFFSET, about);
        for (int i = 0; i < living.length; i++)
        {
            buffer.putLong(offset + ArenaDescriptor.LIVING_OFFSET + i * Long.BYTES, living[i]);
        }
    }

    /** Makes a member's proposal the one that counts, if none does yet. */
    public void agree(final long found, final int member, final long number)
    {
        // SYNC POINT agreed: the proposal is complete; pairs with the acquire load in agreed
        buffer.compareAndSetLong(ArenaDescriptor.AGREED_OFFSET, found, ArenaDescriptor.agreed(number, member));
    }

    /** Number of the last agreement, and the member with the proposal that counts. */
    public long agreed()
    {
        // SYNC POINT agreed: pairs with the compare-and-set in agree
        return buffer.getLongAcquire(ArenaDescriptor.AGREED_OFFSET);
    }

    /** Flags of a proposal that counts. */
    public int flags(final int member)
    {
        return (int)buffer.getLong(proposalOffset(member) + ArenaDescriptor.FLAGS_OFFSET);
    }

    /** What members have voted on, by the proposal that counts: a bit for each thing. */
    public int about(final int member)
    {
        return (int)buffer.getLong(proposalOffset(member) + ArenaDescriptor.ABOUT_OFFSET);
    }

    /** Members that live by a proposal that counts, 64 in a word. */
    public long living(final int member, final int word)
    {
        return buffer.getLong(proposalOffset(member) + ArenaDescriptor.LIVING_OFFSET + word * Long.BYTES);
    }
}
