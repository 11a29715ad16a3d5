// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.node.Node;

/** Topics of the ranks of one node, driven by the thread of the test. */
class TopicsFixture extends RanksFixture
{
    Topics[] ranks;

    /** Writes down what a subscriber hears. */
    static class Heard implements TopicListener
    {
        final List<String> all = new ArrayList<>();

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length)
        {
            all.add(buffer.getStringWithoutLengthAscii(offset, length));
        }

        @Override
        public void onBegin(final int rank)
        {
            all.add("begin " + rank);
        }

        @Override
        public void onLost(final long count)
        {
            all.add("lost " + count);
        }

        @Override
        public void onEnd(final TopicEnd end)
        {
            all.add(end.toString());
        }

        String last()
        {
            return all.isEmpty() ? "" : all.get(all.size() - 1);
        }

        @Override
        public String toString()
        {
            return all.toString();
        }
    }

    void launch(final int count)
    {
        node = Node.launch(nodeContext(directory, count, 64));
        endpoints = new Endpoint[count];
        ranks = new Topics[count];
        for (int rank = 0; rank < count; rank++)
        {
            open(rank);
        }
    }

    void open(final int rank)
    {
        endpoints[rank] = node.open(rank);
        relaunch(rank);
    }

    void relaunch(final int rank)
    {
        ranks[rank] = Topics.launch(context(rank));
    }

    TopicsContext context(final int rank)
    {
        return new TopicsContext().node(node).endpoint(endpoints[rank]).errorHandler(errors::add);
    }

    @Override
    Agent[] agents()
    {
        return ranks;
    }

    @Override
    void shut(final int rank)
    {
        ranks[rank].close();
        endpoints[rank].close();
        ranks[rank] = null;
    }

    /** Subscribes, and drives until messages come. */
    Heard subscribe(final int rank, final String name)
    {
        final Heard heard = new Heard();
        final Subscription subscription = ranks[rank].subscribe(name, heard);
        drive("publisher of " + name, subscription::isActive);
        return heard;
    }

    static long offer(final Publication publication, final String text)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[text.length()]);
        bytes.putStringWithoutLengthAscii(0, text);
        return publication.offer(bytes, 0, bytes.capacity());
    }
}
