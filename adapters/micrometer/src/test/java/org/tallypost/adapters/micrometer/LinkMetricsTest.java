// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodeView;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.Transport;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.node.NodeStat;

/** Every counter of every link has a meter, under the name that the command line gives it, and with its value. */
class LinkMetricsTest
{
    private static final int NODES = 3;

    @TempDir
    private Path directory;
    private final MeterRegistry registry = new SimpleMeterRegistry();

    /** Carries nothing. This node, 1, has two others. */
    private static final class CountingTransport implements Transport, Agent
    {
        private volatile NodePort port;

        @Override
        public RankMap rankMap()
        {
            return new RankMap(NODES, new int[]{0, 1, 2});
        }

        @Override
        public int node()
        {
            return 1;
        }

        @Override
        public void conclude(final NodeView settings)
        {
            // nothing to conclude
        }

        @Override
        public Agent start(final NodePort nodePort)
        {
            port = nodePort;
            return this;
        }

        @Override
        public int doWork()
        {
            return 0;
        }

        @Override
        public String roleName()
        {
            return "counting";
        }
    }

    private File file()
    {
        return directory.resolve("node").toFile();
    }

    private double value(final String name, final int peer)
    {
        return registry.get(name).tags("peer", Integer.toString(peer)).meter().measure().iterator().next().getValue();
    }

    @Test
    void shouldShowWhatIsCountedOnEachLink()
    {
        final CountingTransport transport = new CountingTransport();
        try (Node node = Node.launch(new NodeContext().directory(file()).groupName("links").rankCount(NODES)
            .transport(transport).deleteOnClose(true)))
        {
            Watchdog.await("a carrier of " + node, () -> transport.port != null);
            final LinkMetrics metrics = new LinkMetrics(Tags.of("group", "links"), NodeStat.attach(file()));
            metrics.bindTo(registry);
            assertEquals(0, value("tallypost.link.sent.bytes", 0));
            for (final int peer : new int[]{0, 2})
            {
                transport.port.linkCounters(peer).set(LinkCounter.BYTES_SENT, 100 + peer);
                transport.port.linkCounters(peer).set(LinkCounter.STALL_TIME, 2_500_000_000L + peer);
                transport.port.linkCounters(peer).set(LinkCounter.UP, 1);
            }
            for (final int peer : new int[]{0, 2})
            {
                assertEquals(100 + peer, value("tallypost.link.sent.bytes", peer));
                assertEquals(2.5, value("tallypost.link.stall.time.seconds", peer), 1e-6);
                assertEquals(1, value("tallypost.link.up", peer));
                assertEquals(0, value("tallypost.link.received.messages", peer));
            }
            final List<Meter> meters = registry.getMeters();
            assertEquals(2 * LinkCounter.values().length, meters.size(), "no two of a link have one name");
            assertTrue(meters.stream().allMatch((meter) -> "links".equals(meter.getId().getTag("group"))), meters::toString);
            assertEquals(Set.of("tallypost.link.up", "tallypost.link.state.time.seconds"), meters.stream()
                .filter((meter) -> meter.getId().getType() == Meter.Type.GAUGE).map((meter) -> meter.getId().getName())
                .collect(Collectors.toSet()));
            metrics.close();
            metrics.close();
            assertEquals(List.of(), registry.getMeters());
        }
    }

    @Test
    void shouldBindNothingOfANodeAlone()
    {
        try (Node node = Node.launch(
            new NodeContext().directory(file()).groupName("alone").rankCount(2).deleteOnClose(true));
            LinkMetrics metrics = new LinkMetrics(NodeStat.attach(file())))
        {
            metrics.bindTo(registry);
            assertEquals(List.of(), registry.getMeters(), node::toString);
        }
    }
}
