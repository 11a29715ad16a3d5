// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * The dynamic protocol (thesis, chapter 6): a sender's quota follows its activity. Slots move from senders that have not
 * used up what they were given to those that have, and no sender ever falls below its k static slots.
 *
 * <pre>
 *  one sender's state: a row of ints, so that a packet touches one or two cache lines
 *
 *   0 retrieved        slots freed since credits last went back
 *   1 current          credits that it holds, that are under way, or that its unread packets cost
 *   2 sum              sum of its thresholds
 *   3 head             index of the oldest threshold in the FIFO below
 *   4 sinceMonitor     slots freed since its last monitoring point
 *   5 monitorAt        sum of its thresholds as it was then: all it had been given (section 6.4)
 *   6 intended         quota that it should have soon
 *   7 flags            1 blocked: a compulsory request is out; 2 gone
 *   8 piggybacked      credits returned in data packets since the last crossing; {@link PiggybackPolicy#THESIS} only
 *   9 ... 9+k          FIFO of k+1 thresholds, one for each credit packet that may be unread
 * </pre>
 *
 * With k = 2 that is 48 bytes, and 9 for the sender's place in the {@link ActivityLists}.
 *
 * <p>Two places differ from the published text, which stalls there: a crossing appends to the FIFO what was really given,
 * not what should have been; and credits that come back in a response are taken off the thresholds, oldest first.
 */
public final class DynamicLedger extends Ledger
{
    /** List of senders whose quota is used slowly: the last one is the next victim. */
    public static final int LOW = ActivityLists.LOW;
    /** List of senders in between. */
    public static final int MEDIUM = ActivityLists.MEDIUM;
    /** List of senders that use their quota up quickly. */
    public static final int HIGH = ActivityLists.HIGH;
    /** List of senders that were left with their static slots. */
    public static final int NULL = ActivityLists.NULL;

    private static final int RETRIEVED = 0;
    private static final int CURRENT = 1;
    private static final int SUM = 2;
    private static final int HEAD = 3;
    private static final int SINCE_MONITOR = 4;
    private static final int MONITOR_AT = 5;
    private static final int INTENDED = 6;
    private static final int FLAGS = 7;
    private static final int PIGGYBACKED = 8;
    private static final int FIFO = 9;
    private static final int BLOCKED = 1;
    private static final int GONE = 2;

    private final int stride;
    private final int[] state;
    private final ActivityLists lists;
    private final PiggybackPolicy policy;
    private int available;
    private long stolen;
    private long requests;
    private long revoked;
    private long piggybackedTotal;

    /**
     * A ledger at its start, with the {@link PiggybackPolicy#ONE_FOR_ONE} policy.
     *
     * @param senders        number of senders.
     * @param creditSlots    k.
     * @param slotsPerSender S: slots of the mailbox for each sender, credit slots included.
     * @param actions        that carry the decisions out.
     */
    public DynamicLedger(
        final int senders, final int creditSlots, final int slotsPerSender, final LedgerActions actions)
    {
        this(senders, creditSlots, slotsPerSender, actions, PiggybackPolicy.ONE_FOR_ONE);
    }

    /**
     * A ledger at its start (thesis, section 6.3): every sender holds its k static slots, the rest is available.
     *
     * @param senders        number of senders.
     * @param creditSlots    k.
     * @param slotsPerSender S: slots of the mailbox for each sender, credit slots included.
     * @param actions        that carry the decisions out.
     * @param policy         for credits in data packets.
     * @throws IllegalArgumentException if k &lt; 1, S &lt; 2k, there is no sender, or more slots than an int counts.
     */
    public DynamicLedger(
        final int senders,
        final int creditSlots,
        final int slotsPerSender,
        final LedgerActions actions,
        final PiggybackPolicy policy)
    {
        super(senders, creditSlots, slotsPerSender, actions);
        this.policy = policy;
        stride = FIFO + creditSlots + 1;
        if ((long)stride * senders > Integer.MAX_VALUE - 8)
        {
            throw new IllegalArgumentException("state out of range: found senders=" + senders + ", creditSlots=" + creditSlots +
                ", expected (creditSlots + 10) x senders at most " + (Integer.MAX_VALUE - 8));
        }
        state = new int[stride * senders];
        lists = new ActivityLists(senders);
        available = dataRegion - creditSlots * senders;
        final int share = dataRegion / senders;
        final int rest = dataRegion % senders;
        for (int sender = 0; sender < senders; sender++)
        {
            start(sender);
            state[sender * stride + INTENDED] = share + (sender < rest ? 1 : 0);
        }
    }

    private void start(final int sender)
    {
        final int at = sender * stride;
        final int thresholds = creditSlots + 1;
        state[at + RETRIEVED] = 0;
        state[at + CURRENT] = creditSlots;
        state[at + SUM] = thresholds;
        state[at + HEAD] = 0;
        state[at + SINCE_MONITOR] = 0;
        state[at + MONITOR_AT] = thresholds;
        state[at + FLAGS] = 0;
        state[at + PIGGYBACKED] = 0;
        for (int i = 0; i < thresholds; i++)
        {
            state[at + FIFO + i] = 1;
        }
    }

    @Override
    boolean retrieve(final int sender, final int slots)
    {
        final int at = sender * stride;
        if (slots < 1 || slots > state[at + CURRENT])
        {
            return false;
        }
        free(at, slots);
        control(sender, at);
        return true;
    }

    @Override
    boolean respond(final int sender, final int credits)
    {
        final int at = sender * stride;
        if (credits < 0 || credits >= state[at + CURRENT] || credits > state[at + SUM] - creditSlots - 1)
        {
            return false;
        }
        free(at, 1);
        takeBack(at, credits);
        control(sender, at);
        return true;
    }

    private void free(final int at, final int slots)
    {
        available += slots;
        state[at + CURRENT] -= slots;
        state[at + RETRIEVED] += slots;
        state[at + SINCE_MONITOR] += slots;
    }

    private void control(final int sender, final int at)
    {
        if (state[at + SINCE_MONITOR] >= state[at + MONITOR_AT] && !isSet(at, BLOCKED))
        {
            state[at + SINCE_MONITOR] = 0;
            monitor(sender, at);
            state[at + MONITOR_AT] = state[at + SUM];
        }
        if (state[at + RETRIEVED] >= state[at + FIFO + state[at + HEAD]])
        {
            cross(sender, at);
        }
    }

    /** The threshold is reached (thesis, section 6.5.2), perhaps several times at once: one credit packet for all. */
    private void cross(final int sender, final int at)
    {
        int total = 0;
        while (state[at + RETRIEVED] >= state[at + FIFO + state[at + HEAD]] && available > 0)
        {
            int give = 1;
            if (isSet(at, BLOCKED))
            {
                if (state[at + CURRENT] >= creditSlots)
                {
                    break;
                }
            }
            else
            {
                give = Math.min(threshold(state[at + INTENDED], creditSlots), available);
            }
            state[at + RETRIEVED] -= replaceHead(at, give);
            give(at, give);
            total += give;
        }
        if (total > 0)
        {
            state[at + PIGGYBACKED] = 0;
            grant(sender, total);
        }
    }

    /** Appends a threshold where the oldest one was, and returns that. */
    private int replaceHead(final int at, final int threshold)
    {
        final int head = state[at + HEAD];
        final int oldest = state[at + FIFO + head];
        state[at + FIFO + head] = threshold;
        state[at + HEAD] = head == creditSlots ? 0 : head + 1;
        state[at + SUM] += threshold - oldest;
        return oldest;
    }

    private void give(final int at, final int credits)
    {
        available -= credits;
        state[at + CURRENT] += credits;
    }

    /** Credits come back unused: thresholds that counted on them come down, oldest first, none below 1. */
    private void takeBack(final int at, final int credits)
    {
        available += credits;
        state[at + CURRENT] -= credits;
        state[at + SUM] -= credits;
        state[at + FLAGS] &= ~BLOCKED;
        int left = credits;
        int index = state[at + HEAD];
        while (left > 0)
        {
            final int cut = Math.min(left, state[at + FIFO + index] - 1);
            state[at + FIFO + index] -= cut;
            left -= cut;
            index = index == creditSlots ? 0 : index + 1;
        }
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

    /** Equation 6.1 and figure 6.3 of the thesis. */
    private void steal(final int at, final int victim)
    {
        final int from = victim * stride;
        lists.remove(victim);
        final int difference = Math.abs(state[at + INTENDED] - state[from + INTENDED]);
        final int credits = Math.min(Math.max(creditSlots + 1, difference / 2), state[from + INTENDED] - creditSlots);
        state[from + INTENDED] -= credits;
        state[at + INTENDED] += credits;
        stolen += credits;
        if (state[from + INTENDED] > creditSlots)
        {
            lists.addFirst(MEDIUM, victim);
            return;
        }
        lists.addFirst(NULL, victim);
        if (state[from + CURRENT] > state[from + INTENDED] && !isSet(from, BLOCKED))
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
        else if (taken < 0 || taken > state[from + CURRENT] - creditSlots)
        {
            violated("revocation leaves the static slots", victim, taken, state[from + CURRENT] - creditSlots);
        }
        else
        {
            revoked += taken;
            takeBack(from, taken);
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
        piggybackedTotal += credits;
        return credits;
    }

    private int carryOneForOne(final int at, final int limit)
    {
        final int held = state[at + SUM] - 1;
        final int intended = state[at + INTENDED];
        if (held > intended + creditSlots)
        {
            // it is to shrink: let the next crossing return less
            return 0;
        }
        final int freed = state[at + RETRIEVED];
        final int grow = freed > 0 ? Math.max(0, intended - held) : 0;
        final int credits = Math.min(Math.min(freed + grow, available), limit);
        final int extra = Math.max(0, credits - freed);
        state[at + RETRIEVED] -= credits - extra;
        if (extra > 0)
        {
            final int newest = state[at + HEAD] == 0 ? creditSlots : state[at + HEAD] - 1;
            state[at + FIFO + newest] += extra;
            state[at + SUM] += extra;
        }
        give(at, credits);
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
        final int head = state[at + FIFO + state[at + HEAD]];
        if (freed + before < head)
        {
            final int credits = Math.min(Math.min(freed, available), limit);
            state[at + RETRIEVED] -= credits;
            state[at + PIGGYBACKED] += credits;
            give(at, credits);
            return credits;
        }
        final int threshold = threshold(state[at + INTENDED], creditSlots);
        final int credits = Math.min(Math.min(Math.max(threshold - before, 0), available), limit);
        if (before + credits == 0)
        {
            // nothing to give and nothing given: a threshold of 0 would be no threshold
            return 0;
        }
        replaceHead(at, threshold >= before ? before + credits : threshold);
        if (threshold < before)
        {
            // excess: the next threshold has to be waited for that much longer
            state[at + FIFO + state[at + HEAD]] += before - threshold;
            state[at + SUM] += before - threshold;
        }
        state[at + RETRIEVED] = freed + before - head;
        state[at + PIGGYBACKED] = 0;
        give(at, credits);
        return credits;
    }

    @Override
    public void reclaim(final int sender)
    {
        final int at = sender * stride;
        if (isSet(at, GONE))
        {
            return;
        }
        available += state[at + CURRENT];
        start(sender);
        state[at + CURRENT] = 0;
        state[at + FLAGS] = GONE;
        // its quota goes to the others by the ordinary steals: it is the next victim
        lists.remove(sender);
        lists.addLast(LOW, sender);
    }

    @Override
    public boolean rejoin(final int sender)
    {
        if (!isGone(sender) || available < creditSlots)
        {
            return false;
        }
        available -= creditSlots;
        start(sender);
        return true;
    }

    private boolean isSet(final int at, final int flag)
    {
        return (state[at + FLAGS] & flag) != 0;
    }

    @Override
    public void checkInvariants()
    {
        long current = 0;
        long intended = 0;
        for (int sender = 0; sender < senders; sender++)
        {
            final int at = sender * stride;
            int sum = 0;
            for (int i = 0; i <= creditSlots; i++)
            {
                sum += state[at + FIFO + i];
            }
            if (sum != state[at + SUM])
            {
                violated("sum of thresholds", sender, state[at + SUM], sum);
            }
            if (!isSet(at, GONE) && state[at + CURRENT] != sum - 1 - state[at + RETRIEVED])
            {
                violated("2, ledger: currentCredits", sender, state[at + CURRENT], sum - 1 - state[at + RETRIEVED]);
            }
            if (state[at + INTENDED] < creditSlots)
            {
                violated("4, intendedQuota at least k", sender, state[at + INTENDED], creditSlots);
            }
            current += state[at + CURRENT];
            intended += state[at + INTENDED];
        }
        if (current + available != dataRegion || available < 0)
        {
            violated("1, conservation", -1, current + available, dataRegion);
        }
        if (intended != dataRegion)
        {
            violated("4, sum of intendedQuota", -1, intended, dataRegion);
        }
    }

    @Override
    public boolean isGone(final int sender)
    {
        return isSet(sender * stride, GONE);
    }

    /**
     * Whether a compulsory request to a sender is not answered yet.
     *
     * @param sender asked for.
     * @return true if so.
     */
    public boolean isBlocked(final int sender)
    {
        return isSet(sender * stride, BLOCKED);
    }

    @Override
    public int currentCredits(final int sender)
    {
        return state[sender * stride + CURRENT];
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
        return state[sender * stride + RETRIEVED];
    }

    /**
     * Slots freed since the last monitoring point.
     *
     * @param sender asked for.
     * @return their number.
     */
    public int sinceMonitor(final int sender)
    {
        return state[sender * stride + SINCE_MONITOR];
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
        final int at = sender * stride;
        return state[at + FIFO + (state[at + HEAD] + index) % (creditSlots + 1)];
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
        return (long)state.length * Integer.BYTES + lists.stateBytes();
    }

    @Override
    public long creditsStolen()
    {
        return stolen;
    }

    @Override
    public long requests()
    {
        return requests;
    }

    @Override
    public long revoked()
    {
        return revoked;
    }

    @Override
    public long piggybacked()
    {
        return piggybackedTotal;
    }
}
