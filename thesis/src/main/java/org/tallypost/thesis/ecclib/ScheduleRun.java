// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

import org.tallypost.schedule.Schedule;
import org.tallypost.schedule.Steps;

/**
 * One round of a schedule on a simulated network, by messages over connections. A message costs its sender a start-up; its
 * segments go one behind the other. Each message carries what its sender has heard of, so that the end shows which ones heard of
 * which.
 */
final class ScheduleRun
{
    private final Agenda agenda = new Agenda();
    private final Network network;
    private final Medium medium;
    private final double startNs;
    private final double reduceNs;
    private final Host[] hosts;
    private int messages;
    private double endNs;

    private record Message(int to, int length, BitSet heard)
    {
    }

    /** A process: what it has to do, and how far it is. */
    private final class Host implements Steps
    {
        private final int self;
        private final Deque<Runnable> script = new ArrayDeque<>();
        private final Deque<Message> outbox = new ArrayDeque<>();
        private final List<Deque<Message>> inbox = new ArrayList<>();
        private final BitSet heard = new BitSet();
        private final Deque<Integer> awaited = new ArrayDeque<>();
        private boolean isSending;
        private boolean isWaitingSends;
        private boolean isWaitingReceives;
        private double busyNs;

        Host(final int self, final int processes)
        {
            this.self = self;
            heard.set(self);
            for (int i = 0; i < processes; i++)
            {
                inbox.add(new ArrayDeque<>());
            }
        }

        @Override
        public void send(final int peer, final int length)
        {
            script.add(() ->
            {
                messages++;
                outbox.add(new Message(peer, length, (BitSet)heard.clone()));
                pump();
            });
        }

        @Override
        public void receive(final int peer)
        {
            script.add(() -> awaited.add(peer));
        }

        @Override
        public void waitSends()
        {
            script.add(() -> isWaitingSends = true);
        }

        @Override
        public void waitAll()
        {
            script.add(() ->
            {
                isWaitingSends = true;
                isWaitingReceives = true;
            });
        }

        private void pump()
        {
            if (!isSending && !outbox.isEmpty())
            {
                isSending = true;
                final Message message = outbox.remove();
                busyNs = Math.max(busyNs, agenda.nowNs()) + startNs;
                agenda.at(busyNs, () -> segment(message, message.length()));
            }
        }

        /** A message without bytes is a segment, too. */
        private void segment(final Message message, final int left)
        {
            final int bytes = Math.min(left, network.segment());
            final boolean isLast = bytes == left;
            final double sentNs = medium.transmit(self, message.to(), network.segmentNs(bytes), (host) ->
            {
                if (isLast)
                {
                    hosts[host].inbox.get(self).add(message);
                    hosts[host].go();
                }
            });
            agenda.at(sentNs, () ->
            {
                if (isLast)
                {
                    isSending = false;
                    pump();
                    go();
                }
                else
                {
                    segment(message, left - bytes);
                }
            });
        }

        /** Takes what has come of what is awaited, in any order, and reduces it. */
        private void take()
        {
            for (int i = awaited.size(); i > 0; i--)
            {
                final int peer = awaited.remove();
                final Message message = inbox.get(peer).poll();
                if (message == null)
                {
                    awaited.add(peer);
                }
                else
                {
                    heard.or(message.heard());
                    busyNs = Math.max(busyNs, agenda.nowNs()) + message.length() * reduceNs;
                }
            }
        }

        private void go()
        {
            take();
            while (!(isWaitingSends && (isSending || !outbox.isEmpty())) && !(isWaitingReceives && !awaited.isEmpty()))
            {
                if (agenda.nowNs() < busyNs)
                {
                    agenda.at(busyNs, this::go);
                    return;
                }
                isWaitingSends = false;
                isWaitingReceives = false;
                if (script.isEmpty())
                {
                    endNs = Math.max(endNs, agenda.nowNs());
                    return;
                }
                script.remove().run();
                take();
            }
        }
    }

    private ScheduleRun(final Network network, final Schedule schedule, final double startNs, final double reduceNs)
    {
        this.network = network;
        this.startNs = startNs;
        this.reduceNs = reduceNs;
        medium = new Medium(agenda, network, schedule.processes());
        hosts = new Host[schedule.processes()];
        for (int i = 0; i < hosts.length; i++)
        {
            hosts[i] = new Host(i, hosts.length);
            schedule.round(i, 0, hosts[i]);
        }
        for (final Host host : hosts)
        {
            agenda.at(0, host::go);
        }
        boolean isGoingOn = true;
        while (isGoingOn)
        {
            isGoingOn = agenda.step(Double.POSITIVE_INFINITY);
        }
        for (final Host host : hosts)
        {
            if (!host.script.isEmpty() || !host.awaited.isEmpty())
            {
                throw new IllegalStateException("process " + host.self + " waits for messages of " + host.awaited +
                    " that nobody sends");
            }
        }
    }

    /**
     * Runs the first round of a schedule.
     *
     * @param network  on which it runs.
     * @param schedule of all processes.
     * @param startNs  of a message.
     * @param reduceNs to reduce a byte that was received.
     * @return the run, at its end.
     */
    static ScheduleRun of(final Network network, final Schedule schedule, final double startNs, final double reduceNs)
    {
        return new ScheduleRun(network, schedule, startNs, reduceNs);
    }

    /** When the last process was done. */
    double timeNs()
    {
        return endNs;
    }

    int messages()
    {
        return messages;
    }

    /** Whether each process has heard of every other one: if not, the schedule is no barrier. */
    boolean hasAllHeardOfAll()
    {
        for (final Host host : hosts)
        {
            if (host.heard.cardinality() < hosts.length)
            {
                return false;
            }
        }
        return true;
    }
}
