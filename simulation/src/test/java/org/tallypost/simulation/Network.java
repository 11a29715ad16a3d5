// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.tallypost.transportaeron.NodeAddress;

/**
 * The network between simulated nodes, as Aeron's client shows it: streams in order, as long as their images live; with faults
 * also below that: batches are lost, come twice, or late.
 */
final class Network
{
    /** Without a sign of life for so long an image ends. */
    static final long IMAGE_TIMEOUT_NS = 300_000_000L;
    static final int FIRST_PORT = 20_000;
    private static final int FIRST_STREAM = 1_000;
    private static final int WINDOW = 2_000;
    private static final int RARE = 60;

    private static Network current;

    private final World world;
    private final List<SimulatedSubscription> subscriptions = new ArrayList<>();
    private final List<SimulatedPublication> publications = new ArrayList<>();
    private final List<SimulatedConnection> connections = new ArrayList<>();
    private final long[][] blockedSinceNs;
    private final long[] pressedUntilNs;
    private int sessions;

    Network(final World world, final int nodes)
    {
        this.world = world;
        blockedSinceNs = new long[nodes][nodes];
        pressedUntilNs = new long[nodes];
        current = this;
    }

    static Network current()
    {
        return current;
    }

    static List<NodeAddress> addresses(final int nodes)
    {
        final List<NodeAddress> addresses = new ArrayList<>();
        for (int node = 0; node < nodes; node++)
        {
            addresses.add(new NodeAddress("127.0.0.1", FIRST_PORT + node));
        }
        return addresses;
    }

    /** Streams of messages come first, then bulk streams. */
    int fromNode(final int stream)
    {
        return (stream - FIRST_STREAM) % pressedUntilNs.length;
    }

    static int toNode(final String channel)
    {
        final String address = channel.split("\\|")[0];
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)) - FIRST_PORT;
    }

    long nowNs()
    {
        return world.nowNs();
    }

    SimulatedProcess connected(final SimulatedConnection connection)
    {
        connections.add(connection);
        return world.current();
    }

    SimulatedSubscription subscribe(final SimulatedSubscription subscription)
    {
        subscriptions.add(subscription);
        return subscription;
    }

    SimulatedPublication publish(final SimulatedConnection connection, final int stream, final int to)
    {
        final SimulatedPublication publication = new SimulatedPublication(this, connection, stream, to, ++sessions);
        publications.add(publication);
        return publication;
    }

    /** A receiver joins the streams that reach it, as they are then. */
    void join(final SimulatedSubscription subscription)
    {
        publications.removeIf((publication) -> publication.isClosed() || publication.connection.isClosed());
        for (final SimulatedPublication publication : publications)
        {
            if (subscription.isOf(publication) && receiver(publication) == subscription)
            {
                subscription.join(publication);
                publication.heardNs = nowNs();
                publication.isHeard = true;
            }
        }
    }

    /** The subscription that a publication reaches, null if there is none. */
    SimulatedSubscription receiver(final SimulatedPublication publication)
    {
        subscriptions.removeIf((subscription) -> subscription.isClosed() || subscription.connection.isClosed());
        for (final SimulatedSubscription subscription : subscriptions)
        {
            if (subscription.isOf(publication) && subscription.connection.isAlive() &&
                !isLost(publication.from, publication.to) && !isLost(publication.to, publication.from))
            {
                return subscription;
            }
        }
        return null;
    }

    long send(final SimulatedPublication publication, final DirectBuffer buffer, final int offset, final int length)
    {
        if (publication.connection.isClosed())
        {
            return SimulatedPublication.CLOSED;
        }
        final SimulatedSubscription receiver = receiver(publication);
        final SimulatedImage image = receiver == null ? null : receiver.image(publication);
        if (image == null)
        {
            // into the window of a receiver that is gone: nobody gets it
            return publication.isHeard && nowNs() - publication.heardNs < IMAGE_TIMEOUT_NS ? 0 :
                SimulatedPublication.NOT_CONNECTED;
        }
        if (image.underWay.size() >= WINDOW || nowNs() < pressedUntilNs[publication.from])
        {
            return SimulatedPublication.BACK_PRESSURED;
        }
        if (!world.isRare(Fault.LOSS, RARE))
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            final long arrivalNs = nowNs() + world.delayNs();
            add(image, arrivalNs, bytes, world.isRare(Fault.REORDER, RARE));
            if (world.isRare(Fault.DUPLICATE, RARE))
            {
                add(image, arrivalNs + world.delayNs(), bytes, false);
            }
        }
        return 0;
    }

    private static void add(final SimulatedImage image, final long arrivalNs, final byte[] bytes, final boolean overtakes)
    {
        final List<SimulatedImage.Batch> underWay = image.underWay;
        final int last = underWay.size() - 1;
        final long orderedNs = last < 0 ? arrivalNs : Math.max(arrivalNs, underWay.get(last).arrivalNs());
        if (overtakes && last >= 0)
        {
            underWay.add(last, new SimulatedImage.Batch(underWay.get(last).arrivalNs(), bytes));
        }
        else
        {
            underWay.add(new SimulatedImage.Batch(orderedNs, bytes));
        }
    }

    /** Ends an image when nothing is heard from its publication any more. */
    void tend(final SimulatedImage image)
    {
        final SimulatedPublication publication = image.publication;
        final boolean hasEnded = publication.isClosed() && image.underWay.isEmpty();
        if (hasEnded || isLost(publication.from, publication.to) || !publication.isClosed() && !publication.connection.isAlive())
        {
            image.close();
        }
    }

    boolean hasArrived(final SimulatedImage image)
    {
        return !image.underWay.isEmpty() && image.underWay.get(0).arrivalNs() <= nowNs() &&
            blockedSinceNs[image.publication.from][image.publication.to] == 0;
    }

    private boolean isLost(final int from, final int to)
    {
        return blockedSinceNs[from][to] != 0 && nowNs() - blockedSinceNs[from][to] > IMAGE_TIMEOUT_NS;
    }

    /** Nothing goes from one node to another, until that is changed again. */
    void block(final int from, final int to, final boolean isBlocked)
    {
        blockedSinceNs[from][to] = isBlocked ? nowNs() : 0;
    }

    boolean isBlocked(final int from, final int to)
    {
        return blockedSinceNs[from][to] != 0;
    }

    void press(final int from, final long untilNs)
    {
        pressedUntilNs[from] = untilNs;
    }

    void loseImage(final int index)
    {
        if (!subscriptions.isEmpty())
        {
            subscriptions.get(index % subscriptions.size()).endImages();
        }
    }

    void loseDriver(final int index)
    {
        connections.removeIf(SimulatedConnection::isClosed);
        if (!connections.isEmpty())
        {
            connections.get(index % connections.size()).close();
        }
    }

    /** Drivers that are embedded in a process die with it. */
    void endDriversOf(final SimulatedProcess process)
    {
        connections.stream().filter((connection) -> connection.isOf(process)).forEach(SimulatedConnection::close);
    }

    void heal()
    {
        for (final long[] row : blockedSinceNs)
        {
            Arrays.fill(row, 0L);
        }
        Arrays.fill(pressedUntilNs, 0L);
    }
}
