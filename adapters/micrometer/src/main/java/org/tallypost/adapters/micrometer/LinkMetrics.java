// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.node.LinkStat;
import org.tallypost.node.NodeStat;

/**
 * Binds the counters of a node's links to other nodes to registries: all of {@link LinkCounter}. Each meter has the tag
 * {@code peer}, the index of the other node, and the tags that the program gives. Names are those of {@link EndpointMetrics}
 * with {@code link} in front: {@code bytesSent} is {@code tallypost.link.sent.bytes}, as {@code stat --prometheus} has it.
 *
 * <p>Links belong to the node: one process binds them, which may be any one that can read the node's directory. Values are read
 * from shared memory when the registry asks, by its thread; they are some tenths of a second old. The counters go on when another
 * process of the node carries its packets, and begin at 0 when the node is founded anew: then attach and bind again. A registry
 * does not keep the reader of the node alive, but these metrics do. All methods are for any thread.
 */
public final class LinkMetrics implements MeterBinder, AutoCloseable
{
    private final Iterable<Tag> tags;
    private final NodeStat node;
    private final BoundMetrics bound = new BoundMetrics();

    /**
     * Metrics of the links of a node.
     *
     * @param tags of all meters, beside {@code peer}; for instance {@code Tags.of("group", "prices")}.
     * @param node that has the links: {@link NodeStat#attach} reads its directory.
     */
    public LinkMetrics(final Iterable<Tag> tags, final NodeStat node)
    {
        this.tags = Tags.of(tags);
        this.node = node;
    }

    /**
     * Metrics of the links of a node, with no further tags.
     *
     * @param node that has the links.
     */
    public LinkMetrics(final NodeStat node)
    {
        this(Tags.empty(), node);
    }

    /** Binds nothing if there is one node only. */
    @Override
    public synchronized void bindTo(final MeterRegistry registry)
    {
        for (final LinkStat link : node.links())
        {
            final int peer = link.peer();
            final Tags of = Tags.of(tags).and("peer", Integer.toString(peer));
            link.forEach((name, unit, kind, value) -> bound.counter(registry, node, of, named(name),
                "The counter " + name + " of the link to another node.", unit, kind,
                (each) -> BoundMetrics.scaled(read(each, peer, name), unit)));
        }
    }

    private static String named(final String counter)
    {
        return "link" + counter.substring(0, 1).toUpperCase(Locale.ROOT) + counter.substring(1);
    }

    private static long read(final NodeStat node, final int peer, final String counter)
    {
        final long[] found = new long[1];
        for (final LinkStat link : node.links())
        {
            if (link.peer() == peer)
            {
                link.forEach((name, unit, kind, value) -> found[0] = name.equals(counter) ? value : found[0]);
            }
        }
        return found[0];
    }

    /** Takes all meters out of their registries. Idempotent. */
    @Override
    public synchronized void close()
    {
        bound.removeAll();
    }
}
