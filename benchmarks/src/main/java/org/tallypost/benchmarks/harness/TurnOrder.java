// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.util.SplittableRandom;

/**
 * The order of turns. Every other turn is the subject's, because only pairs with the subject are compared; the other
 * contestants have one turn in each cycle, in a random order of its own. So each turn of theirs is between two of the subject,
 * and makes a pair with both.
 *
 * <pre>
 *   subject  C  subject  A  subject  B  |  subject  B  subject  A  subject  C  |  ...
 * </pre>
 *
 * The subject's teams have equally many turns, in random order. For one thread.
 */
public final class TurnOrder
{
    private final SplittableRandom random;
    private final int[] subjects;
    private final int[] others;
    /** Of the subject's teams that have had their turn since all had as many. */
    private int taken;

    /**
     * An order that depends on the seed alone.
     *
     * @param seed     of the random numbers.
     * @param subjects numbers of the subject's teams; none if there is no subject.
     * @param others   numbers of all other teams.
     */
    public TurnOrder(final long seed, final int[] subjects, final int[] others)
    {
        random = new SplittableRandom(seed);
        this.subjects = subjects.clone();
        this.others = others.clone();
    }

    /**
     * The order of the next cycle.
     *
     * @return each number of the others once, each behind one of the subject; all of the subject's once if there is no other.
     */
    public int[] next()
    {
        shuffle(others);
        if (subjects.length == 0)
        {
            return others.clone();
        }
        if (others.length == 0)
        {
            shuffle(subjects);
            return subjects.clone();
        }
        final int[] order = new int[2 * others.length];
        for (int i = 0; i < others.length; i++)
        {
            order[2 * i] = nextSubject();
            order[2 * i + 1] = others[i];
        }
        return order;
    }

    private int nextSubject()
    {
        if (taken == 0)
        {
            shuffle(subjects);
        }
        final int next = subjects[taken];
        taken = (taken + 1) % subjects.length;
        return next;
    }

    private void shuffle(final int[] numbers)
    {
        for (int i = numbers.length - 1; i > 0; i--)
        {
            final int other = random.nextInt(i + 1);
            final int swapped = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = swapped;
        }
    }
}
