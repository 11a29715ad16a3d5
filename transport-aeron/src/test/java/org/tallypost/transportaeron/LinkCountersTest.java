// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.LinkStat;
import org.tallypost.node.NodeStat;
import org.tallypost.transportaeron.faults.NetworkFaults;

/** What is counted on links, read from outside as an operator reads it. */
@Timeout(1800)
@Tag("once")
class LinkCountersTest
{
    private static final int MESSAGES = 500;
    private static final int LENGTH = 400;
    private static final double LOSS = 0.1;
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);

    @TempDir
    private File directory;

    private NodeStat stat(final int node)
    {
        return NodeStat.attach(new File(directory, "node-" + node));
    }

    private static LinkStat only(final NodeStat stat, final int peer)
    {
        final List<LinkStat> links = stat.links();
        assertEquals(1, links.size());
        assertEquals(peer, links.get(0).peer());
        return links.get(0);
    }

    private static Map<String, Long> shown(final LinkStat link)
    {
        final Map<String, Long> shown = new LinkedHashMap<>();
        link.forEach((name, unit, kind, value) -> assertEquals(null, shown.put(name + " " + unit + " " + kind, value)));
        return shown;
    }

    @Test
    void shouldCountWhatGoesOverABadNetworkOnBothSides()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
            transport.faults(new NetworkFaults(seed + transport.node()).loss(LOSS))).launchAll())
        {
            final NodeStat sender = stat(0);
            final NodeStat receiver = stat(1);
            final int[] sent = new int[1];
            rig.pollUntil("messages, and that something is repaired, seed=" + seed, NOTHING, () ->
            {
                sent[0] += rig.endpoint(0).offer(1, 0, message, 0, LENGTH) >= 0 ? 1 : 0;
                return sent[0] >= MESSAGES && only(sender, 1).value(LinkCounter.REPAIRS_GIVEN) > 0 &&
                    only(receiver, 0).value(LinkCounter.REPAIRS_ASKED) > 0;
            });
            // an agent writes one counter after the other: in between some are of now, and the others of the time before
            rig.pollUntil("the counts of all messages, seed=" + seed, NOTHING, () ->
            {
                final LinkStat from = only(sender, 1);
                final LinkStat to = only(receiver, 0);
                return from.value(LinkCounter.MESSAGES_SENT) == sent[0] && to.value(LinkCounter.MESSAGES_RECEIVED) == sent[0] &&
                    from.value(LinkCounter.BYTES_SENT) > (long)sent[0] * LENGTH &&
                    to.value(LinkCounter.FRAMES_RECEIVED) >= sent[0] && to.value(LinkCounter.BATCHES_RECEIVED) > 0 &&
                    to.value(LinkCounter.BYTES_RECEIVED) > (long)sent[0] * LENGTH;
            });
            final LinkStat from = only(sender, 1);
            final LinkStat to = only(receiver, 0);
            assertEquals(LinkCounter.values().length, shown(from).size(), () -> shown(from).toString());
            assertEquals(1, from.value(LinkCounter.UP));
            assertEquals(1, to.value(LinkCounter.UPS));
            assertTrue(from.value(LinkCounter.UP_TIME) > 0, () -> shown(from).toString());
            assertTrue(from.value(LinkCounter.STATE_TIME) > 0, () -> shown(from).toString());
            assertEquals(0, from.value(LinkCounter.MESSAGES_RECEIVED));
            assertEquals(0, from.value(LinkCounter.BULK_BYTES_SENT));
            assertEquals(shown(from).keySet(), shown(to).keySet());
        }
    }

    @Test
    void shouldCountThatALinkComesUpAndHowLongItIsDown()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) -> transport.lingerNs(0)).launchAll())
        {
            final NodeStat watched = stat(0);
            Watchdog.await("a link", () ->
                only(watched, 1).value(LinkCounter.UP) == 1 && only(watched, 1).value(LinkCounter.UPS) == 1);
            rig.close(1);
            Watchdog.await("its end", () -> only(watched, 1).value(LinkCounter.UP) == 0);
            final long down = only(watched, 1).value(LinkCounter.DOWN_TIME);
            Watchdog.await("time without a link", () -> only(watched, 1).value(LinkCounter.DOWN_TIME) > down);
            assertEquals(1, only(watched, 1).value(LinkCounter.UPS));
        }
    }
}
