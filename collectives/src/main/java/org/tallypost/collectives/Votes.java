// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.tallypost.collectives.internal.Arena;
import org.tallypost.collectives.internal.ArenaDescriptor;

/**
 * Brings the living members of a team to one value, also when the team has ended. Each member votes. A member that sees the
 * votes of all that are not gone makes a proposal of them, and tries to make it the one that counts, by one compare-and-set. So
 * there is one proposal that counts, whatever each member takes for gone, and whichever dies meanwhile. The members take the
 * agreements of a team in the same order, one at a time.
 *
 * <p>No clock, no waiting: {@link #tryAgree} does what can be done now.
 */
final class Votes implements Voting
{
    private final Exchange exchange;
    private final Arena arena;
    private final int member;
    private final Peers peers;
    private final long[] living;
    private long number;
    private boolean isOpen;
    /** What this member has voted, and on what. */
    private Vote mine = Vote.NONE;
    private int value;
    private int flags;

    Votes(final Exchange exchange, final Peers peers)
    {
        this.exchange = exchange;
        arena = exchange.arena();
        member = exchange.member();
        this.peers = peers;
        living = new long[ArenaDescriptor.livingWords(arena.members())];
    }

    @Override
    public void vote(final Vote about, final int flagsOfMember)
    {
        number += isOpen ? 0 : 1;
        isOpen = true;
        mine = about;
        value = flagsOfMember;
        arena.vote(member, number, about.ordinal(), value);
        exchange.wakeAll();
    }

    /** What a member votes is there for all. */
    @Override
    public void refuse(final Vote about, final int flagsOfMember)
    {
        vote(about, flagsOfMember);
    }

    @Override
    public long tryAgree()
    {
        long found = arena.agreed();
        if (ArenaDescriptor.isOf(found, number - 1))
        {
            exchange.lookAtDecision();
            final long failure = exchange.failure();
            if (failure == Team.MISMATCH || failure == Team.DAMAGED || failure == Team.CLOSED)
            {
                // members that have called different things do not come together by further calls
                return failure;
            }
            if (!collect(found))
            {
                return exchange.failure() == Team.MISMATCH ? Team.MISMATCH : Team.IN_PROGRESS;
            }
            found = arena.agreed();
        }
        // otherwise the others have gone on without this member, which is gone for them; or it is damage
        return ArenaDescriptor.isOf(found, number) ? take(ArenaDescriptor.proposer(found)) : Team.DAMAGED;
    }

    /** Makes a proposal if all living members have voted. Whether there is something agreed now. */
    private boolean collect(final long found)
    {
        int all = -1;
        int about = 0;
        Arrays.fill(living, 0);
        for (int i = 0; i < arena.members(); i++)
        {
            // in this order: a vote that came before its member went is seen
            final boolean isGone = isGone(i);
            final long vote = arena.voteOf(i);
            if (ArenaDescriptor.isOf(vote, number))
            {
                all &= (int)vote;
                about |= 1 << ArenaDescriptor.about(vote);
                living[i / Long.SIZE] |= isGone ? 0 : 1L << i;
            }
            else if (!isGone)
            {
                exchange.sleeper().waitFor(i);
                return isElsewhere(i, found);
            }
        }
        // the last proposal is read no more: all have voted behind it
        arena.propose(member, all, about, living);
        arena.agree(found, member, number);
        exchange.wakeAll();
        return true;
    }

    /**
     * A member has not voted. If it is in an operation that this one has not come to, it waits for this one, and will not vote.
     * Or it has seen the end of this agreement and gone on: then there is something agreed by now.
     */
    private boolean isElsewhere(final int other, final long found)
    {
        final boolean isAhead = exchange.isAhead(other);
        if (arena.agreed() != found)
        {
            return true;
        }
        if (isAhead)
        {
            exchange.fail(Team.MISMATCH, other);
        }
        return false;
    }

    @Override
    public int late(final int[] into)
    {
        int count = 0;
        for (int i = 0; i < arena.members() && count < into.length && isOpen; i++)
        {
            if (i != member && !ArenaDescriptor.isOf(arena.voteOf(i), number) && !isGone(i) &&
                ArenaDescriptor.isOf(arena.agreed(), number - 1))
            {
                into[count++] = i;
            }
        }
        return count;
    }

    @Override
    public boolean isGone(final int other)
    {
        return other != member && (peers.isGone(other) || arena.left(other) != 0);
    }

    private long take(final int proposer)
    {
        isOpen = false;
        if (proposer < 0 || proposer >= arena.members())
        {
            return Team.DAMAGED;
        }
        flags = arena.flags(proposer);
        for (int i = 0; i < living.length; i++)
        {
            living[i] = arena.living(proposer, i);
        }
        final int about = arena.about(proposer);
        return Integer.bitCount(about) == 1 ? 0 : differ(about, proposer);
    }

    /**
     * Members have voted on different things. In a team that has ended some may still be in a split, which fails for that reason,
     * while others have gone on to something else, and vote on it again.
     */
    private long differ(final int about, final int proposer)
    {
        exchange.lookAtDecision();
        if (exchange.failure() == 0 || Integer.bitCount(about & ~(1 << Vote.SPLIT.ordinal())) != 1)
        {
            exchange.fail(Team.MISMATCH, proposer);
            return exchange.failure();
        }
        if (mine == Vote.SPLIT)
        {
            return exchange.failure();
        }
        vote(mine, value);
        return Team.IN_PROGRESS;
    }

    @Override
    public int flags()
    {
        return flags;
    }

    @Override
    public boolean isLiving(final int other)
    {
        return (living[other / Long.SIZE] & 1L << other) != 0;
    }

    @Override
    public boolean isRefused(final int wanted)
    {
        final long next = isOpen ? number : number + 1;
        for (int i = 0; i < arena.members(); i++)
        {
            final long vote = arena.voteOf(i);
            if (ArenaDescriptor.isOf(vote, next) && ((int)vote & wanted) != wanted)
            {
                return true;
            }
        }
        return false;
    }

    /** What members agree on. */
    enum Vote
    {
        NONE, FLAGS, SPLIT, SHRINK
    }
}
