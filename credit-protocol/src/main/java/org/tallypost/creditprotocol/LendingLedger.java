// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.tallypost.creditprotocol.LoanRows.BLOCKED;
import static org.tallypost.creditprotocol.LoanRows.FLAGS;
import static org.tallypost.creditprotocol.LoanRows.GONE;
import static org.tallypost.creditprotocol.LoanRows.HELD;
import static org.tallypost.creditprotocol.LoanRows.NEXT;
import static org.tallypost.creditprotocol.LoanRows.RESTING;
import static org.tallypost.creditprotocol.LoanRows.RETRIEVED;
import static org.tallypost.creditprotocol.LoanRows.ROUND;
import static org.tallypost.creditprotocol.LoanRows.STRIDE;
import static org.tallypost.creditprotocol.LoanRows.THRESHOLD;
import static org.tallypost.creditprotocol.LoanRows.USED;

/**
 * This project's own dynamic protocol: no sender is robbed, what is spare is lent. Each sender holds slots; what is freed of
 * them stays its own until it goes back. Beyond its k static slots a sender has
 * <ul>
 *   <li>a share: the dynamic region, or what is left of it beside the pool, divided by the number of senders that sent in this
 *       round or the last one. A share is reached and left at the sender's own credit returns, never by taking from others
 *       that send;</li>
 *   <li>a loan, for as long as it announces more slots than it has credits for ({@link #onRetrieved(int, int, int)}): what is
 *       missing comes at once, in one return, if it is spare, and is not given again after the last announced slot.</li>
 * </ul>
 * The pool is there for loans: four of the longest messages that were announced in this round or the last, at most three fifths
 * of the dynamic region, and nothing while those messages fit a share. A round ends when a sender has used two such messages,
 * two shares and 64 slots: by then all that take turns had theirs. Each sender starts with a fifth of its part of the dynamic
 * region.
 *
 * <p>Slots are taken back, by {@link LedgerActions#revoke}, only if a loan finds nothing spare, only from a sender that sent
 * nothing for more than a round, one such sender a time, and once for each of its rests.
 *
 * <p>Unread credit packets never exceed k: a return waits for more slots than a k-th part of the credits that its sender may
 * have without reading, and for no fewer than in the static protocol; only a loan need not wait, while all returns before it
 * have been used.
 *
 * <p>A sender costs 45 bytes, whatever k is. Senders that announce nothing get their shares. Nothing here depends on time.
 */
public final class LendingLedger extends Ledger
{
    /** Of the dynamic region, one part in so many is dealt out at the start: it saves each sender's first round trip. */
    private static final int START_PARTS = 5;
    /** The pool's part of the dynamic region at most, in fifths. */
    private static final int POOL_FIFTHS = 3;
    /** Longest messages that the pool is for. */
    private static final int POOL_MESSAGES = 4;
    /** Slots that a sender sends in a round at least. */
    private static final int ROUND_SLOTS = 64;

    private final LoanRows rows;
    private final int[] state;
    private final ActivityLists lists;
    /** Slots beyond the static ones. */
    private final int dynamicRegion;
    /** Slots that a sender held at the start beyond its static ones. */
    private final int dealt;
    /** Slots that no sender holds. */
    private int spare;
    private int round;
    /** Senders seen in this round and in the last one; at the start as if all had been. */
    private int seen;
    private int seenLast;
    /** Slots of the longest message of this round and of the last one. */
    private int longest;
    private int longestLast;
    /** What a sender that sends should hold now. */
    private int share;

    /**
     * A ledger at its start.
     *
     * @param senders        number of senders.
     * @param creditSlots    k.
     * @param slotsPerSender S: slots of the mailbox for each sender, credit slots included.
     * @param actions        that carry the decisions out.
     * @throws IllegalArgumentException if k &lt; 1, S &lt; 2k, there is no sender, or more slots than an int counts.
     */
    public LendingLedger(final int senders, final int creditSlots, final int slotsPerSender, final LedgerActions actions)
    {
        super(senders, creditSlots, slotsPerSender, actions);
        dynamicRegion = dataRegion - creditSlots * senders;
        dealt = dynamicRegion / START_PARTS / senders;
        spare = dynamicRegion - dealt * senders;
        rows = new LoanRows(senders, creditSlots, Ledger.threshold(dataRegion / senders, creditSlots));
        state = rows.cells;
        lists = new ActivityLists(senders);
        seenLast = senders;
        for (int sender = 0; sender < senders; sender++)
        {
            rows.start(sender * STRIDE, creditSlots + dealt, -1);
        }
        share = newShare();
    }

    @Override
    boolean retrieve(final int sender, final int slots)
    {
        return retrieve(sender, slots, 0);
    }

    @Override
    boolean retrieve(final int sender, final int slots, final int announced)
    {
        final int at = sender * STRIDE;
        final int held = state[at + HELD];
        if (slots < 1 || slots > held - state[at + RETRIEVED])
        {
            return false;
        }
        final int retrieved = state[at + RETRIEVED] + slots;
        state[at + RETRIEVED] = retrieved;
        final int rest = Math.max(0, Math.min(announced, dataRegion));
        if (rest + slots > longest)
        {
            longest = rest + slots;
        }
        if (retrieved >= state[at + NEXT] || rest > held - retrieved || rest == 0 && held > share)
        {
            control(sender, at, rest);
        }
        return true;
    }

    @Override
    boolean respond(final int sender, final int credits)
    {
        final int at = sender * STRIDE;
        final int left = rows.current(at);
        if (credits < 0 || credits >= left || credits > state[at + HELD] - creditSlots)
        {
            return false;
        }
        state[at + RETRIEVED]++;
        takeBack(at, credits);
        control(sender, at, 0);
        return true;
    }

    @Override
    boolean takeExcess(final int sender, final int credits)
    {
        final int at = sender * STRIDE;
        if (rows.isSet(at, GONE) || !isExcess(at, credits))
        {
            return false;
        }
        revoked += credits;
        takeBack(at, credits);
        return true;
    }

    private boolean isExcess(final int at, final int credits)
    {
        return credits == 0 || credits > 0 && credits <= rows.current(at) - creditSlots;
    }

    private void takeBack(final int at, final int credits)
    {
        spare += credits;
        state[at + FLAGS] &= ~BLOCKED;
        rows.lower(at, credits, longest());
    }

    /** A threshold is reached, or credits are missing, or a loan is over. */
    private void control(final int sender, final int at, final int rest)
    {
        final int left = rows.current(at);
        final boolean isMissing = rest > left;
        final boolean isReached = state[at + RETRIEVED] >= state[at + THRESHOLD];
        if (isMissing && (isReached || rows.isProven(at) && spare > 0) || isReached && left < rows.low(at, longest()))
        {
            cross(sender, at, rest);
        }
        else if (rest == 0 && state[at + HELD] > share)
        {
            release(sender, at);
        }
    }

    /** Credits go back: what was freed, and as much more as brings the sender to its share and through its message. */
    private void cross(final int sender, final int at, final int rest)
    {
        use(sender, at, state[at + RETRIEVED]);
        final int left = rows.current(at);
        final int wanted = share + rest - left;
        final int freed = state[at + RETRIEVED];
        if (wanted > freed + spare)
        {
            reclaimFromResting();
        }
        final int give = Math.max(0, Math.min(wanted, freed + spare));
        spare += freed - give;
        rows.cross(at, give, longest());
        if (give > 0)
        {
            grant(sender, give);
        }
    }

    /** Nothing is announced any more: freed slots beyond the share are spare again. */
    private void release(final int sender, final int at)
    {
        final int slots = Math.min(state[at + RETRIEVED], state[at + HELD] - share);
        use(sender, at, slots);
        // the share may be another one since the round may have ended
        final int excess = Math.min(slots, Math.max(0, state[at + HELD] - share));
        spare += excess;
        rows.release(at, excess, longest());
    }

    /** Accounts for slots that a sender used in this round; ends the round when one has had its turn twice. */
    private void use(final int sender, final int at, final int slots)
    {
        lists.remove(sender);
        lists.addFirst(ActivityLists.LOW, sender);
        state[at + FLAGS] &= ~RESTING;
        if (state[at + ROUND] != round)
        {
            state[at + ROUND] = round;
            state[at + USED] = 0;
            seen++;
        }
        state[at + USED] += slots;
        if (state[at + USED] >= Math.max(ROUND_SLOTS, 2L * Math.max(longest(), share)))
        {
            round++;
            seenLast = seen;
            seen = 1;
            longestLast = longest;
            longest = 0;
            state[at + ROUND] = round;
            state[at + USED] = 0;
        }
        share = newShare();
    }

    private int longest()
    {
        return Math.max(longest, longestLast);
    }

    /** Senders that were seen lately; one that came back may have been counted twice. */
    private int active()
    {
        return Math.max(1, Math.min(senders, Math.max(seen, seenLast)));
    }

    private int newShare()
    {
        final int active = active();
        final int free = Math.max(0, dynamicRegion - (senders - active) * dealt);
        final int fair = creditSlots + free / active;
        if (longest() <= fair)
        {
            return fair;
        }
        final long pool = Math.min((long)free * POOL_FIFTHS / 5, (long)POOL_MESSAGES * longest());
        return creditSlots + (int)(free - pool) / active;
    }

    /** A loan finds too little: the sender that has been quiet for longest gives up what it does not use, if it rests. */
    private void reclaimFromResting()
    {
        if (lists.isEmpty(ActivityLists.LOW))
        {
            return;
        }
        final int victim = lists.last(ActivityLists.LOW);
        final int from = victim * STRIDE;
        // after 2^31 rounds the difference is negative: long ago as well
        final int rounds = round - state[from + ROUND];
        if (rounds == 0 || rounds == 1)
        {
            return;
        }
        lists.remove(victim);
        lists.addFirst(ActivityLists.NULL, victim);
        state[from + FLAGS] |= RESTING;
        if (rows.current(from) > creditSlots && !rows.isSet(from, BLOCKED))
        {
            revoke(victim, from);
        }
    }

    private void revoke(final int victim, final int from)
    {
        requests++;
        final int taken = actions.revoke(victim, creditSlots);
        if (taken == LedgerActions.REQUESTED)
        {
            state[from + FLAGS] |= BLOCKED;
        }
        else if (isExcess(from, taken))
        {
            revoked += taken;
            takeBack(from, taken);
        }
        else
        {
            // out of a word that the victim can write: not to be believed, and no reason to stop half-way
            refuse();
        }
    }

    @Override
    int carry(final int sender, final int limit)
    {
        final int at = sender * STRIDE;
        if (state[at + FLAGS] != 0 || state[at + HELD] > share)
        {
            return 0;
        }
        final int credits = Math.min(state[at + RETRIEVED], limit);
        if (credits > 0)
        {
            use(sender, at, credits);
            rows.carry(at, credits, longest());
            piggybacked += credits;
        }
        return credits;
    }

    /** What a sender lacks of its share, if no other has it: there is no loan without an announcement. */
    @Override
    void enlarge(final int sender)
    {
        final int at = sender * STRIDE;
        final int give = state[at + FLAGS] != 0 ? 0 : Math.min(share - state[at + HELD], spare);
        if (give > 0)
        {
            spare -= give;
            rows.raise(at, give, longest());
            grant(sender, give);
        }
    }

    @Override
    void drop(final int sender)
    {
        final int at = sender * STRIDE;
        if (rows.isSet(at, GONE))
        {
            return;
        }
        // its static slots are kept for its return
        spare += state[at + HELD] - creditSlots;
        rows.end(at, round);
        lists.remove(sender);
        lists.addFirst(ActivityLists.NULL, sender);
    }

    @Override
    boolean readmit(final int sender)
    {
        final int at = sender * STRIDE;
        if (!rows.isSet(at, GONE))
        {
            return false;
        }
        rows.start(at, creditSlots, round - 1);
        return true;
    }

    @Override
    public void checkInvariants()
    {
        long held = 0;
        for (int sender = 0; sender < senders; sender++)
        {
            rows.check(sender * STRIDE, sender);
            held += state[sender * STRIDE + HELD];
        }
        lists.check();
        if (held + spare != dataRegion || spare < 0)
        {
            violated("1, conservation", -1, held + spare, dataRegion);
        }
        if (share < creditSlots || (long)(share - creditSlots) * active() > dynamicRegion)
        {
            violated("4, shares", -1, share, creditSlots);
        }
    }

    @Override
    public boolean isGone(final int sender)
    {
        return rows.isSet(sender * STRIDE, GONE);
    }

    /**
     * Whether a compulsory request to a sender is not answered yet.
     *
     * @param sender asked for.
     * @return true if so.
     */
    public boolean isBlocked(final int sender)
    {
        return rows.isSet(sender * STRIDE, BLOCKED);
    }

    @Override
    public int currentCredits(final int sender)
    {
        return rows.current(sender * STRIDE);
    }

    /** Slots freed that have not gone back count, too, though only their sender will get them. O(n). */
    @Override
    public int availableSlots()
    {
        int free = dataRegion;
        for (int sender = 0; sender < senders; sender++)
        {
            free -= rows.current(sender * STRIDE);
        }
        return free;
    }

    /**
     * Slots that no sender holds: what can be lent.
     *
     * @return their number.
     */
    public int spareSlots()
    {
        return spare;
    }

    /** The share of all that send; one that rests keeps its static slots. */
    @Override
    public int intendedQuota(final int sender)
    {
        return state[sender * STRIDE + FLAGS] == 0 ? share : creditSlots;
    }

    @Override
    public int retrieved(final int sender)
    {
        return isGone(sender) ? 0 : state[sender * STRIDE + RETRIEVED];
    }

    @Override
    public long stateBytes()
    {
        return (long)state.length * Integer.BYTES + lists.stateBytes();
    }
}
