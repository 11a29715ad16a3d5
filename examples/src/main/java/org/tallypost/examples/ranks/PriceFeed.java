// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.ranks;

import java.io.File;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;
import org.tallypost.services.Publication;
import org.tallypost.services.PublicationContext;
import org.tallypost.services.Subscription;
import org.tallypost.services.TopicEnd;
import org.tallypost.services.TopicListener;
import org.tallypost.services.Topics;
import org.tallypost.services.TopicsContext;
import org.tallypost.services.WhenSlow;

/**
 * A price feed: rank 0 publishes prices, ranks 1 and 2 hear all of them. The publisher waits for no subscriber: a slow one would
 * lose prices, and be told how many. Arguments: DIRECTORY RANK.
 */
public final class PriceFeed
{
    private static final int RANKS = 3;
    private static final int PRICES = 999;
    private static final String[] METALS = { "copper", "tin", "zinc" };

    // a price: the metal's place in the list, and cents
    private static final int METAL_OFFSET = 0;
    private static final int CENTS_OFFSET = METAL_OFFSET + Integer.BYTES;
    private static final int LENGTH = CENTS_OFFSET + Long.BYTES;

    private final Topics topics;
    private final Loop loop;

    private PriceFeed(final Endpoint endpoint, final Topics topics)
    {
        this.topics = topics;
        loop = new Loop(endpoint, topics::doWork);
    }

    /**
     * Runs as one rank.
     *
     * @param arguments directory of the node, and rank.
     */
    public static void main(final String[] arguments)
    {
        final int rank = Integer.parseInt(arguments[1]);
        final NodeContext context = new NodeContext()
            .directory(new File(arguments[0])).groupName("price feed").rankCount(RANKS).deleteOnClose(true);
        try (Node node = Node.launch(context);
            Endpoint endpoint = node.open(rank);
            Topics topics = Topics.launch(new TopicsContext().node(node).endpoint(endpoint)))
        {
            final PriceFeed feed = new PriceFeed(endpoint, topics);
            if (rank == 0)
            {
                feed.publish();
            }
            else
            {
                feed.hear();
            }
            // what the other side still needs from this one
            feed.loop.until("credits for the last messages", () -> !topics.hasStored());
        }
    }

    private void publish()
    {
        final Publication prices = topics.publish("metals", new PublicationContext().whenSlow(WhenSlow.TELL));
        // there is no history: a later subscriber misses what was published before
        loop.until("subscribers", () -> prices.subscriberCount() == RANKS - 1);
        final UnsafeBuffer price = new UnsafeBuffer(new byte[LENGTH]);
        for (int i = 0; i < PRICES; i++)
        {
            price.putInt(METAL_OFFSET, i % METALS.length);
            price.putLong(CENTS_OFFSET, 80_000 + i);
            loop.until("room in the log", () -> Loop.isSent(prices.offer(price, 0, LENGTH)));
        }
        prices.close();
        System.out.println("published " + prices.published() + " prices");
    }

    private void hear()
    {
        final Table table = new Table();
        try (Subscription subscription = topics.subscribe("metals", table))
        {
            loop.until("the end of " + subscription.name(), () -> table.end != null);
        }
        System.out.println("heard " + table.heard + " prices, lost " + table.lost + ", " + table.end);
        for (int metal = 0; metal < METALS.length; metal++)
        {
            System.out.println(METALS[metal] + " " + table.cents[metal]);
        }
    }

    /** The last price of each metal. */
    private static final class Table implements TopicListener
    {
        private final long[] cents = new long[METALS.length];
        private long heard;
        private long lost;
        private TopicEnd end;

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length)
        {
            cents[buffer.getInt(offset + METAL_OFFSET)] = buffer.getLong(offset + CENTS_OFFSET);
            heard++;
        }

        @Override
        public void onLost(final long count)
        {
            lost += count;
        }

        @Override
        public void onEnd(final TopicEnd why)
        {
            end = why;
        }
    }
}
