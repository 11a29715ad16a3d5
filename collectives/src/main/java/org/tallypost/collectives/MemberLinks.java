// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.RankState;

/** How members of a team on several nodes send messages about an agreement to each other, and which of their ranks are gone. */
final class MemberLinks
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(0, 0);

    private final Meeting meeting;
    private final int[] ranks;
    private final long id;
    private final int view;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[HEAD_LENGTH]);
    private final UnsafeBuffer data;
    /** By which a member was seen to be open; 0 if it was not. */
    private final int[] incarnations;
    /** What the team is called in messages; 0 while this member does not know it. */
    private long session;

    MemberLinks(final Meeting meeting, final int[] ranks, final long id, final int view)
    {
        this.meeting = meeting;
        this.ranks = ranks;
        this.id = id;
        this.view = view;
        data = new UnsafeBuffer(new byte[AgreedValue.length(ranks.length)]);
        incarnations = new int[ranks.length];
    }

    /** What the team is called: the same number, of chance, at all its members. */
    void session(final long ofTeam)
    {
        session = ofTeam;
    }

    /**
     * Before the team begins: what it is called, and in which incarnations its members were, in the team that it is made of.
     *
     * @param old    links of that team.
     * @param chosen members of that team, in the order of this one.
     */
    void follow(final MemberLinks old, final int[] chosen)
    {
        session = OperationIdentity.mix(old.session ^ id) | 1;
        for (int i = 0; i < chosen.length; i++)
        {
            incarnations[i] = old.incarnations[chosen[i]];
        }
    }

    /** All members have come: those that are not open now are gone. */
    void open()
    {
        for (int i = 0; i < incarnations.length; i++)
        {
            incarnations[i] = incarnations[i] == 0 ? RankState.incarnation(meeting.rankState(ranks[i])) : incarnations[i];
        }
    }

    /** Whether this member knows what the team is called. */
    boolean isReady()
    {
        return session != 0;
    }

    boolean isOfSession(final long found)
    {
        return session != 0 && found == session;
    }

    /** The member that a rank is; negative if it is none. */
    int memberOf(final int rank)
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

    /** Whether the rank of a member is not as it was. One that was not open yet, as far as it is known here, is to come. */
    boolean isGone(final int member)
    {
        final long state = meeting.rankState(ranks[member]);
        if (incarnations[member] == 0)
        {
            incarnations[member] = RankState.of(state) == RankState.OPEN ? RankState.incarnation(state) : 0;
            return false;
        }
        return RankState.of(state) != RankState.OPEN || RankState.incarnation(state) != incarnations[member];
    }

    /** Sends a message, with a value or without. Negative if it cannot be sent now. */
    long send(
        final int member, final int kind, final long number, final int round, final int about, final AgreedValue value)
    {
        head.putInt(KIND_OFFSET, kindWord(kind));
        head.putInt(VIEW_OFFSET, view);
        head.putLong(TEAM_OFFSET, id);
        head.putLong(SESSION_OFFSET, session);
        head.putLong(OPERATION_OFFSET, number);
        head.putLong(OPERATIONS_OFFSET, 0);
        head.putInt(PIECE_OFFSET, round);
        head.putInt(CONSUMED_OFFSET, about);
        if (value == null)
        {
            return meeting.send(ranks[member], head, HEAD_LENGTH, NOTHING, 0, 0);
        }
        value.write(data);
        return meeting.send(ranks[member], head, HEAD_LENGTH, data, 0, data.capacity());
    }
}
