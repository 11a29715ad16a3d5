// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.List;


/**
 * A thread on which senders take turns, each of a few messages at most. One that is refused passes its turn.
 */
final class SendingThread extends TrialParty
{
    private static final int TURNS = 64;

    private final int party;
    private final SendingAgent[] agents;
    private final Room room;

    /**
     * A thread of senders.
     *
     * @param agents in their order; with a quiet sender that is the last one.
     * @param room   that wants work done, or null if another thread does it.
     */
    SendingThread(
        final TrialSpec spec,
        final Pace pace,
        final Pace.Waiter waiter,
        final int party,
        final int warmups,
        final List<SendingAgent> agents,
        final Room room)
    {
        super(spec, pace, waiter, party, warmups);
        this.party = party;
        this.agents = agents.toArray(new SendingAgent[0]);
        this.room = room;
    }

    @Override
    TrialRun run(final long step, final Phase phase)
    {
        int first = 0;
        for (final SendingAgent agent : agents)
        {
            agent.begin();
            if (phase == Phase.ALONE && agent instanceof SendingAgent.Flooding)
            {
                first++;
            }
        }
        final int rounds = Math.max(1, TURNS / Math.max(1, agents.length - first));
        while (!pace.isStopped(step))
        {
            for (int i = 0; i < rounds; i++)
            {
                round(first);
            }
        }
        long sent = 0;
        for (final SendingAgent agent : agents)
        {
            sent += agent.sent();
        }
        pace.sent(party, step, sent);
        return null;
    }

    private void round(final int first)
    {
        int sent = 0;
        boolean isRefused = false;
        for (int i = first; i < agents.length; i++)
        {
            final int count = agents[i].turn();
            if (count >= 0)
            {
                sent += count;
            }
            else
            {
                isRefused = true;
            }
        }
        if (isRefused || sent == 0)
        {
            if (room != null)
            {
                room.onIdle();
            }
            waiter.idle("room for a message, or the end of the run");
        }
    }
}
