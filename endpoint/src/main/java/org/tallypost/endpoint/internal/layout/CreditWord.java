// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The word of a pair that holds the credits which its sender has not withdrawn, and all that is ever done to it.
 *
 * <pre>
 *   63                      32 31                       0
 *  +--------------------------+--------------------------+
 *  |     epoch of the pair    |   credits not withdrawn  |   offset 0 of the pair's line; 0 = the pair is closed
 *  +--------------------------+--------------------------+
 *
 *             set                      withdraw, take, add, grant, repair
 *   CLOSED ------------------ OPEN ------------------------------------+
 *     ^                        | ^                                     |
 *     +------------------------+ +-------------------------------------+
 *             close
 * </pre>
 *
 * The epoch is that of the sender's rank, or of both ranks if they are on different nodes ({@link RemoteDescriptor#pairEpoch}).
 * The receiver opens and closes the pair, each with a volatile store; between nodes the process that carries the packets does.
 * Each other change is one read-modify-write, which changes the credits alone: so no change is lost, and a thread that works with
 * the word of an epoch that is over changes nothing. Credits never carry into the epoch: they are at most the slots of a mailbox.
 */
public final class CreditWord
{
    /** There are too few credits for a withdrawal: nothing was taken. */
    public static final int TOO_FEW = -1;
    /** The pair is closed, or it is that of another incarnation: nothing was taken. */
    static final int CLOSED = -2;

    private CreditWord()
    {
    }

    public static long of(final int epoch, final int credits)
    {
        return ((long)epoch << Integer.SIZE) | credits;
    }

    public static int epoch(final long word)
    {
        return (int)(word >>> Integer.SIZE);
    }

    public static int credits(final long word)
    {
        return (int)word;
    }

    /** Credits in a word; none if there are more than there can be, since something else wrote them. */
    public static int credits(final long word, final int limit)
    {
        final int credits = credits(word);
        return credits <= limit ? credits : 0;
    }

    /** The word (volatile load). */
    public static long get(final UnsafeBuffer words, final int offset)
    {
        return words.getLongVolatile(offset);
    }

    /** Opens the pair, with its first credits (volatile store). For the side that closes it. */
    public static void set(final UnsafeBuffer words, final int offset, final int epoch, final int credits)
    {
        words.putLongVolatile(offset, of(epoch, credits));
    }

    /** Closes the pair (volatile store): nothing is withdrawn and nothing is added before it is opened again. */
    public static void close(final UnsafeBuffer words, final int offset)
    {
        // SYNC POINT pair-closed: a sender finds the pair closed, or the loads after this store find its claim mark
        words.putLongVolatile(offset, 0L);
    }

    /**
     * Takes credits out of a word as it was found, once.
     *
     * @param word as it was found: of this incarnation, with so many credits.
     * @return false if the word has changed meanwhile; then nothing was taken.
     */
    public static boolean tryWithdraw(final UnsafeBuffer words, final int offset, final long word, final int credits)
    {
        // SYNC POINT credit: pairs with the receiver's addition; what it freed before may be written after
        return words.compareAndSetLong(offset, word, word - credits);
    }

    /**
     * Why credits cannot be withdrawn from a word.
     *
     * @param limit   credits that there can be: of a word that has more nothing is taken.
     * @param credits that are needed.
     * @return {@link #TOO_FEW}, {@link #CLOSED}, or 0 if they can.
     */
    public static int refusal(final long word, final int epoch, final int limit, final int credits)
    {
        return epoch(word) != epoch ? CLOSED : credits(word, limit) < credits ? TOO_FEW : 0;
    }

    /**
     * Takes credits for a run, whatever else happens to the word meanwhile.
     *
     * @param seen    the word as it was found: of this incarnation, with so many credits ({@link #refusal}).
     * @param limit   credits that there can be: of a word that has more nothing is taken.
     * @param credits that are needed.
     * @return the credits, {@link #TOO_FEW} or {@link #CLOSED}. There is no call between the withdrawal and the return.
     */
    public static int withdraw(
        final UnsafeBuffer words, final int offset, final int epoch, final long seen, final int limit, final int credits)
    {
        long word = seen;
        while (!tryWithdraw(words, offset, word, credits))
        {
            word = get(words, offset);
            final int code = refusal(word, epoch, limit, credits);
            if (code < 0)
            {
                return code;
            }
        }
        return credits;
    }

    /**
     * Takes all credits.
     *
     * @param limit credits that there can be: of a word that has more nothing is taken.
     * @return the credits, 0 if there are none or the pair is not of this epoch.
     */
    public static int takeAll(final UnsafeBuffer words, final int offset, final int epoch, final int limit)
    {
        while (true)
        {
            final long word = get(words, offset);
            final int credits = credits(word, limit);
            if (epoch(word) != epoch || credits <= 0)
            {
                return 0;
            }
            if (tryWithdraw(words, offset, word, credits))
            {
                return credits;
            }
        }
    }

    /**
     * Takes credits that were not used: back to their receiver, or on to the other node.
     *
     * @param most credits that count: if there are more, the rest is left as well.
     * @param keep credits of those that count which are left.
     * @return the credits, 0 if there are no more than are left or the pair is not of this epoch.
     */
    public static int take(final UnsafeBuffer words, final int offset, final int epoch, final int most, final int keep)
    {
        while (true)
        {
            final long word = get(words, offset);
            final int credits = Math.min(credits(word), most) - keep;
            if (epoch(word) != epoch || credits <= 0)
            {
                return 0;
            }
            if (words.compareAndSetLong(offset, word, word - credits))
            {
                return credits;
            }
        }
    }

    /**
     * Puts credits into the word, unless the pair was closed: then they are not the sender's any more. Any thread.
     *
     * @return false if the pair is not of this epoch; then nothing was added.
     */
    public static boolean add(final UnsafeBuffer words, final int offset, final int epoch, final int credits)
    {
        long word = get(words, offset);
        while (epoch(word) == epoch)
        {
            if (words.compareAndSetLong(offset, word, word + credits))
            {
                return true;
            }
            word = get(words, offset);
        }
        return false;
    }

    /** Puts credits into the word of a pair that is open. For the thread that alone closes it. */
    public static void grant(final UnsafeBuffer words, final int offset, final int credits)
    {
        // SYNC POINT credit: the slots were stamped before; the sender's withdrawal sees that
        words.getAndAddLong(offset, credits);
    }

    /**
     * Puts a word right that something else has written.
     *
     * @param word as it was found.
     * @return false if it has changed meanwhile; then it is left as it is.
     */
    public static boolean repair(
        final UnsafeBuffer words, final int offset, final long word, final int epoch, final int credits)
    {
        return words.compareAndSetLong(offset, word, of(epoch, credits));
    }
}
