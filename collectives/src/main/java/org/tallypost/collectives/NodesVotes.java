// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.endpoint.RankState;

/**
 * The agreements of a team on several nodes: takes {@link NodesAgreement} to the messages, and finds which members are gone: one
 * of this node as its arena says, one of another node if its rank is gone, or if it has said that it has left.
 *
 * <p>What a member has voted is in the arena of its node too: so one that has begun an operation instead is found out.
 */
final class NodesVotes implements Voting
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(0, 0);
    /** Looks in vain before what was sent is sent again; doubled each time. */
    private static final int FIRST_LOOKS = 256;
    private static final int MOST_LOOKS = 4_096;
    private static final int LOOKS_OF_A_REST = 16;

    private final Meeting meeting;
    private final NodeMap map;
    private final int[] ranks;
    private final long id;
    private final int view;
    private final NodesAgreement agreement;
    private final AgreedValue received;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[HEAD_LENGTH]);
    private final UnsafeBuffer value;
    /** By which a member of another node was seen to be open; 0 if it was not. */
    private final int[] incarnations;
    /** Members that are to be told that they do not come together by further calls. */
    private final boolean[] refused;
    /** What the team is called in messages; 0 while this member does not know it. */
    private long session;
    private NodesPath path;
    private Votes.Vote mine = Votes.Vote.NONE;
    private int flagsOfMine;
    private int looks;
    private int looksToRemind = FIRST_LOOKS;
    private long position;

    NodesVotes(final Meeting meeting, final NodeMap map, final int[] ranks, final long id, final int view)
    {
        this.meeting = meeting;
        this.map = map;
        this.ranks = ranks;
        this.id = id;
        this.view = view;
        agreement = new NodesAgreement(map.size(), map.self());
        received = new AgreedValue(map.size());
        value = new UnsafeBuffer(new byte[AgreedValue.length(map.size())]);
        incarnations = new int[map.size()];
        refused = new boolean[map.size()];
    }

    /** What the team is called: the same number, of chance, at all its members. */
    void session(final long ofTeam)
    {
        session = ofTeam;
    }

    long session()
    {
        return session;
    }

    /** The team begins: all its members have come, so those that are not open now are gone. */
    void open(final NodesPath begun)
    {
        path = begun;
        for (int i = 0; i < incarnations.length; i++)
        {
            incarnations[i] = incarnations[i] == 0 ? RankState.incarnation(meeting.rankState(ranks[i])) : incarnations[i];
        }
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
            if (exchange.isAhead(i) && isBehind(exchange.arena().voteOf(i)))
            {
                path.fail(Team.MISMATCH, map.locals()[i]);
                return;
            }
        }
    }

    private boolean isBehind(final long vote)
    {
        return !ArenaDescriptor.isOf(vote, agreement.number()) && !ArenaDescriptor.isOf(vote, agreement.number() + 1);
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
        final int from = memberOf(source);
        if (from < 0 || from == map.self() || session == 0 || buffer.getLong(offset + SESSION_OFFSET) != session)
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

    private int memberOf(final int rank)
    {
        for (int i = 0; i < ranks.length; i++)
        {
            if (ranks[i] == rank)
            {
                return i;
            }
        }
        return -1;
    }

    private boolean take(final int from, final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        final long number = buffer.getLong(offset + OPERATION_OFFSET);
        final int round = buffer.getInt(offset + PIECE_OFFSET);
        final boolean hasValue = length == HEAD_LENGTH + value.capacity();
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
        for (int i = 0; i < map.size() && session != 0; i++)
        {
            if (!map.isHere(i) && !isGone(i))
            {
                final boolean isSent = trySend(i) && send(i, MEMBER_LEFT, 0, 0, 0, 0) >= 0;
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

    /** Sends what is owed. */
    void flush()
    {
        if (session == 0 || !agreement.isOwing())
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
        if (refused[member] && send(member, REFUSED, 0, (int)-path.failure(), Math.max(0, path.culprit()), 0) >= 0)
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
                agreement.voteOf(map.self()).write(value);
                return send(member, VOTE, agreement.number(), 0, 0, value.capacity());
            case NodesAgreement.PROPOSAL:
                agreement.stored().write(value);
                return send(member, PROPOSAL, agreement.number(), agreement.storedRound(), 0, value.capacity());
            case NodesAgreement.STORED:
                return send(member, STORED, agreement.number(), agreement.storedRound(), 0, 0);
            default:
                agreement.agreed().write(value);
                return send(member, AGREED, agreement.agreements(), 0, 0, value.capacity());
        }
    }

    private long send(
        final int member, final int kind, final long number, final int round, final int about, final int length)
    {
        head.putInt(KIND_OFFSET, kindWord(kind));
        head.putInt(VIEW_OFFSET, view);
        head.putLong(TEAM_OFFSET, id);
        head.putLong(SESSION_OFFSET, session);
        head.putLong(OPERATION_OFFSET, number);
        head.putLong(OPERATIONS_OFFSET, 0);
        head.putInt(PIECE_OFFSET, round);
        head.putInt(CONSUMED_OFFSET, about);
        return meeting.send(ranks[member], head, HEAD_LENGTH, length == 0 ? NOTHING : value, 0, length);
    }

    @Override
    public boolean isGone(final int member)
    {
        if (member == map.self() || agreement.isGone(member))
        {
            return member != map.self();
        }
        if (map.isHere(member) ? path != null && path.inner().votes().isGone(map.localOf(member)) : isGoneElsewhere(member))
        {
            lose(member);
            return true;
        }
        return false;
    }

    /** One that was not open yet, as far as it is known on this node, is to come. */
    private boolean isGoneElsewhere(final int member)
    {
        final long state = meeting.rankState(ranks[member]);
        if (incarnations[member] == 0)
        {
            incarnations[member] = RankState.of(state) == RankState.OPEN ? RankState.incarnation(state) : 0;
            return false;
        }
        return RankState.of(state) != RankState.OPEN || RankState.incarnation(state) != incarnations[member];
    }

    /** Members of a team that is made of another one: by the incarnation that they had there. */
    void follow(final int member, final int incarnation)
    {
        incarnations[member] = incarnation;
    }

    int incarnation(final int member)
    {
        isGone(member);
        return incarnations[member];
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
