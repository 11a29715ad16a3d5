// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/**
 * Brings the members of a team on several nodes to one value by messages, whichever of them die meanwhile. The living member with
 * the lowest number, the coordinator, collects the votes of all living members, proposes a value to them, and decides it when all
 * living ones have stored it. If it dies, the next one does that anew. It proposes what it has stored itself, if it has stored a
 * proposal in this agreement. The round of a proposal is the number of its proposer, from 1; one of a lower round is not stored.
 *
 * <p>A value is decided only if all that live have stored it, also the next coordinator: so each later proposal is the same. What
 * a member owes to others is one bit for each kind and member. A message may be sent again at any time.
 *
 * <p>No clock, no input and output: those are with {@link NodesVotes}.
 */
final class NodesAgreement
{
    /** The vote of this member. */
    static final int VOTE = 1;
    /** What this member proposes. */
    static final int PROPOSAL = 2;
    /** That this member has stored a proposal. */
    static final int STORED = 4;
    /** What was agreed on last. */
    static final int AGREED = 8;

    private final int members;
    private final int self;
    private final boolean[] gone;
    /** The last agreement that each member has voted in, and what. */
    private final long[] votedIn;
    private final AgreedValue[] votes;
    /** Members that have stored what this one proposes. */
    private final boolean[] hasStored;
    private final byte[] owed;
    private final AgreedValue stored;
    private final AgreedValue agreed;
    private int storedRound;
    private int coordinator;
    private long number;
    private boolean isOpen;
    private boolean isProposing;
    private boolean isOwing;

    NodesAgreement(final int members, final int self)
    {
        this.members = members;
        this.self = self;
        gone = new boolean[members];
        votedIn = new long[members];
        votes = new AgreedValue[members];
        for (int i = 0; i < members; i++)
        {
            votes[i] = new AgreedValue(members);
        }
        hasStored = new boolean[members];
        owed = new byte[members];
        stored = new AgreedValue(members);
        agreed = new AgreedValue(members);
    }

    /** Votes in the next agreement, or again in one that is under way; to the coordinator, or to all. */
    void vote(final int flags, final int aboutBit, final int failure, final int culprit, final boolean isForAll)
    {
        if (!isOpen)
        {
            number++;
            isOpen = true;
            isProposing = false;
            storedRound = 0;
        }
        votedIn[self] = number;
        votes[self].vote(flags, aboutBit, failure, culprit);
        if (isForAll)
        {
            oweAll(VOTE);
        }
        else
        {
            owe(coordinator, VOTE);
        }
    }

    /** A member is gone, for ever. If it was the coordinator, the next one gets what this member knows. */
    void lose(final int member)
    {
        gone[member] = true;
        owed[member] = 0;
        if (member == coordinator)
        {
            while (gone[coordinator])
            {
                coordinator++;
            }
            owe(coordinator, VOTE);
            owe(coordinator, AGREED);
            if (coordinator == self)
            {
                // others may have asked before this member knew
                oweAll(AGREED);
            }
        }
    }

    private void owe(final int member, final int what)
    {
        if (member != self && !gone[member])
        {
            owed[member] |= (byte)what;
            isOwing = true;
        }
    }

    private void oweAll(final int what)
    {
        for (int i = 0; i < members; i++)
        {
            owe(i, what);
        }
    }

    /** What was sent may not have come: sends it again to those that this member waits for. */
    void remind()
    {
        if (isOpen)
        {
            owe(coordinator, VOTE);
            for (int i = 0; i < members && isProposing; i++)
            {
                if (!hasStored[i])
                {
                    owe(i, PROPOSAL);
                }
            }
        }
    }

    /** Does what the coordinator does, if this member is it. Members that it waits for are looked at before. */
    void advance()
    {
        if (coordinator == self && isOpen && !isProposing && !isAnyAwaited())
        {
            propose();
        }
        if (coordinator == self && isOpen && isProposing && !isAnyAwaited())
        {
            decide(stored);
        }
    }

    /** Whether this member waits for another one: the coordinator for those that have not voted or stored, the others for it. */
    boolean isAwaited(final int member)
    {
        if (!isOpen || member == self || gone[member])
        {
            return false;
        }
        return coordinator == self ? (isProposing ? !hasStored[member] : votedIn[member] != number) : member == coordinator;
    }

    private boolean isAnyAwaited()
    {
        for (int i = 0; i < members; i++)
        {
            if (isAwaited(i))
            {
                return true;
            }
        }
        return false;
    }

    private void propose()
    {
        if (storedRound == 0)
        {
            stored.set(votes[self]);
            for (int i = 0; i < members; i++)
            {
                // the vote of one that has gone since counts
                if (votedIn[i] == number)
                {
                    stored.add(i, votes[i], !gone[i]);
                }
            }
        }
        storedRound = self + 1;
        isProposing = true;
        for (int i = 0; i < members; i++)
        {
            hasStored[i] = false;
            owe(i, PROPOSAL);
        }
    }

    private void decide(final AgreedValue value)
    {
        agreed.set(value);
        isOpen = false;
        isProposing = false;
        if (coordinator == self)
        {
            oweAll(AGREED);
        }
    }

    /** A member has voted. Whether that can be: none is two agreements ahead. */
    boolean receiveVote(final int from, final long of, final AgreedValue vote)
    {
        if (of < 1 || of > agreements() + 2)
        {
            return false;
        }
        if (of == agreements())
        {
            owe(from, AGREED);
        }
        if (of >= votedIn[from])
        {
            votedIn[from] = of;
            votes[from].set(vote);
        }
        return true;
    }

    /** A member proposes a value. Whether that can be. */
    boolean receiveProposal(final int from, final long of, final int round, final AgreedValue value)
    {
        if (round != from + 1)
        {
            return false;
        }
        if (isOpen && of == number && round >= storedRound)
        {
            storedRound = round;
            stored.set(value);
            owe(from, STORED);
        }
        else if (of == agreements())
        {
            owe(from, AGREED);
        }
        return true;
    }

    /** A member has stored a proposal of a round. */
    void receiveStored(final int from, final long of, final int round)
    {
        hasStored[from] |= isProposing && of == number && round == self + 1;
    }

    /** A member says what was agreed on. */
    void receiveAgreed(final long of, final AgreedValue value)
    {
        if (isOpen && of == number)
        {
            decide(value);
        }
    }

    /** What is owed to a member: the lowest kind; 0 if nothing. What has been overtaken is owed no more. */
    int owed(final int member)
    {
        if (owed[member] != 0)
        {
            if (!isOpen)
            {
                owed[member] &= (byte)AGREED;
            }
            if (!isProposing)
            {
                owed[member] &= (byte)~PROPOSAL;
            }
            if (agreements() == 0)
            {
                owed[member] &= (byte)~AGREED;
            }
        }
        return Integer.lowestOneBit(owed[member]);
    }

    /** Whether something may be owed since the last call. */
    boolean isOwing()
    {
        final boolean wasOwing = isOwing;
        isOwing = false;
        return wasOwing;
    }

    /** Whether something may be owed still. */
    boolean isUnpaid()
    {
        return isOwing;
    }

    /** It was not sent: it is owed still. */
    void unpaid()
    {
        isOwing = true;
    }

    void paid(final int member, final int what)
    {
        owed[member] &= (byte)~what;
    }

    boolean isGone(final int member)
    {
        return gone[member];
    }

    /** The living member with the lowest number. */
    int coordinator()
    {
        return coordinator;
    }

    /** Whether this member has voted, and nothing is agreed yet. */
    boolean isOpen()
    {
        return isOpen;
    }

    /** Number of the agreement that this member has voted in last. */
    long number()
    {
        return number;
    }

    /** How many agreements this member has seen the end of. */
    long agreements()
    {
        return isOpen ? number - 1 : number;
    }

    /** What a member has voted last, and in which agreement. */
    AgreedValue voteOf(final int member)
    {
        return votes[member];
    }

    long votedIn(final int member)
    {
        return votedIn[member];
    }

    /** Round of the stored proposal; 0 if there is none. */
    int storedRound()
    {
        return storedRound;
    }

    AgreedValue stored()
    {
        return stored;
    }

    AgreedValue agreed()
    {
        return agreed;
    }
}
