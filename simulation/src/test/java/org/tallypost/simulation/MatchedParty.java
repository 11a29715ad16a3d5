// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.Random;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.RequestState;
import org.tallypost.messaging.SendRequest;
import org.tallypost.messaging.Traffic;

/**
 * A party with a messenger, which exchanges messages at random, and is closed and launched again now and then. The traffic checks
 * each message that is received.
 */
final class MatchedParty extends Party
{
    private static final int[] LENGTHS = {40, 600, 2_100, 5_000};
    private static final int PROBE_LENGTH = 40;
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) ->
    {
    };

    private Messenger messenger;
    private Traffic traffic;
    /** One to each rank, when all is quiet. */
    private final SendRequest[] probes;
    /** The receiver for which each probe was started. */
    private final Party[] probed;

    MatchedParty(final World world, final SimulatedProcess process, final Endpoint endpoint)
    {
        super(world, process, endpoint);
        probes = new SendRequest[world.plan.ranks()];
        probed = new Party[probes.length];
        launch();
    }

    private void launch()
    {
        messenger = Messenger.launch(new MessengerContext().endpoint(endpoint).rankCount(world.plan.ranks()).eagerWindow(4_096)
            .announcements(16).maxRequests(64));
        traffic = new Traffic(messenger, new Random(world.random.nextLong()), Plan.pick(world.random, LENGTHS));
    }

    @Override
    void send(final int dest, final int thread)
    {
        if (messenger == null)
        {
            if (world.random.nextInt(4) == 0)
            {
                launch();
            }
        }
        else if (world.isRare(Fault.CLOSE, 200))
        {
            leave();
        }
        else
        {
            traffic.step(dest);
        }
    }

    private void leave()
    {
        messenger.close();
        traffic.stop();
        world.tally.add("matched", traffic.received());
        messenger = null;
        traffic = null;
    }

    @Override
    int pollOnce(final int limit)
    {
        if (messenger == null)
        {
            return endpoint.poll(NOTHING, limit);
        }
        try
        {
            final int work = messenger.doWork();
            final long bytes = messenger.counters().unexpectedBytes();
            if (bytes > messenger.context().maxUnexpectedBytes())
            {
                throw new AssertionError(this + " keeps " + bytes + " bytes of messages");
            }
            return work;
        }
        catch (final AgentTerminationException ex)
        {
            return 0;
        }
    }

    /** All that comes is received, and each rank gets a last message. */
    void rest()
    {
        if (messenger == null)
        {
            launch();
        }
        traffic.receiveRest();
        for (int dest = 0; dest < probes.length; dest++)
        {
            final Party receiver = world.books.open(dest);
            if (receiver != null && !isThrough(dest, receiver) && (probes[dest] == null || !probes[dest].isActive()))
            {
                final UnsafeBuffer message = new UnsafeBuffer(new byte[PROBE_LENGTH]);
                traffic.write(message, PROBE_LENGTH, dest);
                probes[dest] = new SendRequest();
                probed[dest] = receiver;
                messenger.sendSynchronous(probes[dest], messenger.world(), dest, 0, message, 0, PROBE_LENGTH);
            }
        }
    }

    private boolean isThrough(final int dest, final Party receiver)
    {
        return probes[dest] != null && probed[dest] == receiver && probes[dest].result() == RequestResult.SUCCESS;
    }

    /** What is not at its end; null if all is. */
    String unsettled()
    {
        if (messenger == null)
        {
            return this + " has no messenger";
        }
        for (int dest = 0; dest < probes.length; dest++)
        {
            final Party receiver = world.books.open(dest);
            final boolean isOver = probes[dest] == null || !probes[dest].isActive() ||
                probes[dest].state() == RequestState.QUEUED;
            if (receiver == null ? !isOver : !isThrough(dest, receiver))
            {
                return this + " to rank " + dest + ": " + probes[dest];
            }
        }
        return traffic.isAtRest((rank) -> world.books.open(rank) != null) && messenger.counters().unexpectedBytes() == 0 ? null :
            this + ": unexpectedBytes=" + messenger.counters().unexpectedBytes() + ", " + traffic;
    }

    /** Counts what has come. */
    void check()
    {
        traffic.stop();
        world.tally.add("matched", traffic.received());
        world.tally.add("refused by messengers", messenger.counters().refused());
    }
}
