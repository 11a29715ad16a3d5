// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.tallypost.creditprotocol.SenderRows.BLOCKED;
import static org.tallypost.creditprotocol.SenderRows.FLAGS;
import static org.tallypost.creditprotocol.SenderRows.GONE;
import static org.tallypost.creditprotocol.SenderRows.INTENDED;
import static org.tallypost.creditprotocol.SenderRows.MONITOR;
import static org.tallypost.creditprotocol.SenderRows.MONITOR_AT;
import static org.tallypost.creditprotocol.SenderRows.NEXT;
import static org.tallypost.creditprotocol.SenderRows.PIGGYBACKED;
import static org.tallypost.creditprotocol.SenderRows.RETRIEVED;
import static org.tallypost.creditprotocol.SenderRows.SHARE;
import static org.tallypost.creditprotocol.SenderRows.SUM;
import static org.tallypost.creditprotocol.SenderRows.WAITING;

/**
 * The dynamic protocol (thesis, chapter 6): a sender's quota follows its activity. Slots move from senders that have not
 * used up what they were given to those that have, and no sender ever falls below its k static slots.
 *
 * <p>A sender costs 53 + 4 k bytes, its place in the activity lists included: 61 with k = 2; 12 more with
 * {@link StealPolicy#IDLE_FIRST}.
 *
 * <p>Two places differ from the published text, which stalls there: a crossing appends to the FIFO what was really given,
 * not what should have been; and credits that come back in a response are taken off the thresholds, oldest first.
 */
public final class DynamicLedger extends Ledger
{
    /** Senders that are looked at, at most, when one wants its share back. */
    private static final int WANT_LOOKS = 64;

    /** List of senders that use their quota slowly: the last one is the next victim. */
    public static final int LOW = ActivityLists.LOW;
    /** List of senders in between. */
    public static final int MEDIUM = ActivityLists.MEDIUM;
    /** List of senders that use their quota up quickly. */
    public static final int HIGH = ActivityLists.HIGH;
    /** List of senders that were left with their static slots. */
    public static final int NULL = ActivityLists.NULL;

    private final SenderRows rows;
    private final int stride;
    /** The cells of the rows. */
    private final int[] state;
    private final ActivityLists lists;
    private final PiggybackPolicy policy;
    /** Null with {@link StealPolicy#MONITORED}. */
    private final IdleWatch idleWatch;
    /** Quota of each sender at the start. */
    private final int share;
    /** Sender that was looked at last for what exceeds its share. */
    private int hand;
    private int available;
    /** Slots that senders wait for which are back: k for each. */
    private int reserved;
    private int mostQuota = Integer.MAX_VALUE;

    /**
     * A ledger at its start, with {@link PiggybackPolicy#ONE_FOR_ONE} and {@link StealPolicy#MONITORED}.
     *
     * @param senders        number of senders.
     * @param creditSlots    k.
     * @param slotsPerSender S: slots of the mailbox for each sender, credit slots included.
     * @param actions        that carry the decisions out.
     */
    public DynamicLedger(
        final int senders, final int creditSlots, final int slotsPerSender, final LedgerActions actions)
    {
        this(senders, creditSlots, slotsPerSender, actions, PiggybackPolicy.ONE_FOR_ONE, StealPolicy.MONITORED);
    }

    /**
     * A ledger at its start (thesis, section 6.3): every sender holds its k static slots, the rest is available.
     *
     * @param senders        number of senders.
     * @param creditSlots    k.
     * @param slotsPerSender S: slots of the mailbox for each sender, credit slots included.
     * @param actions        that carry the decisions out.
     * @param policy         for credits in data packets.
     * @param stealPolicy    which senders may be stolen from.
     * @throws IllegalArgumentException if k &lt; 1, S &lt; 2k, there is no sender, or more slots than an int counts.
     */
    public DynamicLedger(
        final int senders,
        final int creditSlots,
        final int slotsPerSender,
        final LedgerActions actions,
        final PiggybackPolicy policy,
        final StealPolicy stealPolicy)
    {
        super(senders, creditSlots, slotsPerSender, actions);
        if (stealPolicy == StealPolicy.LENDING)
        {
            throw new IllegalArgumentException("stealPolicy out of range: found LENDING, which is another ledger's");
        }
        this.policy = policy;
        idleWatch = stealPolicy == StealPolicy.IDLE_FIRST ? new IdleWatch(senders, dataRegion) : null;
        rows = new SenderRows(senders, creditSlots);
        stride = rows.stride;
        state = rows.cells;
        lists = new ActivityLists(senders);
        available = dataRegion - creditSlots * senders;
        share = dataRegion / senders;
        for (int sender = 0; sender < senders; sender++)
        {
            rows.start(sender * stride);
            rows.intend(sender * stride, share);
        }
    }

    @Override
    boolean retrieve(final int sender, final int slots)
    {
        final int at = sender * stride;
        final int before = state[at + RETRIEVED];
        if (slots < 1 || slots > state[at + SUM] - 1 - before)
        {
            return false;
        }
        available += slots;
        state[at + RETRIEVED] = before + slots;
        if (idleWatch != null)
        {
            idleWatch.onFreed(sender, slots);
        }
        if (before + slots >= state[at + NEXT])
        {
            control(sender, at);
        }
        return true;
    }

    @Override
    public int undecidedSlots(final int sender)
    {
        final int at = sender * stride;
        return idleWatch == null ? Math.max(0, state[at + NEXT] - state[at + RETRIEVED] - 1) : 0;
    }

    @Override
    boolean retrieve(final int sender, final int slots, final int announced)
    {
        if (!retrieve(sender, slots))
        {
            return false;
        }
        if (announced > 0 && idleWatch != null)
        {
            // not more than the watch believes, so that the sum does not wrap
            idleWatch.onAnnounced(Math.min(announced, dataRegion) + slots);
        }
        return true;
    }

    /**
     * A sender that wants credits has the quota again that it had at the start, out of what exceeds that of others. It is not
     * taken for one that rests before it has sent something, for a while. Its packets alone would not say so: with the few slots
     * that it was left with it needs many of them to come to a monitoring point, and others may take its quota back before it
     * sends.
     */
    @Override
    boolean retrieveNudge(final int sender, final int slots)
    {
        if (idleWatch == null)
        {
            return retrieve(sender, slots);
        }
        restoreShare(sender);
        if (!retrieve(sender, slots))
        {
            return false;
        }
        idleWatch.onWanted(sender);
        return true;
    }

    private void restoreShare(final int sender)
    {
        final int at = sender * stride;
        int lack = state[at + FLAGS] == 0 ? share - state[at + INTENDED] : 0;
        if (lack > 0 && lists.list(sender) == NULL)
        {
            lists.remove(sender);
            lists.addFirst(MEDIUM, sender);
        }
        for (int looks = 0; lack > 0 && looks < WANT_LOOKS; looks++)
        {
            hand = hand + 1 < senders ? hand + 1 : 0;
            final int from = hand * stride;
            final int credits = Math.min(state[from + INTENDED] - share, lack);
            if (credits > 0)
            {
                move(from, at, credits);
                lack -= credits;
            }
        }
    }

    @Override
    boolean respond(final int sender, final int credits)
    {
        final int at = sender * stride;
        if (credits < 0 || credits >= rows.current(at) || credits > state[at + SUM] - creditSlots - 1)
        {
            return false;
        }
        available++;
        state[at + RETRIEVED]++;
        takeBack(at, credits);
        control(sender, at);
        return true;
    }

    @Override
    boolean takeExcess(final int sender, final int credits)
    {
        final int at = sender * stride;
        if (rows.isSet(at, GONE) || !isExcess(at, credits))
        {
            return false;
        }
        revoked += credits;
        takeBack(at, credits);
        return true;
    }

    /** Whether a sender can lose so many credits and keeps its static slots; by invariant 2 its thresholds can, too. */
    private boolean isExcess(final int at, final int credits)
    {
        return credits >= 0 && credits <= Math.max(rows.current(at) - creditSlots, 0);
    }

    /** A threshold or a monitoring point is reached, or both. */
    private void control(final int sender, final int at)
    {
        if (state[at + RETRIEVED] >= state[at + MONITOR])
        {
            if (idleWatch != null)
            {
                idleWatch.onMonitored(sender, state[at + INTENDED]);
            }
            if (rows.isSet(at, BLOCKED))
            {
                // may go on for as long as a hostile sender likes: how much it is does not matter, but it must not wrap
                rows.monitorAfter(at, state[at + MONITOR_AT] - Math.min(rows.sinceMonitor(at), MAX_SLOTS));
            }
            else
            {
                rows.monitored(at);
                monitor(sender, at);
            }
        }
        if (rows.isReached(at))
        {
            cross(sender, at);
        }
        rows.aim(at);
    }

    /** The threshold is reached (thesis, section 6.5.2), perhaps several times at once: one credit packet for all. */
    private void cross(final int sender, final int at)
    {
        int total = 0;
        while (rows.isReached(at) && available > 0)
        {
            int give = 1;
            if (rows.isSet(at, BLOCKED))
            {
                if (rows.current(at) >= creditSlots)
                {
                    break;
                }
            }
            else
            {
                give = Math.min(state[at + SHARE], Math.max(givable(), 1));
            }
            rows.settle(at, rows.replaceOldest(at, give));
            available -= give;
            total += give;
        }
        if (total > 0)
        {
            state[at + PIGGYBACKED] = 0;
            grant(sender, total);
        }
    }

    /** Credits come back unused. */
    private void takeBack(final int at, final int credits)
    {
        available += credits;
        state[at + FLAGS] &= ~BLOCKED;
        rows.lower(at, credits);
        rows.aim(at);
    }

    /** The sender has used up all that it was given at its last monitoring point (thesis, section 6.5.2, figure 6.2). */
    private void monitor(final int sender, final int at)
    {
        final int list = lists.list(sender);
        lists.remove(sender);
        if (list == LOW || list == MEDIUM)
        {
            lists.addFirst(list + 1, sender);
            return;
        }
        if (lists.isEmpty(LOW))
        {
            lists.shift();
        }
        lists.addFirst(HIGH, sender);
        if (!lists.isEmpty(LOW))
        {
            steal(at, lists.last(LOW));
        }
    }

    /** Equation 6.1 and figure 6.3 of the thesis; a victim that rests for sure gives up all but its static slots. */
    private void steal(final int at, final int victim)
    {
        final int from = victim * stride;
        lists.remove(victim);
        if (idleWatch != null && !idleWatch.isIdle(victim))
        {
            // one that does send gives up only what it has more than the other one
            move(from, at, Math.max((state[from + INTENDED] - state[at + INTENDED]) / 2, 0));
            lists.addFirst(MEDIUM, victim);
            return;
        }
        final int excess = state[from + INTENDED] - creditSlots;
        final int difference = Math.abs(state[at + INTENDED] - state[from + INTENDED]);
        final int wanted = idleWatch != null ? excess : Math.min(Math.max(creditSlots + 1, difference / 2), excess);
        final int credits = Math.min(wanted, Math.max(mostQuota - state[at + INTENDED], 0));
        move(from, at, credits);
        if (state[from + INTENDED] > creditSlots)
        {
            lists.addFirst(MEDIUM, victim);
            return;
        }
        lists.addFirst(NULL, victim);
        if (rows.current(from) > state[from + INTENDED] && !rows.isSet(from, BLOCKED))
        {
            revoke(victim, from);
        }
    }

    private void move(final int from, final int at, final int credits)
    {
        rows.intend(from, state[from + INTENDED] - credits);
        rows.intend(at, state[at + INTENDED] + credits);
        creditsStolen += credits;
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
        final int at = sender * stride;
        if (state[at + FLAGS] != 0)
        {
            return 0;
        }
        final int credits = policy == PiggybackPolicy.THESIS ? carryByThesis(at, limit) : carryOneForOne(at, limit);
        piggybacked += credits;
        return credits;
    }

    private int carryOneForOne(final int at, final int limit)
    {
        if (state[at + SUM] - 1 > state[at + INTENDED] + creditSlots)
        {
            // it is to shrink: let the next crossing return less
            return 0;
        }
        final int freed = state[at + RETRIEVED];
        final int back = Math.min(Math.min(freed, givable()), limit);
        rows.settle(at, back);
        rows.aim(at);
        available -= back;
        return freed > 0 ? back + raise(at, limit - back) : 0;
    }

    @Override
    void enlarge(final int sender)
    {
        final int at = sender * stride;
        final int credits = state[at + FLAGS] == 0 ? raise(at, MAX_SLOTS) : 0;
        if (credits > 0)
        {
            grant(sender, credits);
        }
    }

    /** What a sender lacks of its quota, on top of what was freed. */
    private int raise(final int at, final int limit)
    {
        final int credits = Math.max(0, Math.min(Math.min(state[at + INTENDED] - (state[at + SUM] - 1), givable()), limit));
        if (credits > 0)
        {
            rows.raiseNewest(at, credits);
            rows.aim(at);
            available -= credits;
        }
        return credits;
    }

    /**
     * Section 6.6 of the thesis. What was freed beyond the threshold is kept, as in the regular way, so that invariant 2
     * holds here too: the published text starts again from zero, and loses it.
     */
    private int carryByThesis(final int at, final int limit)
    {
        final int freed = state[at + RETRIEVED];
        final int before = state[at + PIGGYBACKED];
        final int head = rows.oldest(at);
        if (freed + before < head)
        {
            final int credits = Math.min(Math.min(freed, givable()), limit);
            rows.settle(at, credits);
            rows.aim(at);
            state[at + PIGGYBACKED] += credits;
            available -= credits;
            return credits;
        }
        final int threshold = state[at + SHARE];
        final int credits = Math.min(Math.min(Math.max(threshold - before, 0), givable()), limit);
        if (before + credits == 0)
        {
            // nothing to give and nothing given: a threshold of 0 would be no threshold
            return 0;
        }
        rows.replaceOldest(at, Math.min(before + credits, threshold));
        // excess: the next threshold has to be waited for that much longer
        rows.raiseOldest(at, Math.max(before - threshold, 0));
        rows.settle(at, head - before);
        rows.aim(at);
        state[at + PIGGYBACKED] = 0;
        available -= credits;
        return credits;
    }

    @Override
    void drop(final int sender)
    {
        final int at = sender * stride;
        if (rows.isSet(at, GONE))
        {
            return;
        }
        available += rows.current(at);
        rows.end(at);
        if (idleWatch != null)
        {
            idleWatch.onServed(sender);
        }
        // its quota goes to the others by the ordinary steals: it is the next victim
        lists.remove(sender);
        lists.addLast(LOW, sender);
    }

    @Override
    boolean readmit(final int sender)
    {
        final int at = sender * stride;
        if (!rows.isSet(at, GONE))
        {
            return false;
        }
        if (available < creditSlots)
        {
            if (!rows.isSet(at, WAITING))
            {
                state[at + FLAGS] |= WAITING;
                reserved += creditSlots;
            }
            revokeFromRichest();
        }
        if (available < creditSlots)
        {
            return false;
        }
        if (rows.isSet(at, WAITING))
        {
            reserved -= creditSlots;
        }
        available -= creditSlots;
        rows.start(at);
        return true;
    }

    /**
     * The others may hold all there is, and rest: then nothing would ever be free for a sender that is back. As long as fewer
     * than k slots are free while a sender is gone, another sender has more than its static slots.
     */
    private void revokeFromRichest()
    {
        int richest = -1;
        int most = creditSlots;
        for (int sender = 0; sender < senders; sender++)
        {
            final int at = sender * stride;
            if (state[at + FLAGS] == 0 && rows.current(at) > most)
            {
                most = rows.current(at);
                richest = sender;
            }
        }
        if (richest >= 0)
        {
            revoke(richest, richest * stride);
        }
    }

    /** What may be given: slots that senders wait for which are back are not, but for the one that a crossing needs. */
    private int givable()
    {
        return Math.max(available - reserved, 0);
    }

    @Override
    public void checkInvariants()
    {
        long current = 0;
        long intended = 0;
        long awaited = 0;
        for (int sender = 0; sender < senders; sender++)
        {
            final int at = sender * stride;
            rows.check(at, sender);
            current += rows.current(at);
            intended += state[at + INTENDED];
            awaited += rows.isSet(at, WAITING) ? creditSlots : 0;
        }
        lists.check();
        if (current + available != dataRegion || available < 0)
        {
            violated("1, conservation", -1, current + available, dataRegion);
        }
        if (intended != dataRegion)
        {
            violated("4, sum of intendedQuota", -1, intended, dataRegion);
        }
        if (reserved != awaited)
        {
            violated("slots that senders wait for", -1, reserved, awaited);
        }
    }

    @Override
    public boolean isGone(final int sender)
    {
        return rows.isSet(sender * stride, GONE);
    }

    /**
     * Whether a compulsory request to a sender is not answered yet.
     *
     * @param sender asked for.
     * @return true if so.
     */
    public boolean isBlocked(final int sender)
    {
        return rows.isSet(sender * stride, BLOCKED);
    }

    @Override
    public int currentCredits(final int sender)
    {
        return rows.current(sender * stride);
    }

    @Override
    public int availableSlots()
    {
        return available;
    }

    @Override
    public int intendedQuota(final int sender)
    {
        return state[sender * stride + INTENDED];
    }

    @Override
    public int retrieved(final int sender)
    {
        return isGone(sender) ? 0 : state[sender * stride + RETRIEVED];
    }

    /**
     * Slots freed since the last monitoring point.
     *
     * @param sender asked for.
     * @return their number.
     */
    public int sinceMonitor(final int sender)
    {
        return rows.sinceMonitor(sender * stride);
    }

    /**
     * Slots to be freed from one monitoring point to the next.
     *
     * @param sender asked for.
     * @return their number.
     */
    public int monitorAt(final int sender)
    {
        return state[sender * stride + MONITOR_AT];
    }

    /**
     * Number of thresholds in a sender's FIFO.
     *
     * @return k + 1.
     */
    public int thresholdCount()
    {
        return creditSlots + 1;
    }

    /**
     * A threshold of a sender's FIFO.
     *
     * @param sender asked for.
     * @param index  0 is the oldest, the current one.
     * @return the threshold in slots.
     */
    public int thresholdAt(final int sender, final int index)
    {
        return rows.threshold(sender * stride, index);
    }

    /**
     * The list in which a sender is.
     *
     * @param sender asked for.
     * @return {@link #LOW}, {@link #MEDIUM}, {@link #HIGH} or {@link #NULL}.
     */
    public int list(final int sender)
    {
        return lists.list(sender);
    }

    /**
     * Copies a list, front first. O(n).
     *
     * @param list one of {@link #LOW}, {@link #MEDIUM}, {@link #HIGH}, {@link #NULL}.
     * @param to   at least as long as there are senders.
     * @return the length of the list.
     */
    public int copyList(final int list, final int[] to)
    {
        return lists.copy(list, to);
    }

    @Override
    public long stateBytes()
    {
        return (long)state.length * Integer.BYTES + lists.stateBytes() + (idleWatch == null ? 0 : idleWatch.stateBytes());
    }

    /**
     * Bounds what senders are given of others' slots, as the thesis does in section 7.4.1. Before the first packet.
     *
     * @param slots that a sender may have for its data at most.
     */
    public void limitQuotas(final int slots)
    {
        if (slots < share)
        {
            throw new IllegalArgumentException("slots out of range: found " + slots + ", expected at least a sender's share, " +
                share);
        }
        mostQuota = slots;
    }
}
