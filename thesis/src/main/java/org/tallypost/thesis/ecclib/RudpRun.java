// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

import org.tallypost.thesis.rudp.Asking;
import org.tallypost.thesis.rudp.RudpReceiver;
import org.tallypost.thesis.rudp.RudpSender;
import org.tallypost.thesis.rudp.RudpSettings;

/**
 * One broadcast by RUDP on a simulated network: the real sender and the real receivers, with a medium that loses datagrams.
 * Control messages go over connections, which lose nothing.
 */
final class RudpRun
{
    /** Session, sequence, length. */
    private static final int HEADER_LENGTH = 16;
    private static final int CONTROL_LENGTH = 16;
    private static final int ROOT = 0;

    private final Agenda agenda = new Agenda();
    private final Network network;
    private final RudpSettings settings;
    private final Medium medium;
    private final SplittableRandom random;
    private final double loss;
    private final byte[] data;
    private final byte[][] copies;
    private final RudpReceiver[] receivers;
    private final RudpSender sender;
    /** Receivers that do nothing any more from this moment on; for all others there is none. */
    private final int deadReceiver;
    private final double deadNs;
    private boolean isPumping;
    private long lost;

    /**
     * What there is to be broadcast, and its receivers.
     *
     * @param settings     of RUDP.
     * @param length       of the data.
     * @param receivers    hosts beside the sender.
     * @param loss         share of datagrams that each receiver loses by itself.
     * @param seed         of losses and data.
     * @param deadReceiver that goes silent, or -1.
     * @param deadNs       when it does.
     */
    record Task(RudpSettings settings, int length, int receivers, double loss, long seed, int deadReceiver, double deadNs)
    {
        static Task of(final RudpSettings settings, final int length, final int receivers)
        {
            return new Task(settings, length, receivers, 0, 1, -1, 0);
        }

        Task loss(final double share, final long newSeed)
        {
            return new Task(settings, length, receivers, share, newSeed, deadReceiver, deadNs);
        }

        Task dead(final int receiver, final double whenNs)
        {
            return new Task(settings, length, receivers, loss, seed, receiver, whenNs);
        }
    }

    private RudpRun(final Network network, final Task task)
    {
        this.network = network;
        settings = task.settings();
        medium = new Medium(agenda, network, task.receivers() + 1);
        random = new SplittableRandom(task.seed());
        loss = task.loss();
        deadReceiver = task.deadReceiver();
        deadNs = task.deadNs();
        data = new byte[task.length()];
        new SplittableRandom(~task.seed()).nextBytes(data);
        copies = new byte[task.receivers()][task.length()];
        receivers = new RudpReceiver[task.receivers()];
        sender = new RudpSender(settings, task.length(), task.receivers());
        for (int i = 0; i < receivers.length; i++)
        {
            final int self = i;
            receivers[i] = new RudpReceiver(settings, task.length(), 0, (burst, round, missing) ->
                answer(self, burst, round, missing));
        }
    }

    /**
     * Runs a broadcast until the sender is done or has failed.
     *
     * @param network on which it runs.
     * @param task    to do.
     * @return the run, at its end.
     */
    static RudpRun of(final Network network, final Task task)
    {
        final RudpRun run = new RudpRun(network, task);
        run.run();
        return run;
    }

    private void run()
    {
        agenda.at(network.openNs() + receivers.length * network.sessionNs(), this::pump);
        if (settings.asking() == Asking.TIMER)
        {
            for (int i = 0; i < receivers.length; i++)
            {
                look(i);
            }
        }
        while (!sender.isEnded())
        {
            final double limitNs = sender.isWaiting() ? agenda.nowNs() + settings.answerNs() + 1.0 : Double.POSITIVE_INFINITY;
            if (!agenda.step(limitNs))
            {
                sender.onTime((long)limitNs + 1);
                if (!sender.isEnded())
                {
                    throw new IllegalStateException("nothing happens any more, and the sender waits in burst " +
                        sender.burst());
                }
            }
            else
            {
                sender.onTime((long)agenda.nowNs());
            }
        }
    }

    private boolean isDead(final int receiver)
    {
        return receiver == deadReceiver && agenda.nowNs() >= deadNs;
    }

    private void look(final int receiver)
    {
        agenda.at(agenda.nowNs() + settings.quietNs() / 4.0, () ->
        {
            if (!sender.isEnded() && !isDead(receiver))
            {
                receivers[receiver].onTime((long)agenda.nowNs());
                look(receiver);
            }
        });
    }

    private void pump()
    {
        final int sequence = sender.nextPacket((long)agenda.nowNs());
        isPumping = sequence != RudpSender.NONE;
        if (isPumping)
        {
            final int length = settings.lengthOf(data.length, sequence);
            final double sentNs = medium.transmit(ROOT, -1, network.datagramNs(HEADER_LENGTH + length), (host) ->
                arrive(host - 1, sequence, length));
            agenda.at(sentNs, this::pump);
        }
        else if (sender.takeAsk())
        {
            final int burst = sender.burst();
            final int round = sender.round();
            for (int i = 0; i < receivers.length; i++)
            {
                final int receiver = i;
                medium.transmit(ROOT, i + 1, network.segmentNs(CONTROL_LENGTH), (host) ->
                {
                    if (!isDead(receiver))
                    {
                        receivers[receiver].onAsk(burst, round);
                    }
                });
            }
        }
    }

    private void arrive(final int receiver, final int sequence, final int length)
    {
        if (loss > 0 && random.nextDouble() < loss)
        {
            lost++;
        }
        else if (!isDead(receiver) && receivers[receiver].onPacket(sequence, length, (long)agenda.nowNs()))
        {
            final int offset = sequence * settings.packetLength();
            System.arraycopy(data, offset, copies[receiver], offset, length);
            receivers[receiver].onKept();
        }
    }

    private void answer(final int receiver, final int burst, final int round, final BitSet missing)
    {
        final int bytes = CONTROL_LENGTH + (settings.burstPackets() + 7) / 8;
        medium.transmit(receiver + 1, ROOT, network.segmentNs(bytes), (host) ->
        {
            sender.onAnswer(receiver, burst, round, missing);
            if (!isPumping && !sender.isEnded() && !sender.isWaiting())
            {
                pump();
            }
        });
    }

    /** When the sender was done, or gave up. */
    double timeNs()
    {
        return agenda.nowNs();
    }

    RudpSender sender()
    {
        return sender;
    }

    long lost()
    {
        return lost;
    }

    /** Transmissions of all hosts, control messages included. */
    long transmissions()
    {
        return medium.transmissions();
    }

    /** Whether a receiver has the bytes of the sender. */
    boolean hasAll(final int receiver)
    {
        return Arrays.equals(copies[receiver], data);
    }
}
