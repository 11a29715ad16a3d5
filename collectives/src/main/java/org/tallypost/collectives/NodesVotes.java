// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import org.agrona.DirectBuffer;

/**
 * The agreements of a team on several nodes: takes {@link NodesAgreement} to the messages, and finds which members are gone: one
 * of this node as its arena says, one of another node if its rank is gone, or if it has said that it has left.
 *
 * <p>What a member has voted is in the arena of its node too: so one that has begun an operation instead is found out.
 */
final class NodesVotes implements Voting
{
    /** Looks in vain before what was sent is sent again; doubled each time. */
    private static final int FIRST_LOOKS = 256;
    private static final int MOST_LOOKS = 4_096;
    private static final int LOOKS_OF_A_REST = 16;

    private final NodeMap map;
    private final MemberLinks links;
    private final NodesAgreement agreement;
    private final AgreedValue received;
    /** Members that are to be told that they do not come together by further calls. */
    private final boolean[] refused;
    private NodesPath path;
    private Votes.Vote mine = Votes.Vote.NONE;
    private int flagsOfMine;
    private int looks;
    private int looksToRemind = FIRST_LOOKS;
    private long position;

    NodesVotes(final Meeting meeting, final NodeMap map, final int[] ranks, final long id, final int view)
    {
        this.map = map;
        links = new MemberLinks(meeting, ranks, id, view);
        agreement = new NodesAgreement(map.size(), map.self());
        received = new AgreedValue(map.size());
        refused = new boolean[map.size()];
    }

    /** How members get each other's messages. */
    MemberLinks links()
    {
        return links;
    }

    /** The team begins: all its members have come, so those that are not open now are gone. */
    void open(final NodesPath begun)
    {
        path = begun;
        links.open();
    }

    @Override
    public void vote(final Votes.Vote about, final int flags)
    {
        vote(about, flags, false);
    }

    @Override
    public void refuse(final Votes.Vote about, final int flags)
    {
        vote(about, flags, true);
    }

    private void vote(final Votes.Vote about, final int flags, final boolean isForAll)
    {
        mine = about;
        flagsOfMine = flags;
        agreement.vote(flags, 1 << about.ordinal(), (int)-path.failure(), Math.max(0, path.culprit()), isForAll);
        // those of this node see there that this member has come to it
        path.inner().exchange().arena().vote(map.localOf(map.self()), agreement.number(), about.ordinal(), flags);
        path.inner().exchange().wakeAll();
        looks = 0;
        looksToRemind = FIRST_LOOKS;
        flush();
    }

    @Override
    public long tryAgree()
    {
        if (agreement.isOpen())
        {
            path.lookAtEnd();
            final long failure = path.failure();
            if (isUnfit(failure) || failure == Team.CLOSED)
            {
                return failure;
            }
            advance();
        }
        if (agreement.isOpen())
        {
            findOthers();
            lookAgain(1);
            return isUnfit(path.failure()) ? path.failure() : Team.IN_PROGRESS;
        }
        return take();
    }

    private void advance()
    {
        lookAtMembers();
        agreement.advance();
        flush();
    }

    /** Members that are waited for may be gone: in this order, so that the next coordinator is looked at behind the last one. */
    private void lookAtMembers()
    {
        for (int i = 0; i < map.size(); i++)
        {
            if (agreement.isAwaited(i))
            {
                isGone(i);
            }
        }
    }

    /** Members that have called different things do not come together by further calls. */
    private static boolean isUnfit(final long failure)
    {
        return failure == Team.MISMATCH || failure == Team.DAMAGED;
    }

    /** What was sent may have been dropped by a member that was not ready for it. */
    private void lookAgain(final int count)
    {
        looks += count;
        if (looks >= looksToRemind)
        {
            looks = 0;
            looksToRemind = Math.min(MOST_LOOKS, 2 * looksToRemind);
            agreement.remind();
            flush();
        }
    }

    /** The thread is about to rest. */
    void rest()
    {
        if (agreement.isOpen())
        {
            lookAgain(LOOKS_OF_A_REST);
        }
    }

    /** A member of this node that has not voted may be in an operation that this one has not come to: it will not vote. */
    private void findOthers()
    {
        final Exchange exchange = path.inner().exchange();
        path.lookForOthers();
        for (int i = 0; i < map.locals().length && !path.isBusy(); i++)
        {
            // in this order: one that voted, and went on, has written its vote before
            if (exchange.isAhead(i) && !exchange.arena().hasVoted(i, agreement.number()))
            {
                path.fail(Team.MISMATCH, map.locals()[i]);
                return;
            }
        }
    }

    /** Whether this member waits in an agreement to which one that has voted in so many has not come. */
    boolean isAheadOf(final int votes)
    {
        return agreement.isOpen() && votes - (int)agreement.number() < 0;
    }

    /** Number of agreements that this member has voted in. */
    int votes()
    {
        return (int)agreement.number();
    }

    private long take()
    {
        final AgreedValue agreed = agreement.agreed();
        if (Integer.bitCount(agreed.about()) == 1)
        {
            return 0;
        }
        // some may still be in a split, which fails since the team has ended, while others vote on something else already
        if (agreed.failure() == 0 || Integer.bitCount(agreed.about() & ~(1 << Votes.Vote.SPLIT.ordinal())) != 1)
        {
            path.fail(Team.MISMATCH, member(agreed.odd()));
            return path.failure();
        }
        if (mine == Votes.Vote.SPLIT)
        {
            final long failure = -(long)agreed.failure();
            path.fail(NodesPath.isFailure(failure) ? failure : Team.DAMAGED, member(agreed.culprit()));
            return path.failure();
        }
        vote(mine, flagsOfMine, false);
        return Team.IN_PROGRESS;
    }

    private int member(final int found)
    {
        return found < 0 || found >= map.size() ? map.self() : found;
    }

    /** Does what can be done for others, also between agreements. Whether something was done. */
    void progress()
    {
        isGone(agreement.coordinator());
        flush();
    }

    /** Grows whenever a message has come. */
    long position()
    {
        return position;
    }

    /** Takes a message of the team. Whether it is one. */
    boolean onMessage(final int source, final DirectBuffer buffer, final int offset, final int length)
    {
        final int from = links.memberOf(source);
        if (from < 0 || from == map.self() || !links.isOfSession(buffer.getLong(offset + SESSION_OFFSET)))
        {
            return false;
        }
        if (agreement.isGone(from))
        {
            return true;
        }
        position++;
        return take(from, kind(buffer.getInt(offset + KIND_OFFSET)), buffer, offset, length);
    }

    private boolean take(final int from, final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        final long number = buffer.getLong(offset + OPERATION_OFFSET);
        final int round = buffer.getInt(offset + PIECE_OFFSET);
        final boolean hasValue = length == HEAD_LENGTH + AgreedValue.length(map.size());
        if (hasValue)
        {
            received.read(buffer, offset + HEAD_LENGTH);
        }
        switch (kind)
        {
            case VOTE:
                if (path != null && isUnfit(path.failure()))
                {
                    refused[from] = true;
                    agreement.unpaid();
                }
                return hasValue && agreement.receiveVote(from, number, received);
            case PROPOSAL:
                return hasValue && agreement.receiveProposal(from, number, round, received);
            case STORED:
                agreement.receiveStored(from, number, round);
                return true;
            case AGREED:
                if (hasValue)
                {
                    agreement.receiveAgreed(number, received);
                }
                return hasValue;
            case REFUSED:
                return path != null && end(-(long)round, buffer.getInt(offset + CONSUMED_OFFSET));
            default:
                lose(from);
                return true;
        }
    }

    /** Another member has found that members have called different things. Whether that can be. */
    private boolean end(final long failure, final int about)
    {
        final boolean isKnown = isUnfit(failure) && about >= 0 && about < map.size();
        if (isKnown && path.failure() == 0)
        {
            path.fail(failure, about);
        }
        return isKnown;
    }

    private void lose(final int member)
    {
        agreement.lose(member);
        refused[member] = false;
    }

    /** Tells all members what this one still owes them, and that it has left. Whether there is none left to be told. */
    boolean tryLeave()
    {
        boolean isTold = true;
        for (int i = 0; i < map.size() && links.isReady(); i++)
        {
            if (!map.isHere(i) && !isGone(i))
            {
                final boolean isSent = trySend(i) && links.send(i, MEMBER_LEFT, 0, 0, 0, null) >= 0;
                if (isSent)
                {
                    // once
                    lose(i);
                }
                isTold &= isSent;
            }
        }
        return isTold;
    }

    /** Whether something could not be sent when it was tried. No message tells when it can go. */
    boolean isOwing()
    {
        return links.isReady() && agreement.isUnpaid();
    }

    /** Sends what is owed. */
    void flush()
    {
        if (!links.isReady() || !agreement.isOwing())
        {
            return;
        }
        for (int i = 0; i < map.size(); i++)
        {
            if (!trySend(i))
            {
                agreement.unpaid();
            }
        }
    }

    private boolean trySend(final int member)
    {
        int what = agreement.owed(member);
        while (what != 0 && send(member, what) >= 0)
        {
            agreement.paid(member, what);
            what = agreement.owed(member);
        }
        if (refused[member] &&
            links.send(member, REFUSED, 0, (int)-path.failure(), Math.max(0, path.culprit()), null) >= 0)
        {
            refused[member] = false;
        }
        return what == 0 && !refused[member];
    }

    private long send(final int member, final int what)
    {
        switch (what)
        {
            case NodesAgreement.VOTE:
                return links.send(member, VOTE, agreement.number(), 0, 0, agreement.voteOf(map.self()));
            case NodesAgreement.PROPOSAL:
                return links.send(
                    member, PROPOSAL, agreement.number(), agreement.storedRound(), 0, agreement.stored());
            case NodesAgreement.STORED:
                return links.send(member, STORED, agreement.number(), agreement.storedRound(), 0, null);
            default:
                return links.send(member, AGREED, agreement.agreements(), 0, 0, agreement.agreed());
        }
    }

    @Override
    public boolean isGone(final int member)
    {
        if (member == map.self() || agreement.isGone(member))
        {
            return member != map.self();
        }
        if (map.isHere(member) ? path != null && path.inner().votes().isGone(map.localOf(member)) : links.isGone(member))
        {
            lose(member);
            return true;
        }
        return false;
    }

    @Override
    public int late(final int[] into)
    {
        int count = 0;
        for (int i = 0; i < map.size() && count < into.length; i++)
        {
            if (agreement.isAwaited(i) && !isGone(i))
            {
                into[count++] = i;
            }
        }
        return count;
    }

    @Override
    public int flags()
    {
        return agreement.agreed().flags();
    }

    @Override
    public boolean isLiving(final int member)
    {
        return agreement.agreed().isLiving(member);
    }

    @Override
    public boolean isRefused(final int wanted)
    {
        final long next = agreement.agreements() + 1;
        for (int i = 0; i < map.size(); i++)
        {
            if (agreement.votedIn(i) == next && (agreement.voteOf(i).flags() & wanted) != wanted)
            {
                return true;
            }
        }
        return false;
    }
}
