// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.agrona.DirectBuffer;
import org.agrona.collections.MutableInteger;
import org.agrona.concurrent.Agent;
import org.tallypost.endpoint.transport.BulkHandler;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.endpoint.transport.BulkResult;
import org.tallypost.endpoint.transport.MessageTrain;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodePortListener;
import org.tallypost.endpoint.transport.PairListener;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.files.Notice;
import org.tallypost.transportaeron.internal.driver.AeronConnection;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.handshake.GroupTerms;

/**
 * Carries all packets of a node: the media driver if it is embedded, and a {@link Link} to each other node, on one thread. A
 * driver that is gone is launched anew, or waited for.
 */
public final class LinkAgent implements Agent, NodePortListener, BulkHandler
{
    private static final long RETRY_NS = 1_000_000_000L;
    private static final String DRIVER_DIRECTORY = "driver";
    private static final String AERON_DIRECTORY = "aeron";

    private final AeronSettings settings;
    private final NodePort port;
    private final Link[] links;
    private final List<Link> all = new ArrayList<>();
    private final List<LinkWatch> watches = new ArrayList<>();
    private final HighListener high = new HighListener(this::link);
    private final BulkPacing pacing = new BulkPacing();
    private final long intervalNs;
    private final File driverDirectory;
    private AeronConnection connection;
    /** Of the last message that did not come by a ring, and its link. */
    private int lastReceiver = -1;
    private EgressRuns lastRuns;
    private boolean isWaiting;
    private long lastNs;
    private long retryNs;

    public LinkAgent(final AeronSettings settings, final NodePort port)
    {
        this.settings = settings;
        this.port = port;
        intervalNs = port.settings().livenessIntervalNs();
        driverDirectory = new File(port.settings().directory(), DRIVER_DIRECTORY);
        links = new Link[settings.map().nodeCount()];
        final GroupTerms terms = new GroupTerms();
        port.terms().forEach(terms::with);
        // a longer batch than one's own longest is not taken
        terms.with("mtuLength", settings.mtuLength());
        terms.with("bulkTermLength", settings.bulkTermLength());
        terms.with("highStream", settings.highStream());
        final MutableInteger epochs = new MutableInteger(ThreadLocalRandom.current().nextInt());
        for (int peer = 0; peer < links.length; peer++)
        {
            if (peer != settings.node())
            {
                links[peer] = new Link(settings, port, this, peer, terms, epochs, pacing);
                all.add(links[peer]);
            }
        }
        lastNs = System.nanoTime();
        retryNs = lastNs;
        all.forEach((link) -> watches.add(new LinkWatch(link, port.linkCounters(link.peerNode()), lastNs)));
        connect();
    }

    /** Connects to the media driver; does nothing while there is none. */
    private void connect()
    {
        if (!AeronConnection.isPossible(settings, intervalNs))
        {
            if (!isWaiting)
            {
                isWaiting = true;
                port.onError(new Notice(
                    "no media driver", "aeronDirectory=" + settings.aeronDirectory() + ", waiting for one"));
            }
            return;
        }
        isWaiting = false;
        if (settings.aeronDirectory() == null)
        {
            // Aeron makes its files for everybody to read
            MappedFiles.ensureDirectory(driverDirectory);
        }
        connection = new AeronConnection(settings, new File(driverDirectory, AERON_DIRECTORY), intervalNs, port::onError);
        try
        {
            all.forEach((link) -> link.subscribe(connection.aeron()));
        }
        catch (final RuntimeException ex)
        {
            disconnect("cannot subscribe: " + ex.getMessage());
            throw new IllegalStateException("cannot receive at " + settings.address(settings.node()) +
                ", the address of this node, " + settings.node() + ": " + EgressStream.firstLine(ex.getMessage()), ex);
        }
    }

    private void disconnect(final String reason)
    {
        final AeronConnection old = connection;
        connection = null;
        all.forEach((link) -> link.disconnect(reason));
        look(System.nanoTime());
        old.close();
        driverDirectory.delete();
    }

    @Override
    public int doWork()
    {
        final long nowNs = System.nanoTime();
        final long sinceNs = nowNs - lastNs;
        final long pauseNs = sinceNs > intervalNs >> 2 ? sinceNs : 0;
        lastNs = nowNs;
        int work = port.pollRanks(this);
        if (connection != null && connection.isClosed())
        {
            disconnect("the media driver is gone");
            retryNs = nowNs;
        }
        if (nowNs - retryNs >= 0)
        {
            retryNs = nowNs + RETRY_NS;
            retry(nowNs);
        }
        // out, through the driver, in: what is here at the beginning is on its way at the end, in one duty cycle; also without a
        // driver what cannot leave is counted
        work += port.high() == null ? 0 : port.high().pollCredits(high);
        work += port.pollCredits(this);
        pace();
        for (int i = 0; i < all.size(); i++)
        {
            work += all.get(i).send(nowNs, pauseNs);
        }
        // behind messages, which it must not keep waiting
        work += settings.hasBulk() ? port.bulk().poll(this) : 0;
        work += connection == null ? 0 : connection.doWork(nowNs, pauseNs, !pacing.isPaced());
        for (int i = 0; i < all.size(); i++)
        {
            work += all.get(i).receive();
        }
        look(nowNs);
        return work;
    }

    private void look(final long nowNs)
    {
        // the client may have ended in this duty cycle: its counters cannot be asked for any more
        final boolean isConnected = connection != null && !connection.isClosed();
        for (int i = 0; i < watches.size(); i++)
        {
            watches.get(i).look(nowNs, isConnected ? connection.aeron() : null);
        }
    }

    private void pace()
    {
        long batches = 0;
        for (int i = 0; i < all.size() && settings.hasBulk(); i++)
        {
            batches += all.get(i).batches();
        }
        pacing.beginCycle(batches);
    }

    /** Does what could not be done before, for each link by itself: what one of them lacks is nothing to the others. */
    private void retry(final long nowNs)
    {
        if (connection == null)
        {
            try
            {
                connect();
            }
            catch (final RuntimeException ex)
            {
                port.onError(ex);
            }
        }
        for (int i = 0; i < all.size() && connection != null; i++)
        {
            final Link link = all.get(i);
            if (!link.isPublishing())
            {
                publish(link, nowNs);
            }
        }
    }

    private void publish(final Link link, final long nowNs)
    {
        try
        {
            if (!link.publish(connection, nowNs))
            {
                // the driver looks the name up: it has answered, or not, in the next duty cycle
                retryNs = nowNs;
            }
        }
        catch (final RuntimeException ex)
        {
            link.onUnreachable(ex);
        }
    }

    @Override
    public void onClose()
    {
        final long endNs = System.nanoTime() + settings.lingerNs();
        boolean isQuiet = false;
        while (!isQuiet && System.nanoTime() - endNs < 0)
        {
            Thread.yield();
            final int work = doWork();
            isQuiet = work == 0 && all.stream().allMatch(Link::isQuiet);
        }
        if (connection != null)
        {
            disconnect("this node, or the process that carries its packets, closes");
            port.pollRanks(this);
        }
    }

    @Override
    public String roleName()
    {
        return "tallypost-transport-" + settings.node();
    }

    @Override
    public String toString()
    {
        final AeronConnection current = connection;
        return all.stream().map(Link::toString).collect(Collectors.joining("; ")) + "; datagrams of strangers refused=" +
            (current == null ? 0 : current.refusedCount());
    }

    private Link link(final int peer)
    {
        return links[settings.map().nodeOf(peer)];
    }

    private EgressRuns runs(final int receiver)
    {
        return link(receiver).egress().runs();
    }

    @Override
    public void onLocalRank(final int rank, final int epoch, final boolean isOpen)
    {
        all.forEach((link) -> link.onLocalRank(rank, epoch, isOpen));
    }

    @Override
    public void onPairOpened(final int local, final int localEpoch, final int peer, final int peerEpoch)
    {
        link(peer).pairs().open(local, localEpoch, peer, peerEpoch);
    }

    @Override
    public void onPairClosed(final int local, final int peer)
    {
        link(peer).pairs().close(local, peer);
    }

    @Override
    public void onCredits(final int receiver, final int sender, final int credits)
    {
        link(sender).pairs().onCredits(receiver, sender, credits);
    }

    @Override
    public void onRequest(final int receiver, final int sender)
    {
        link(sender).pairs().onRequest(receiver, sender);
    }

    @Override
    public void onNudgesRead(final int receiver, final int sender, final int nudges)
    {
        link(sender).pairs().onNudgesRead(receiver, sender, nudges);
    }

    @Override
    public PairListener high()
    {
        return high;
    }

    @Override
    public boolean onOperation(final BulkOperation operation)
    {
        final int rank = operation.rank();
        if (rank < 0 || rank >= settings.map().rankCount() || settings.map().nodeOf(rank) == settings.node())
        {
            port.bulk().complete(operation.queue, operation.number, BulkResult.UNKNOWN_KEY, 0);
            return true;
        }
        return link(rank).bulk().onOperation(operation);
    }

    @Override
    public void onQueueGone(final int queue)
    {
        all.forEach((link) -> link.bulk().onQueueGone(queue));
    }

    @Override
    public void onRun(
        final boolean isNudge, final int flags, final int sender, final int receiver, final int value,
        final DirectBuffer buffer, final int offset, final int length)
    {
        runs(receiver).onRun(isNudge, flags, sender, receiver, value, buffer, offset, length);
    }

    @Override
    public boolean onMessage(
        final int sender, final int receiver, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (receiver != lastReceiver)
        {
            lastReceiver = receiver;
            lastRuns = runs(receiver);
        }
        return lastRuns.onMessage(sender, receiver, tag, buffer, offset, length);
    }

    @Override
    public boolean onMessage(
        final int sender, final int receiver, final int tag, final DirectBuffer head, final int headOffset,
        final int headLength, final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        if (receiver != lastReceiver)
        {
            lastReceiver = receiver;
            lastRuns = runs(receiver);
        }
        return lastRuns.onMessage(sender, receiver, tag, head, headOffset, headLength, body, bodyOffset, bodyLength);
    }

    @Override
    public boolean onTrain(final MessageTrain train)
    {
        return lastRuns.onTrain(train);
    }

    @Override
    public void onTrainEnd(final int count)
    {
        lastRuns.onTrainEnd(count);
    }
}
