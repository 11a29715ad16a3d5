// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.collections.LongHashSet;

/**
 * {@link NodesAgreement} itself at each of some members, searched in all orders of messages, deaths and their discovery. Messages
 * of a pair keep their order. A member that dies has sent what it owed to any of the others, and not to the rest. Another one
 * finds that out at any time after it.
 *
 * <p>States are known by a hash of 64 bits.
 */
final class NodesAgreementModel
{
    private static final Field[] FIELDS = Arrays.stream(NodesAgreement.class.getDeclaredFields())
        .filter((field) -> !Modifier.isStatic(field.getModifiers())).toArray(Field[]::new);

    static
    {
        for (final Field field : FIELDS)
        {
            field.setAccessible(true);
        }
    }

    private final int members;
    private final int agreements;
    private final int deaths;
    private final Rule broken;
    private final LongHashSet seen = new LongHashSet();
    private final ArrayDeque<State> open = new ArrayDeque<>();
    private String violation;

    /**
     * A search.
     *
     * @param members    number of members, up to 4.
     * @param agreements that they take.
     * @param deaths     at most.
     * @param broken     the rule that members do not keep.
     */
    NodesAgreementModel(final int members, final int agreements, final int deaths, final Rule broken)
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
        /** A coordinator decides when all that live have stored. */
        STORED_BY_ALL,
        /** A coordinator proposes what it has stored. */
        PROPOSE_STORED,
        /** A member is taken for gone only if it is. */
        GONE_IF_DEAD
    }

    /** What one member has sent to another one. */
    private static final class Letter
    {
        private final int what;
        private final long number;
        private final int round;
        private final AgreedValue value;

        private Letter(final int what, final long number, final int round, final AgreedValue value)
        {
            this.what = what;
            this.number = number;
            this.round = round;
            this.value = value;
        }
    }

    /** Of all members, and what is under way. */
    private final class State
    {
        private final NodesAgreement[] at = new NodesAgreement[members];
        private final boolean[] dead = new boolean[members];
        private final List<List<Letter>> letters = new ArrayList<>();
        private final AgreedValue[] taken = new AgreedValue[agreements + 1];

        private State()
        {
            for (int i = 0; i < members; i++)
            {
                at[i] = new NodesAgreement(members, i);
            }
            for (int i = 0; i < members * members; i++)
            {
                letters.add(new ArrayList<>());
            }
        }

        private State copy()
        {
            final State copy = new State();
            for (int i = 0; i < members; i++)
            {
                copyFields(at[i], copy.at[i]);
                copy.dead[i] = dead[i];
            }
            for (int i = 0; i < letters.size(); i++)
            {
                copy.letters.get(i).addAll(letters.get(i));
            }
            System.arraycopy(taken, 0, copy.taken, 0, taken.length);
            return copy;
        }

        private int deadCount()
        {
            int count = 0;
            for (final boolean isDead : dead)
            {
                count += isDead ? 1 : 0;
            }
            return count;
        }

        private boolean isDone(final int member)
        {
            return dead[member] || at[member].agreements() == agreements;
        }

        private long hash()
        {
            long hash = 1;
            for (int i = 0; i < members; i++)
            {
                hash = OperationIdentity.mix(hash * 31 + (dead[i] ? 1 : 0));
                for (final Field field : dead[i] ? new Field[0] : FIELDS)
                {
                    hash = hash(hash, get(field, at[i]));
                }
            }
            for (int i = 0; i < letters.size(); i++)
            {
                hash = OperationIdentity.mix(hash + letters.get(i).size());
                for (final Letter letter : letters.get(i))
                {
                    hash = OperationIdentity.mix(hash ^ letter.what + 16 * letter.number + 256L * letter.round);
                    hash = hash(hash, letter.value);
                }
            }
            for (final AgreedValue each : taken)
            {
                hash = hash(hash, each);
            }
            return hash;
        }

        private long hash(final long before, final Object value)
        {
            if (value == null)
            {
                return OperationIdentity.mix(before + 7);
            }
            if (value instanceof AgreedValue)
            {
                final AgreedValue agreed = (AgreedValue)value;
                long bits = agreed.flags();
                for (int i = 0; i < members; i++)
                {
                    bits = 2 * bits + (agreed.isLiving(i) ? 1 : 0);
                }
                return OperationIdentity.mix(before ^ bits << 8 ^ agreed.about());
            }
            if (value.getClass().isArray())
            {
                long hash = before;
                for (int i = 0; i < Array.getLength(value); i++)
                {
                    hash = hash(hash, Array.get(value, i));
                }
                return hash;
            }
            return OperationIdentity.mix(
                before * 3 + (value instanceof Boolean ? (Boolean)value ? 1 : 2 : ((Number)value).longValue()));
        }
    }

    private static Object get(final Field field, final NodesAgreement from)
    {
        try
        {
            return field.get(from);
        }
        catch (final IllegalAccessException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static void set(final String name, final NodesAgreement to, final int value)
    {
        try
        {
            for (final Field field : FIELDS)
            {
                if (field.getName().equals(name))
                {
                    field.setInt(to, value);
                    return;
                }
            }
        }
        catch (final IllegalAccessException e)
        {
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException("no field " + name);
    }

    private static void copyFields(final NodesAgreement from, final NodesAgreement to)
    {
        try
        {
            for (final Field field : FIELDS)
            {
                final Object value = field.get(from);
                if (value instanceof AgreedValue)
                {
                    ((AgreedValue)field.get(to)).set((AgreedValue)value);
                }
                else if (value instanceof AgreedValue[])
                {
                    for (int i = 0; i < ((AgreedValue[])value).length; i++)
                    {
                        ((AgreedValue[])field.get(to))[i].set(((AgreedValue[])value)[i]);
                    }
                }
                else if (value.getClass().isArray())
                {
                    System.arraycopy(value, 0, field.get(to), 0, Array.getLength(value));
                }
                else if (!Modifier.isFinal(field.getModifiers()))
                {
                    field.set(to, value);
                }
            }
        }
        catch (final IllegalAccessException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** Searches all states. What is wrong, or null. */
    String search()
    {
        add(new State());
        while (!open.isEmpty() && violation == null)
        {
            final State state = open.pollLast();
            int steps = 0;
            boolean isEnd = true;
            for (int i = 0; i < members; i++)
            {
                steps += state.dead[i] ? 0 : step(state, i);
                isEnd &= state.isDone(i);
            }
            if (steps == 0 && !isEnd)
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

    private void add(final State state)
    {
        if (seen.add(state.hash()))
        {
            open.addLast(state);
        }
    }

    private int step(final State state, final int i)
    {
        int steps = 0;
        if (!state.at[i].isOpen() && state.at[i].number() < agreements)
        {
            final State next = state.copy();
            next.at[i].vote(~(1 << i), 1, 0, 0, false);
            goOn(next, i);
            steps++;
        }
        for (int from = 0; from < members; from++)
        {
            if (!state.letters.get(from * members + i).isEmpty())
            {
                final State next = state.copy();
                deliver(next, from, i);
                goOn(next, i);
                steps++;
            }
            if (from != i && !state.at[i].isGone(from) && (state.dead[from] || broken == Rule.GONE_IF_DEAD))
            {
                final State next = state.copy();
                next.at[i].lose(from);
                if (broken == Rule.PROPOSE_STORED && next.at[i].coordinator() == i)
                {
                    set("storedRound", next.at[i], 0);
                }
                next.letters.get(from * members + i).clear();
                goOn(next, i);
                steps++;
            }
        }
        return steps;
    }

    private void deliver(final State state, final int from, final int to)
    {
        final Letter letter = state.letters.get(from * members + to).remove(0);
        final NodesAgreement at = state.at[to];
        boolean isRight = !at.isGone(from);
        switch (letter.what)
        {
            case NodesAgreement.VOTE:
                isRight &= at.receiveVote(from, letter.number, letter.value);
                break;
            case NodesAgreement.PROPOSAL:
                isRight &= at.receiveProposal(from, letter.number, letter.round, letter.value);
                break;
            case NodesAgreement.STORED:
                at.receiveStored(from, letter.number, letter.round);
                break;
            default:
                at.receiveAgreed(letter.number, letter.value);
                break;
        }
        if (!isRight && broken == Rule.NONE)
        {
            violation = "a message is refused";
        }
    }

    /** The member does what it can. It may die when it has sent that to some, or none. */
    private void goOn(final State state, final int i)
    {
        final NodesAgreement at = state.at[i];
        at.advance();
        if (broken == Rule.STORED_BY_ALL)
        {
            for (int other = 0; other < members; other++)
            {
                at.receiveStored(other, at.number(), i + 1);
            }
            at.advance();
        }
        for (int receivers = 0; receivers < 1 << members && state.deadCount() < deaths; receivers++)
        {
            if (isSome(at, receivers))
            {
                final State next = state.copy();
                take(next, i);
                send(next, i, receivers);
                next.dead[i] = true;
                for (int from = 0; from < members; from++)
                {
                    next.letters.get(from * members + i).clear();
                }
                add(next);
            }
        }
        take(state, i);
        send(state, i, -1);
        add(state);
    }

    /** Whether to each of these members something is owed: others need not be looked at. */
    private boolean isSome(final NodesAgreement at, final int receivers)
    {
        for (int i = 0; i < members; i++)
        {
            if ((receivers & 1 << i) != 0 && at.owed(i) == 0)
            {
                return false;
            }
        }
        return true;
    }

    private void send(final State state, final int i, final int receivers)
    {
        final NodesAgreement at = state.at[i];
        at.isOwing();
        for (int to = 0; to < members; to++)
        {
            for (int what = at.owed(to); what != 0 && (receivers & 1 << to) != 0; what = at.owed(to))
            {
                at.paid(to, what);
                final AgreedValue value = new AgreedValue(members);
                value.set(what == NodesAgreement.VOTE ? at.voteOf(i) : what == NodesAgreement.AGREED ? at.agreed() : at.stored());
                if (!state.dead[to])
                {
                    state.letters.get(i * members + to).add(new Letter(what,
                        what == NodesAgreement.AGREED ? at.agreements() : at.number(), at.storedRound(), value));
                }
            }
        }
    }

    private void take(final State state, final int i)
    {
        final int number = (int)state.at[i].agreements();
        final AgreedValue value = state.at[i].agreed();
        if (number == 0)
        {
            return;
        }
        if (state.taken[number] == null)
        {
            state.taken[number] = new AgreedValue(members);
            state.taken[number].set(value);
        }
        boolean isSame = state.taken[number].flags() == value.flags();
        for (int other = 0; other < members; other++)
        {
            isSame &= state.taken[number].isLiving(other) == value.isLiving(other);
            if (!state.dead[other] && !value.isLiving(other))
            {
                violation = "member " + other + " lives, and is taken for dead";
            }
        }
        if (!isSame)
        {
            violation = "members take different values in agreement " + number;
        }
        if ((value.flags() & 1 << i) != 0)
        {
            violation = "member " + i + " takes what was agreed without it";
        }
    }
}
