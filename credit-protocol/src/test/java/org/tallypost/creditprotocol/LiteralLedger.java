// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The dynamic protocol to the letter of the thesis (section 6.5), with the two places that stall: the threshold appended is
 * the computed one even if fewer credits could be given, and a response leaves the thresholds as they are.
 */
final class LiteralLedger extends Ledger
{
    private static final class Sender
    {
        final ArrayDeque<Integer> thresholds = new ArrayDeque<>();
        int retrieved;
        int current;
        int intended;
        int sinceMonitor;
        int monitorAt;
        boolean isBlocked;
    }

    private final Sender[] states;
    private final List<ArrayDeque<Integer>> lists = new ArrayList<>();
    private int available;

    LiteralLedger(final int senders, final int creditSlots, final int slotsPerSender, final LedgerActions actions)
    {
        super(senders, creditSlots, slotsPerSender, actions);
        states = new Sender[senders];
        available = dataRegion - creditSlots * senders;
        for (int list = 0; list < 4; list++)
        {
            lists.add(new ArrayDeque<>());
        }
        for (int i = 0; i < senders; i++)
        {
            final Sender sender = new Sender();
            states[i] = sender;
            for (int j = 0; j <= creditSlots; j++)
            {
                sender.thresholds.add(1);
            }
            sender.current = creditSlots;
            sender.intended = slotsPerSender - creditSlots;
            sender.monitorAt = creditSlots + 1;
            lists.get(DynamicLedger.LOW).addLast(i);
        }
    }

    @Override
    boolean retrieve(final int index, final int slots)
    {
        available += slots;
        states[index].current -= slots;
        states[index].retrieved += slots;
        states[index].sinceMonitor += slots;
        control(index);
        return true;
    }

    @Override
    boolean respond(final int index, final int credits)
    {
        available += credits;
        states[index].current -= credits;
        states[index].isBlocked = false;
        return retrieve(index, 1);
    }

    private void control(final int index)
    {
        final Sender sender = states[index];
        if (!sender.isBlocked && sender.sinceMonitor >= sender.monitorAt)
        {
            sender.sinceMonitor = 0;
            monitor(index);
            sender.monitorAt = sender.thresholds.stream().mapToInt(Integer::intValue).sum();
        }
        int total = 0;
        while (sender.retrieved >= sender.thresholds.getFirst() && available > 0)
        {
            if (sender.isBlocked && sender.current >= creditSlots)
            {
                break;
            }
            final int threshold = sender.isBlocked ? 1 : threshold(sender.intended, creditSlots);
            final int give = Math.min(threshold, available);
            sender.retrieved -= sender.thresholds.removeFirst();
            sender.thresholds.addLast(threshold);
            available -= give;
            sender.current += give;
            total += give;
        }
        if (total > 0)
        {
            grant(index, total);
        }
    }

    private void monitor(final int index)
    {
        int list = 0;
        while (!lists.get(list).remove((Integer)index))
        {
            list++;
        }
        if (list < DynamicLedger.HIGH)
        {
            lists.get(list + 1).addFirst(index);
            return;
        }
        if (lists.get(DynamicLedger.LOW).isEmpty())
        {
            lists.add(DynamicLedger.HIGH, lists.remove(DynamicLedger.LOW));
        }
        lists.get(DynamicLedger.HIGH).addFirst(index);
        final Integer victim = lists.get(DynamicLedger.LOW).pollLast();
        if (victim != null)
        {
            steal(states[index], victim);
        }
    }

    private void steal(final Sender thief, final int victim)
    {
        final Sender from = states[victim];
        final int half = Math.abs(thief.intended - from.intended) / 2;
        final int credits = Math.min(Math.max(creditSlots + 1, half), from.intended - creditSlots);
        from.intended -= credits;
        thief.intended += credits;
        lists.get(from.intended > creditSlots ? DynamicLedger.MEDIUM : DynamicLedger.NULL).addFirst(victim);
        if (from.intended <= creditSlots && from.current > from.intended && !from.isBlocked)
        {
            from.isBlocked = actions.revoke(victim, creditSlots) == LedgerActions.REQUESTED;
        }
    }

    @Override
    int carry(final int index, final int limit)
    {
        return 0;
    }

    @Override
    void drop(final int index)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    boolean readmit(final int index)
    {
        return false;
    }

    @Override
    public boolean isGone(final int index)
    {
        return false;
    }

    @Override
    public int currentCredits(final int index)
    {
        return states[index].current;
    }

    @Override
    public int availableSlots()
    {
        return available;
    }

    @Override
    public int intendedQuota(final int index)
    {
        return states[index].intended;
    }

    @Override
    public int retrieved(final int index)
    {
        return states[index].retrieved;
    }

    @Override
    public long stateBytes()
    {
        return 0;
    }

    @Override
    public void checkInvariants()
    {
        // the ledger invariant is what these rules lose
    }
}
