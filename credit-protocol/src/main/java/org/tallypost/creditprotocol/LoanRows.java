// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * What the {@link LendingLedger} knows of each sender.
 *
 * <pre>
 *  one sender's state: a row of ints
 *
 *   0 held         slots that are its own now: credits that it has or that are under way, unread packets, freed slots
 *   1 retrieved    slots freed that have not gone back; k, which is all of them, for a sender that is gone
 *   2 next         at how many retrieved slots there is something to decide if the sender announces nothing
 *   3 threshold    retrieved slots with which credits may go back, whatever is unread
 *   4 proof        retrieved slots beyond which it must have read the latest return: it had no other credits
 *   5 most         the most credits that it had beside a return, of the returns that may all be unread
 *   6 round        in which it was last seen
 *   7 used         slots that it used in that round
 *   8 flags        1 blocked: a compulsory request is out; 2 gone; 4 resting: quiet for so long that it was asked
 * </pre>
 *
 * Why no more than k returns are unread at a time: if k + 1 were, the sender had sent what led to the last k of them without
 * the credits of any, so with what it had beside the first, at most <i>most</i>. Each of them waited for more than the k-th part
 * of that. And a threshold that is all it holds is reached only by a sender that has read everything.
 */
final class LoanRows
{
    static final int HELD = 0;
    static final int RETRIEVED = 1;
    static final int NEXT = 2;
    static final int THRESHOLD = 3;
    static final int PROOF = 4;
    static final int MOST = 5;
    static final int ROUND = 6;
    static final int USED = 7;
    static final int FLAGS = 8;
    static final int STRIDE = 9;
    static final int BLOCKED = 1;
    static final int GONE = 2;
    static final int RESTING = 4;

    /** All rows; the methods below take the index at which a row begins. */
    final int[] cells;
    private final int creditSlots;
    /** No sender's threshold is less than that of the static protocol, unless it holds less: no more packets than there. */
    private final int least;

    LoanRows(final int senders, final int creditSlots, final int least)
    {
        if ((long)STRIDE * senders > Integer.MAX_VALUE - 8)
        {
            throw new IllegalArgumentException("state out of range: found senders=" + senders + ", expected " + STRIDE +
                " x senders at most " + (Integer.MAX_VALUE - 8));
        }
        this.creditSlots = creditSlots;
        this.least = least;
        cells = new int[STRIDE * senders];
    }

    /** A sender that has sent nothing yet and was last seen in some round. */
    void start(final int at, final int held, final int round)
    {
        cells[at + HELD] = held;
        cells[at + RETRIEVED] = 0;
        cells[at + PROOF] = 0;
        cells[at + MOST] = 0;
        cells[at + ROUND] = round;
        cells[at + USED] = 0;
        cells[at + FLAGS] = 0;
        aim(at, 0);
    }

    /** A sender that is gone: its static slots stay its own, but it has no credits. */
    void end(final int at, final int round)
    {
        start(at, creditSlots, round);
        cells[at + RETRIEVED] = creditSlots;
        cells[at + FLAGS] = GONE;
    }

    /** Credits that it has, that are under way, or that its unread packets cost. */
    int current(final int at)
    {
        return cells[at + HELD] - cells[at + RETRIEVED];
    }

    /** Whether the sender cannot have sent what it did without having read the latest return. */
    boolean isProven(final int at)
    {
        return cells[at + RETRIEVED] > cells[at + PROOF];
    }

    /** With fewer credits than that it should get back what was freed: the next message may need them. */
    int low(final int at, final int longest)
    {
        return Math.max(Math.max(creditSlots, cells[at + HELD] / (creditSlots + 1)) + 1, longest);
    }

    /** All that was freed is settled, by so many credits. */
    void cross(final int at, final int give, final int longest)
    {
        final int left = current(at);
        if (give > 0)
        {
            cells[at + MOST] = isProven(at) ? left : Math.max(cells[at + MOST], left);
            cells[at + PROOF] = left;
        }
        else
        {
            prove(at, cells[at + RETRIEVED]);
        }
        cells[at + HELD] = left + give;
        cells[at + RETRIEVED] = 0;
        aim(at, longest);
    }

    /** Freed slots are its own no longer. */
    void release(final int at, final int slots, final int longest)
    {
        cells[at + HELD] -= slots;
        cells[at + RETRIEVED] -= slots;
        prove(at, slots);
        aim(at, longest);
    }

    /** Freed slots went back without a credit packet, in a data packet behind those that are unread. */
    void carry(final int at, final int slots, final int longest)
    {
        cells[at + RETRIEVED] -= slots;
        prove(at, slots);
        aim(at, longest);
    }

    /** More credits, while what was freed stays as it is. */
    void raise(final int at, final int give, final int longest)
    {
        final int left = current(at);
        cells[at + MOST] = isProven(at) ? left : Math.max(cells[at + MOST], left);
        cells[at + PROOF] = cells[at + HELD];
        cells[at + HELD] += give;
        aim(at, longest);
    }

    /** Credits came back unused. */
    void lower(final int at, final int credits, final int longest)
    {
        cells[at + HELD] -= credits;
        cells[at + PROOF] = Math.min(cells[at + PROOF], cells[at + HELD] - 1);
        aim(at, longest);
    }

    /** Slots that count no longer as retrieved count as such still for what they prove. */
    private void prove(final int at, final int slots)
    {
        cells[at + PROOF] = Math.max(cells[at + PROOF] - slots, 0);
    }

    private void aim(final int at, final int longest)
    {
        final int held = cells[at + HELD];
        cells[at + THRESHOLD] = Math.min(held, Math.max(least, cells[at + MOST] / creditSlots + 1));
        cells[at + NEXT] = Math.max(cells[at + THRESHOLD], held - low(at, longest) + 1);
    }

    boolean isSet(final int at, final int flag)
    {
        return (cells[at + FLAGS] & flag) != 0;
    }

    void check(final int at, final int sender)
    {
        final int held = cells[at + HELD];
        if (held < creditSlots)
        {
            Ledger.violated("4, slots held at least k", sender, held, creditSlots);
        }
        if (cells[at + RETRIEVED] < 0 || current(at) < 0 || isSet(at, GONE) && current(at) != 0)
        {
            Ledger.violated("2, ledger: currentCredits, retrieved=" + cells[at + RETRIEVED], sender, current(at), 0);
        }
        if (cells[at + THRESHOLD] < 1 || cells[at + THRESHOLD] > cells[at + NEXT] || cells[at + NEXT] > held)
        {
            Ledger.violated("threshold and next decision, next=" + cells[at + NEXT], sender, cells[at + THRESHOLD], held);
        }
    }
}
