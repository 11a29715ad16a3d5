// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/** Publisher and subscribers run at the same time, on threads and in processes of their own. */
@Tag("once")
class TopicsRaceTest extends TopicsFixture
{
    private static final int MESSAGES = Integer.getInteger("tallypost.topicMessages", 20_000);
    private static final int MOST_WORDS = 100;

    /** Each word of a message is its number: one that is torn is seen. */
    private static final class Checked implements TopicListener
    {
        private final Queue<String> faults;
        private long next;
        private long lost;
        private long received;
        private TopicEnd end;

        Checked(final Queue<String> faults)
        {
            this.faults = faults;
        }

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length)
        {
            for (int i = 0; i < length; i += Long.BYTES)
            {
                if (buffer.getLong(offset + i, LITTLE_ENDIAN) != next)
                {
                    faults.add("found=" + buffer.getLong(offset + i, LITTLE_ENDIAN) + " at " + i + " of " + length +
                        ", expected=" + next);
                }
            }
            next++;
            received++;
        }

        @Override
        public void onLost(final long count)
        {
            lost += count;
            next += count;
        }

        @Override
        public void onEnd(final TopicEnd why)
        {
            end = why;
        }
    }

    @ParameterizedTest
    @EnumSource(WhenSlow.class)
    void shouldDeliverWholeMessages(final WhenSlow whenSlow) throws InterruptedException
    {
        launch(3);
        final Publication publication = ranks[0].publish("a",
            new PublicationContext().logLength(TopicLogDescriptor.LEAST_LENGTH).whenSlow(whenSlow));
        final Queue<String> faults = new ConcurrentLinkedQueue<>();
        final Checked[] checked = {null, new Checked(faults), new Checked(faults)};
        final Subscription[] subscriptions =
            {null, ranks[1].subscribe("a", checked[1]), ranks[2].subscribe("a", checked[2])};
        drive("subscribers", () -> publication.subscriberCount() == 2);
        final Thread[] threads = new Thread[3];
        for (int rank = 1; rank < 3; rank++)
        {
            final int one = rank;
            threads[rank] = new Thread(() -> read(one, checked[one], subscriptions[one]));
            endpoints[rank].releasePoller();
            threads[rank].start();
        }
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MOST_WORDS * Long.BYTES]);
        for (int i = 0; i < MESSAGES; i++)
        {
            final int length = (1 + i % MOST_WORDS) * Long.BYTES;
            for (int word = 0; word < length; word += Long.BYTES)
            {
                message.putLong(word, i, LITTLE_ENDIAN);
            }
            awaitWork("room", () -> publication.offer(message, 0, length) >= 0);
            if (i % 64 == 0)
            {
                ranks[0].doWork();
            }
        }
        publication.close();
        awaitWork("ends", () -> !ranks[0].hasStored());
        for (int rank = 1; rank < 3; rank++)
        {
            threads[rank].join();
            assertEquals("[]", faults.toString());
            assertTrue(checked[rank].end == TopicEnd.CLOSED || whenSlow == WhenSlow.DROP, checked[rank].end + "");
            if (checked[rank].end == TopicEnd.CLOSED)
            {
                // what lies behind the last message that was delivered cannot be known as lost
                assertTrue(checked[rank].next <= MESSAGES);
                assertTrue(whenSlow == WhenSlow.TELL || checked[rank].received == MESSAGES, "received=" + checked[rank].received);
                assertEquals(checked[rank].next, checked[rank].received + checked[rank].lost);
            }
        }
        assertEquals("[]", errors.toString());
    }

    private void read(final int rank, final Checked checked, final Subscription subscription)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "end of " + subscription);
        while (checked.end == null)
        {
            if (ranks[rank].doWork() > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
        // the publisher waits until it is told that this rank needs the log no more
        ranks[rank].doWork();
        endpoints[rank].releasePoller();
    }

    private void awaitWork(final String what, final java.util.function.BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ": " + ranks[0] + ", errors=" + errors);
        while (!condition.getAsBoolean())
        {
            if (ranks[0].doWork() > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
    }

    @Test
    void shouldReadWhatAKilledPublisherHasWritten()
    {
        launch(3);
        shut(1);
        final Heard heard = new Heard();
        ranks[0].subscribe("a", heard);
        try (ForkedJvm child = ForkedJvm.start(TopicsProcess.class, directory, 1))
        {
            child.writeLine("publish 0");
            drive("publisher", () -> heard.last().equals("begin 1"));
            child.writeLine("send 100");
            assertEquals("sent", child.readLine());
            child.kill();
            drive("end", () -> heard.last().equals("PUBLISHER_GONE"));
        }
        assertEquals(102, heard.all.size(), heard.toString());
        assertEquals("99", heard.all.get(100));
        assertEquals("[]", errors.toString());
    }

    @Test
    void shouldNotWaitForAKilledSubscriber()
    {
        launch(3);
        shut(1);
        final Publication publication = ranks[0].publish("a",
            new PublicationContext().logLength(TopicLogDescriptor.LEAST_LENGTH).whenSlow(WhenSlow.WAIT));
        final Heard heard = subscribe(2, "a");
        try (ForkedJvm child = ForkedJvm.start(TopicsProcess.class, directory, 1))
        {
            child.writeLine("subscribe");
            drive("subscriber", () -> publication.subscriberCount() == 2);
            child.kill();
            for (int i = 0; i < 1_000; i++)
            {
                drive("room beside a killed subscriber", () -> offer(publication, "x") >= 0);
            }
        }
        drive("messages", () -> heard.all.size() == 1_001);
        assertEquals(1, publication.subscriberCount());
    }
}
