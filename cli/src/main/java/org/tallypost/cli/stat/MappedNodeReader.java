// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.tallypost.cli.console.PrintableText;
import org.tallypost.collectives.TeamStat;
import org.tallypost.endpoint.EndpointCounters;
import org.tallypost.node.NodeStat;

/**
 * Reads a node out of the files of its directory.
 */
public final class MappedNodeReader implements NodeReader
{
    private final NodeStat node;
    private final File directory;

    /**
     * Attaches to a node.
     *
     * @param directory of the node.
     */
    public MappedNodeReader(final File directory)
    {
        node = NodeStat.attach(directory);
        this.directory = directory;
    }

    /**
     * Whether the directory still has this node.
     *
     * @return false if it was deleted, or another one was founded there.
     */
    public boolean isCurrent()
    {
        return node.isCurrent();
    }

    /**
     * What all processes of the node agree on, in words.
     *
     * @return one line.
     */
    public String describe()
    {
        final String here = node.nodeCount() == 1 ? "" :
            " on " + node.nodeCount() + " nodes, " + node.localRankCount() + " of them on this node, " + node.node();
        return "group " + PrintableText.of(node.groupName()) + ": " + node.rankCount() + " ranks" + here +
            ", flow " + lower(node.flow()) + ", credit return " + lower(node.creditReturn()) + ", " +
            node.slotsPerSender() + " slots per sender";
    }

    private static String lower(final Enum<?> value)
    {
        return value.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public NodeSample read()
    {
        return new NodeSample(directory.getAbsolutePath(), node.groupName(), node.node(), node.nodeCount(),
            System.currentTimeMillis(), System.nanoTime(), node.read().stream().map(MappedNodeReader::sample).toList(),
            node.links());
    }

    /**
     * Members of teams that keep others waiting.
     *
     * @return those that have not come to an operation that others have begun.
     */
    public List<TeamStat.Late> late()
    {
        return TeamStat.read(node);
    }

    /**
     * All counters of the endpoints, also those that a sample does not have.
     *
     * @return in the order of their ranks.
     */
    public List<RankCounters> counters()
    {
        final List<RankCounters> all = new ArrayList<>();
        for (final NodeStat.EndpointStat stat : node.read())
        {
            final List<RankCounters.Counter> counters = new ArrayList<>();
            stat.counters().forEach((name, unit, kind, value) -> counters.add(new RankCounters.Counter(name, unit, kind, value)));
            all.add(new RankCounters(stat.rank(), stat.epoch(), lower(stat.state()), stat.backlogSlots(), counters));
        }
        return all;
    }

    private static EndpointSample sample(final NodeStat.EndpointStat stat)
    {
        final EndpointCounters counters = stat.counters();
        return new EndpointSample(
            stat.rank(),
            stat.epoch(),
            stat.isOpen(),
            lower(stat.state()),
            stat.pid(),
            counters.sent(),
            counters.received(),
            counters.bytesSent(),
            counters.bytesReceived(),
            counters.stalls(),
            counters.stallTimeNs(),
            counters.creditPackets(),
            counters.nudges(),
            counters.creditsStolen(),
            counters.creditsRevoked(),
            counters.requests(),
            counters.responses(),
            counters.refused(),
            counters.skippedSlots(),
            counters.repairedCredits(),
            counters.lanes(),
            counters.owningLanes(),
            counters.trailingLanes(),
            counters.arePollsWaiting(),
            stat.backlogSlots(),
            counters.highWaterSlots(),
            counters.mailboxBytes(),
            counters.polls(),
            counters.bulkOperations(),
            counters.bulkBytes(),
            counters.bulkRefused(),
            counters.bulkPending());
    }
}
