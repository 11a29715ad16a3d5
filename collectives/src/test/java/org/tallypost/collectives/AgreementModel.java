// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.agrona.collections.LongHashSet;

/**
 * The steps of {@link Votes} on shared words, one access at a time, searched in all orders. Members take agreements one after
 * the other, and a number of them may die, each at any place. A dead one may still be taken for alive, by each look anew.
 *
 * <p>States are known by a hash of 64 bits: with 10 million of them two have the same one with a chance of 3 in a million.
 */
final class AgreementModel
{
    private static final int VOTE = 0;
    private static final int LOOK = 1;
    private static final int IS_GONE = 2;
    private static final int READ_VOTE = 3;
    private static final int PROPOSE = 4;
    private static final int SET_AGREED = 5;
    private static final int READ_VOTED = 6;
    private static final int READ_LIVING = 7;

    /** Fields of a member, of which the last three are its proposal. */
    private static final int PC = 0;
    private static final int NUMBER = 1;
    private static final int AT = 2;
    private static final int GONE = 3;
    private static final int VOTED = 4;
    private static final int LIVING = 5;
    private static final int VOTE_WORD = 6;
    private static final int DEAD = 7;
    private static final int PROPOSAL = 8;
    private static final int MEMBER_LENGTH = PROPOSAL + 3;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final int members;
    private final int agreements;
    private final int deaths;
    private final Rule broken;
    private final LongHashSet seen = new LongHashSet();
    private final ArrayDeque<byte[]> open = new ArrayDeque<>();
    private String violation;

    /**
     * A search.
     *
     * @param members    number of members, up to 4.
     * @param agreements that they take.
     * @param deaths     at most.
     * @param broken     the rule that members do not keep.
     */
    AgreementModel(final int members, final int agreements, final int deaths, final Rule broken)
    {
        this.members = members;
        this.agreements = agreements;
        this.deaths = deaths;
        this.broken = broken;
    }

    /** What members keep. */
    enum Rule
    {
        /** All are kept. */
        NONE,
        /** The word is set only if it is as it was found. */
        COMPARE,
        /** A member waits for those that are not gone. */
        WAIT,
        /** A proposal is written before the word. */
        PROPOSE_FIRST
    }

    /** Searches all states. What is wrong, or null. */
    String search()
    {
        final byte[] first = new byte[shared() + 2 + 2 * agreements + Long.BYTES - 1 & -Long.BYTES];
        for (int i = 0; i < members; i++)
        {
            first[i * MEMBER_LENGTH + NUMBER] = 1;
        }
        add(first);
        while (!open.isEmpty() && violation == null)
        {
            final byte[] state = open.pollLast();
            int steps = 0;
            for (int i = 0; i < members; i++)
            {
                steps += isDone(state, i) ? 0 : step(state, i);
            }
            if (steps == 0 && !isEnd(state))
            {
                violation = "no member can go on, and not all are done";
            }
        }
        return violation;
    }

    long states()
    {
        return seen.size();
    }

    /** Behind the members: number and member of the word agreed, then what was taken in each agreement. */
    private int shared()
    {
        return members * MEMBER_LENGTH;
    }

    private boolean isDone(final byte[] state, final int member)
    {
        return state[member * MEMBER_LENGTH + DEAD] != 0 || state[member * MEMBER_LENGTH + NUMBER] > agreements;
    }

    private boolean isEnd(final byte[] state)
    {
        for (int i = 0; i < members; i++)
        {
            if (!isDone(state, i))
            {
                return false;
            }
        }
        return true;
    }

    private void add(final byte[] state)
    {
        long hash = 0x9E37_79B9_7F4A_7C15L;
        for (int at = 0; at < state.length; at += Long.BYTES)
        {
            hash = OperationIdentity.mix(hash + (long)LONGS.get(state, at) + at + 1);
        }
        if (seen.add(hash))
        {
            open.addLast(state);
        }
    }

    private int step(final byte[] state, final int member)
    {
        final int me = member * MEMBER_LENGTH;
        int dead = 0;
        for (int i = 0; i < members; i++)
        {
            dead += state[i * MEMBER_LENGTH + DEAD];
        }
        if (dead < deaths)
        {
            final byte[] next = state.clone();
            die(next, me);
            add(next);
        }
        final byte[] next = state.clone();
        if (state[me + PC] == IS_GONE && state[state[me + AT] * MEMBER_LENGTH + DEAD] != 0)
        {
            final byte[] wrong = state.clone();
            wrong[me + GONE] = 0;
            wrong[me + PC] = READ_VOTE;
            add(wrong);
        }
        go(next, member, me);
        add(next);
        return 1;
    }

    /** What no member reads any more does not tell states apart. */
    private void die(final byte[] state, final int me)
    {
        final boolean isProposer = state[shared()] != 0 && state[shared() + 1] * MEMBER_LENGTH == me;
        final byte vote = state[me + VOTE_WORD];
        Arrays.fill(state, me, me + (isProposer ? PROPOSAL : MEMBER_LENGTH), (byte)0);
        state[me + VOTE_WORD] = vote;
        state[me + DEAD] = 1;
    }

    private void go(final byte[] state, final int member, final int me)
    {
        final int number = state[me + NUMBER];
        switch (state[me + PC])
        {
            case VOTE:
                state[me + VOTE_WORD] = (byte)number;
                state[me + PC] = LOOK;
                break;
            case LOOK:
                state[me + AT] = 0;
                state[me + VOTED] = 0;
                state[me + LIVING] = 0;
                state[me + PC] = (byte)(state[shared()] == number ? READ_VOTED : IS_GONE);
                break;
            case IS_GONE:
                state[me + GONE] = state[state[me + AT] * MEMBER_LENGTH + DEAD];
                state[me + PC] = READ_VOTE;
                break;
            case READ_VOTE:
                readVote(state, me, number);
                break;
            case PROPOSE:
                if (broken == Rule.PROPOSE_FIRST)
                {
                    agree(state, member, number);
                }
                else
                {
                    propose(state, me, number);
                }
                state[me + PC] = SET_AGREED;
                break;
            case SET_AGREED:
                if (broken == Rule.PROPOSE_FIRST)
                {
                    propose(state, me, number);
                }
                else
                {
                    agree(state, member, number);
                }
                state[me + PC] = READ_VOTED;
                break;
            case READ_VOTED:
                state[me + VOTED] = state[state[shared() + 1] * MEMBER_LENGTH + PROPOSAL + 1];
                state[me + PC] = READ_LIVING;
                break;
            default:
                take(state, member, me, number);
                break;
        }
    }

    private static void propose(final byte[] state, final int me, final int number)
    {
        state[me + PROPOSAL] = (byte)number;
        state[me + PROPOSAL + 1] = state[me + VOTED];
        state[me + PROPOSAL + 2] = state[me + LIVING];
    }

    private void agree(final byte[] state, final int member, final int number)
    {
        if (state[shared()] == number - 1 || broken == Rule.COMPARE)
        {
            state[shared()] = (byte)number;
            state[shared() + 1] = (byte)member;
        }
    }

    private void readVote(final byte[] state, final int me, final int number)
    {
        final int at = state[me + AT];
        final boolean isGone = state[me + GONE] != 0 || broken == Rule.WAIT;
        state[me + PC] = IS_GONE;
        if (state[at * MEMBER_LENGTH + VOTE_WORD] == number)
        {
            state[me + VOTED] |= (byte)(1 << at);
            state[me + LIVING] |= (byte)(isGone ? 0 : 1 << at);
        }
        else if (!isGone)
        {
            state[me + PC] = LOOK;
        }
        state[me + AT]++;
        if (state[me + PC] == IS_GONE && state[me + AT] == members)
        {
            state[me + PC] = PROPOSE;
        }
        // what has been looked at does not tell states apart
        state[me + GONE] = 0;
    }

    private void take(final byte[] state, final int member, final int me, final int number)
    {
        final int place = state[shared() + 1] * MEMBER_LENGTH + PROPOSAL;
        final int living = state[place + 2];
        final int taken = shared() + 2 + 2 * (number - 1);
        if (state[shared()] != number || state[place] != number)
        {
            violation = "a proposal of another agreement is taken: " + state[place] + " for " + number;
        }
        if (state[taken] != 0 && (state[taken] != state[me + VOTED] || state[taken + 1] != living))
        {
            violation = "members take different values in agreement " + number;
        }
        if ((state[me + VOTED] & 1 << member) == 0 || (living & ~state[me + VOTED]) != 0)
        {
            violation = "member " + member + " takes what was agreed without it, " + state[me + VOTED];
        }
        for (int i = 0; i < members; i++)
        {
            if (state[i * MEMBER_LENGTH + DEAD] == 0 && (living & 1 << i) == 0)
            {
                violation = "member " + i + " lives, and is taken for dead";
            }
        }
        state[taken] = state[me + VOTED];
        state[taken + 1] = (byte)living;
        state[me + NUMBER]++;
        state[me + PC] = VOTE;
        state[me + AT] = 0;
        state[me + VOTED] = 0;
        state[me + LIVING] = 0;
    }
}
