// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import org.tallypost.schedule.Broadcast;
import org.tallypost.schedule.Schedule;
import org.tallypost.thesis.rudp.RudpSettings;

/**
 * How long the operations of the source take on a simulated network, in nanoseconds. Receivers are processes beside the root.
 */
final class Measures
{
    /** LAM sends message by message to so many processes, with the root. */
    private static final int LAM_LINEAR = 4;

    private Measures()
    {
    }

    /** What the source found best on a network. */
    static RudpSettings best(final Network network)
    {
        return network.kind() == Network.Kind.BUS ? RudpSettings.SLOW : RudpSettings.FAST;
    }

    static double rudpNs(final Network network, final RudpSettings settings, final int bytes, final int receivers)
    {
        return completed(RudpRun.of(network, RudpRun.Task.of(settings, bytes, receivers)));
    }

    /** Mean of so many runs with losses. */
    static double lossyRudpNs(
        final Network network, final RudpSettings settings, final int bytes, final int receivers, final double loss,
        final long firstSeed, final int seeds)
    {
        double sumNs = 0;
        for (int i = 0; i < seeds; i++)
        {
            final RudpRun.Task task = RudpRun.Task.of(settings, bytes, receivers).loss(loss, firstSeed + i);
            sumNs += completed(RudpRun.of(network, task));
        }
        return sumNs / seeds;
    }

    private static double completed(final RudpRun run)
    {
        if (run.sender().failure() != null)
        {
            throw new IllegalStateException("a simulated broadcast failed: " + run.sender().failure());
        }
        return run.timeNs();
    }

    /** UDP alone: the datagrams of RUDP, without sessions and answers. */
    static double udpNs(final Network network, final RudpSettings settings, final int bytes)
    {
        double sumNs = network.startNs();
        for (int sequence = 0; sequence < settings.packets(bytes); sequence++)
        {
            sumNs += network.datagramNs(settings.lengthOf(bytes, sequence));
        }
        return sumNs;
    }

    private static double messagesNs(final Network network, final Schedule schedule, final double startNs, final double reduceNs)
    {
        return ScheduleRun.of(network, schedule, startNs, reduceNs).timeNs();
    }

    private static LinearSchedule linear(final LinearSchedule.Kind kind, final int receivers, final int bytes)
    {
        return new LinearSchedule(kind, receivers + 1, bytes);
    }

    /** ECCLib's broadcast by connections, one for each message. */
    static double tcpNs(final Network network, final int bytes, final int receivers)
    {
        return messagesNs(network, linear(LinearSchedule.Kind.FROM_ROOT, receivers, bytes), network.connectNs(), 0);
    }

    /** As PVM has it: message by message. */
    static double linearNs(final Network network, final int bytes, final int receivers)
    {
        return messagesNs(network, linear(LinearSchedule.Kind.FROM_ROOT, receivers, bytes), network.startNs(), 0);
    }

    static double treeNs(final Network network, final int bytes, final int receivers)
    {
        return messagesNs(network, new Broadcast(receivers + 1, bytes, 1, false), network.startNs(), 0);
    }

    static double lamNs(final Network network, final int bytes, final int receivers)
    {
        return receivers + 1 <= LAM_LINEAR ? linearNs(network, bytes, receivers) : treeNs(network, bytes, receivers);
    }

    static double gatherNs(final Network network, final int portion, final int receivers)
    {
        return messagesNs(network, linear(LinearSchedule.Kind.TO_ROOT, receivers, portion), network.startNs(), 0);
    }

    /** A gather, and then the root reduces what has come. */
    static double centralReduceNs(final Network network, final int portion, final int receivers)
    {
        return gatherNs(network, portion, receivers) + (double)receivers * portion * network.reduceNs();
    }

    static double treeReduceNs(final Network network, final int portion, final int receivers)
    {
        return messagesNs(network, new Broadcast(receivers + 1, portion, 1, true), network.startNs(), network.reduceNs());
    }

    /** Bytes and time to MB/s, as the source counts them. */
    static double megabytes(final double bytes, final double timeNs)
    {
        return bytes / timeNs * 1_000;
    }
}
