// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.hello;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;

/** Why a launch does not come together: a line for each node, and for each error. */
class LinkNewsTest
{
    private final LinkNews news = new LinkNews(Topology.blocks(List.of(new NodeAddress("a", 1), new NodeAddress("b", 2),
        new NodeAddress("c", 3), new NodeAddress("d", 4)), new int[]{1, 1, 1, 1}), 0);

    private void event(final TransportEvent.Kind kind, final int node, final String text)
    {
        news.onEvent(new TransportEvent(kind, node, -1, -1, 0, 0, text));
    }

    @Test
    void shouldSayForEachNodeWithoutALinkWhatWasHeardLast()
    {
        event(TransportEvent.Kind.REFUSED, 1, "first");
        event(TransportEvent.Kind.REFUSED, 1, "slots: found=16, expected=32");
        event(TransportEvent.Kind.STRANGER, 2, "a node that does not know the secret");
        final List<String> lines = news.lines();
        assertEquals(3, lines.size(), lines::toString);
        assertEquals("node 1 at b:2: slots: found=16, expected=32", lines.get(0));
        assertEquals("node 2 at c:3: a node that does not know the secret; does it have the same secret and the same list " +
            "of nodes?", lines.get(1));
        assertEquals("node 3 at d:4: it has not proved itself: does it run, with the same secret and the same list of nodes, " +
            "and does the network let UDP through?", lines.get(2));
        event(TransportEvent.Kind.LINK_UP, 1, "linked");
        assertEquals(2, news.lines().size());
    }

    @Test
    void shouldSayEachErrorOnceInOneLine()
    {
        for (int i = 0; i < 100; i++)
        {
            news.onError(new IllegalStateException("node 1 cannot be reached\n\tat some.Place"));
            news.onError(new IllegalStateException("another " + i));
        }
        news.onError(new StackOverflowError());
        final List<String> lines = news.lines();
        assertEquals("node 1 cannot be reached", lines.get(3));
        assertEquals(3 + 8, lines.size(), "no more than fit on a screen");
        assertEquals(StackOverflowError.class.getName(), LinkNews.firstLine(new StackOverflowError()));
    }
}
