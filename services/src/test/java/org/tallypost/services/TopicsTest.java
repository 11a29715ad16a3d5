// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.LayoutDiagram;
import org.tallypost.node.Node;
import org.tallypost.node.SharedFile;
import org.tallypost.services.ServicesCounters.Counter;

/** Subscribers get what is published, in its order; a slow one is waited for, told, or dropped, as its topic says. */
class TopicsTest extends TopicsFixture
{
    private static final int LEAST = TopicLogDescriptor.LEAST_LENGTH;

    private Publication publish(final int rank, final String name, final WhenSlow whenSlow)
    {
        return ranks[rank].publish(name, new PublicationContext().logLength(LEAST).whenSlow(whenSlow));
    }

    private void publishAll(final Publication publication, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            final String text = "m" + i;
            drive("room for " + text, () -> offer(publication, text) >= 0);
        }
    }

    private static String messages(final int from, final int to)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++)
        {
            text.append(", m").append(i);
        }
        return text.toString();
    }

    @Test
    void shouldHoldDiagramAndOffsetsTogether() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(TopicLogDescriptor.class);
        int end = 0;
        int starts = 0;
        for (final LayoutDiagram.Row row : diagram.rows())
        {
            if (row.offset == 0 && end != 0)
            {
                assertEquals(TopicLogDescriptor.LINES_OFFSET, end);
                end = 0;
                starts++;
            }
            assertEquals(end, row.offset, row.toString());
            end += row.length;
        }
        assertEquals(1, starts);
        assertEquals(TopicLogDescriptor.LINE_LENGTH, end);
        assertEquals(TopicLogDescriptor.VERSION_OFFSET, diagram.row("layout version").offset);
        assertEquals(TopicLogDescriptor.PUBLICATION_OFFSET, diagram.row("number of the publication").offset);
        assertEquals(TopicLogDescriptor.LENGTH_OFFSET, diagram.row("length of the log").offset);
        assertEquals(TopicLogDescriptor.RANKS_OFFSET, diagram.row("ranks R").offset);
        assertEquals(TopicLogDescriptor.RULE_OFFSET, diagram.row("place of the rule").offset);
        assertEquals(TopicLogDescriptor.OVERRUN_OFFSET, diagram.row("1 if the publisher may").offset);
        assertEquals(TopicLogDescriptor.INTENT_OFFSET, diagram.row("intent").offset);
        assertEquals(TopicLogDescriptor.TAIL_OFFSET, diagram.row("tail").offset);
        assertEquals(TopicLogDescriptor.ASLEEP_OFFSET, diagram.row("1 if a subscriber").offset);
        assertEquals(TopicLogDescriptor.LINE_ASLEEP_OFFSET, diagram.row("1 if it is about").offset);
        assertEquals(TopicLogDescriptor.lineOffset(3), TopicLogDescriptor.logOffset(3));
    }

    @ParameterizedTest
    @EnumSource(WhenSlow.class)
    void shouldReachAllSubscribersInOrder(final WhenSlow whenSlow)
    {
        launch(4);
        final Publication publication = publish(1, "a", whenSlow);
        final Heard[] heard = new Heard[4];
        for (int rank = 0; rank < 4; rank++)
        {
            heard[rank] = subscribe(rank, "a");
        }
        assertEquals(4, publication.subscriberCount());
        for (int i = 0; i < 1_000; i++)
        {
            publishAll(publication, i, i + 1);
            drive("message", () -> List.of(heard).stream().allMatch((one) -> one.all.size() > publication.published()));
        }
        for (final Heard one : heard)
        {
            assertEquals("[begin 1" + messages(0, 1_000) + "]", one.toString());
        }
        publication.close();
        drive("end", () -> List.of(heard).stream().allMatch((one) -> one.last().equals("CLOSED")) && !ranks[1].hasStored());
        assertEquals(0, node.context().directory().listFiles((parent, name) -> name.startsWith("shared-")).length);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldWaitForTheSlowest()
    {
        launch(3);
        final Publication publication = publish(0, "a", WhenSlow.WAIT);
        final Heard quick = subscribe(1, "a");
        final Heard slow = subscribe(2, "a");
        final Topics sleeping = ranks[2];
        ranks[2] = null;
        int sent = 0;
        while (offer(publication, "m" + sent) >= 0)
        {
            sent++;
            work();
        }
        final int accepted = sent;
        assertEquals(2, publication.waitsFor());
        assertTrue(accepted >= LEAST / 2 / 32, "accepted=" + accepted);
        drive("the quick one", () -> quick.all.size() == accepted + 1);
        assertEquals(Endpoint.NO_CREDIT, offer(publication, "x"));
        ranks[2] = sleeping;
        publishAll(publication, accepted, accepted + 500);
        drive("all", () -> quick.all.size() == accepted + 501 && slow.all.size() == accepted + 501);
        assertEquals("[begin 0" + messages(0, accepted + 500) + "]", slow.toString());
        assertEquals(-1, publication.waitsFor());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldTellTheSlowWhatItLost()
    {
        launch(2);
        final Publication publication = publish(0, "a", WhenSlow.TELL);
        final Heard slow = subscribe(1, "a");
        final Topics sleeping = ranks[1];
        ranks[1] = null;
        publishAll(publication, 0, 10_000);
        ranks[1] = sleeping;
        drive("the last one", () -> slow.last().equals("m9999"));
        final int lost = Integer.parseInt(slow.all.get(1).substring("lost ".length()));
        assertEquals("[begin 0, lost " + lost + messages(lost, 10_000) + "]", slow.toString());
        assertEquals(lost, sleeping.counters().get(Counter.LOST));
        // half of a log is left to it
        assertTrue(10_000 - lost <= LEAST / 2 / 32, "lost=" + lost);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldDropTheSlow()
    {
        launch(2);
        final Publication publication = publish(0, "a", WhenSlow.DROP);
        final Heard slow = new Heard();
        final Subscription subscription = ranks[1].subscribe("a", slow);
        drive("publisher", subscription::isActive);
        final Topics sleeping = ranks[1];
        ranks[1] = null;
        publishAll(publication, 0, 1_000);
        ranks[1] = sleeping;
        drive("end", subscription::isOver);
        assertEquals("[begin 0, DROPPED]", slow.toString());
        drive("the publisher knows it", () -> publication.subscriberCount() == 0);
        final Heard again = subscribe(1, "a");
        publishAll(publication, 1_000, 1_001);
        drive("message", () -> again.last().equals("m1000"));
        assertEquals("[begin 0, m1000]", again.toString());
    }

    @Test
    void shouldDropOneThatReadsNothingForTooLong()
    {
        launch(3);
        final Publication publication = ranks[0].publish("a",
            new PublicationContext().logLength(LEAST).waitLimit(Duration.ofMillis(1)));
        final Heard quick = subscribe(1, "a");
        final Heard slow = subscribe(2, "a");
        final Topics sleeping = ranks[2];
        ranks[2] = null;
        publishAll(publication, 0, 1_000);
        drive("the quick one", () -> quick.last().equals("m999"));
        assertEquals(1, ranks[0].counters().get(Counter.DROPPED));
        ranks[2] = sleeping;
        drive("end", () -> slow.last().equals("DROPPED"));
        assertEquals("[begin 0" + messages(0, 1_000) + "]", quick.toString());
    }

    @Test
    void shouldFindAPublisherThatComesLaterAndAgain()
    {
        launch(2);
        final Heard heard = new Heard();
        final Subscription subscription = ranks[1].subscribe("a", heard);
        work();
        assertFalse(subscription.isActive());
        publishAll(begin(subscription), 0, 2);
        // what was published before it went is heard
        shut(0);
        drive("end", () -> heard.last().equals("PUBLISHER_GONE"));
        open(0);
        publishAll(begin(subscription), 2, 3);
        drive("message", () -> heard.last().equals("m2"));
        assertEquals("[begin 0, m0, m1, PUBLISHER_GONE, begin 0, m2]", heard.toString());
        ranks[0].close();
        relaunch(0);
        publishAll(begin(subscription), 3, 4);
        drive("message", () -> heard.last().equals("m3"));
        assertEquals("[begin 0, m0, m1, PUBLISHER_GONE, begin 0, m2, PUBLISHER_GONE, begin 0, m3]", heard.toString());
        assertEquals(List.of(), errors);
    }

    private Publication begin(final Subscription subscription)
    {
        final Publication publication = publish(0, "a", WhenSlow.WAIT);
        drive("publisher", () -> subscription.isActive() && publication.subscriberCount() == 1);
        return publication;
    }

    @Test
    void shouldNotWaitForOneThatIsGone()
    {
        launch(3);
        final Publication publication = publish(0, "a", WhenSlow.WAIT);
        subscribe(1, "a");
        final Heard heard = new Heard();
        final Subscription closed = ranks[2].subscribe("a", heard);
        drive("publisher", closed::isActive);
        closed.close();
        shut(1);
        publishAll(publication, 0, 1_000);
        drive("both are gone", () -> publication.subscriberCount() == 0);
        assertEquals("[begin 0]", heard.toString().replaceAll(", m[0-9]+", ""));
    }

    @Test
    void shouldWakeAThreadThatSleeps()
    {
        launch(2);
        final Publication publication = publish(0, "a", WhenSlow.WAIT);
        final Heard heard = subscribe(1, "a");
        for (int round = 0; round < 100; round++)
        {
            for (int i = 0; i < 20; i++)
            {
                ranks[1].doWork();
            }
            // a thread that parks now is woken by a message, which the endpoint counts
            final long polled = endpoints[1].counters().received();
            offer(publication, "m" + round);
            drive("wake-up", () -> endpoints[1].counters().received() > polled);
            final int count = round + 2;
            drive("message", () -> heard.all.size() == count);
        }
    }

    @Test
    void shouldTakeMessagesOfAnyLength()
    {
        launch(2);
        final Publication publication =
            ranks[0].publish("a", new PublicationContext().logLength(1 << 16).whenSlow(WhenSlow.WAIT));
        final int[] sum = new int[2];
        ranks[1].subscribe("a", (buffer, offset, length) ->
        {
            for (int i = 0; i < length; i++)
            {
                assertEquals((byte)(length + i), buffer.getByte(offset + i));
            }
            sum[0]++;
            sum[1] += length;
        });
        drive("subscriber", () -> publication.subscriberCount() == 1);
        final Random random = new Random(1);
        int total = 0;
        for (int i = 0; i < 300; i++)
        {
            final int length = i == 0 ? publication.maxMessageLength() : random.nextInt(1 << random.nextInt(15));
            final UnsafeBuffer bytes = new UnsafeBuffer(new byte[Math.min(length, publication.maxMessageLength()) + 3]);
            for (int k = 0; k < bytes.capacity() - 3; k++)
            {
                bytes.putByte(k + 3, (byte)(bytes.capacity() - 3 + k));
            }
            drive("room", () -> publication.offer(bytes, 3, bytes.capacity() - 3) >= 0);
            total += bytes.capacity() - 3;
        }
        final int expected = total;
        drive("all", () -> sum[0] == 300);
        assertEquals(expected, sum[1]);
        final UnsafeBuffer long1 = new UnsafeBuffer(new byte[publication.maxMessageLength() + 1]);
        final IllegalArgumentException ex =
            assertThrows(IllegalArgumentException.class, () -> publication.offer(long1, 0, long1.capacity()));
        assertTrue(ex.getMessage().contains("expected at most 16368"), ex.getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> publication.offer(long1, 1, long1.capacity()));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        launch(2);
        assertThrows(IllegalArgumentException.class, () -> publish(0, "a b", WhenSlow.WAIT));
        assertThrows(IllegalArgumentException.class, () -> ranks[0].publish("a", new PublicationContext().logLength(5_000)));
        assertThrows(IllegalArgumentException.class,
            () -> ranks[0].publish("a", new PublicationContext().waitLimit(Duration.ofNanos(-1))));
        publish(0, "a", WhenSlow.WAIT);
        assertThrows(IllegalStateException.class, () -> publish(0, "a", WhenSlow.WAIT));
        subscribe(1, "a");
        assertThrows(IllegalStateException.class, () -> ranks[1].subscribe("a", new Heard()));
        final String inUse = assertThrows(IllegalStateException.class, () -> Topics.launch(context(0))).getMessage();
        assertTrue(inUse.contains("TopicsContext.channel"), inUse);
        assertThrows(IllegalStateException.class, () -> publish(1, "a", WhenSlow.WAIT));
        for (int i = 1; i < MessageDescriptor.MAX_SERVICES; i++)
        {
            publish(0, "topic" + i, WhenSlow.WAIT);
        }
        final IllegalStateException ex =
            assertThrows(IllegalStateException.class, () -> publish(0, "one-more", WhenSlow.DROP));
        assertTrue(ex.getMessage().contains("64"), ex.getMessage());
        ranks[1].close();
        assertThrows(IllegalStateException.class, () -> ranks[1].subscribe("b", new Heard()));
        relaunch(1);
    }

    /** What listeners throw is reported; the next message comes. */
    @Test
    void shouldReportWhatListenersThrow()
    {
        launch(2);
        final Publication publication = publish(0, "a", WhenSlow.WAIT);
        final int[] count = new int[1];
        ranks[1].subscribe("a", (buffer, offset, length) ->
        {
            count[0]++;
            throw new IllegalStateException("listener");
        });
        drive("subscriber", () -> publication.subscriberCount() == 1);
        publishAll(publication, 0, 3);
        drive("messages", () -> count[0] == 3);
        assertEquals(3, errors.size());
    }

    /** A listener may close its subscription, and publish, and subscribe. */
    @Test
    void shouldBearCallsOfListeners()
    {
        launch(2);
        final Publication publication = publish(0, "a", WhenSlow.TELL);
        final Publication answer = publish(1, "b", WhenSlow.TELL);
        final Heard answers = subscribe(0, "b");
        final Subscription[] subscription = new Subscription[1];
        final Heard second = new Heard();
        subscription[0] = ranks[1].subscribe("a", (buffer, offset, length) ->
        {
            offer(answer, "heard");
            subscription[0].close();
            ranks[1].subscribe("c", second);
        });
        drive("subscriber", () -> publication.subscriberCount() == 1);
        publishAll(publication, 0, 5);
        drive("answer", () -> answers.last().equals("heard"));
        publish(0, "c", WhenSlow.WAIT);
        drive("second", () -> second.last().equals("begin 0"));
        assertEquals("[begin 1, heard]", answers.toString());
    }

    /** One that was ended meanwhile, also if another one has its number, and if there is no room to say so now. */
    @Test
    void shouldTellWhoSubscribesToWhatIsNotPublished()
    {
        launch(2);
        final Publication publication = publish(0, "a", WhenSlow.WAIT);
        ranks[1].close();
        ranks[1] = null;
        final List<Long> refused = new ArrayList<>();
        endpoints[1].channel(TopicsContext.DEFAULT_CHANNEL, (source, kind, buffer, offset, length) ->
        {
            if (kind == TopicMessages.ENDED)
            {
                refused.add(buffer.getLong(offset + TopicMessages.SUBSCRIPTION_OFFSET, LITTLE_ENDIAN));
            }
        });
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[TopicMessages.HEAD_LENGTH]);
        while (endpoints[0].offer(1, 0, bytes, 0, bytes.capacity()) >= 0)
        {
            ranks[0].doWork();
        }
        for (int number = 0; number < 2; number++)
        {
            bytes.putInt(TopicMessages.NUMBER_OFFSET, number, LITTLE_ENDIAN);
            bytes.putInt(TopicMessages.NAME_HASH_OFFSET, "former".hashCode(), LITTLE_ENDIAN);
            bytes.putLong(TopicMessages.SUBSCRIPTION_OFFSET, 7 + number, LITTLE_ENDIAN);
            assertTrue(
                endpoints[1].offer(0, Channel.tag(TopicsContext.DEFAULT_CHANNEL, TopicMessages.SUBSCRIBE), bytes, 0,
                    bytes.capacity()) >= 0);
        }
        drive("the subscriptions", () -> ranks[0].counters().get(Counter.STORED) == 2);
        drive("the refusals", () ->
        {
            endpoints[1].poll((source, tag, buffer, offset, length) -> {}, 10);
            return refused.size() == 2;
        });
        assertEquals(List.of(7L, 8L), refused);
        assertEquals(0, publication.subscriberCount());
        endpoints[1].close();
    }

    /** A message is delivered once, whatever its listener calls. */
    @Test
    void shouldRefuseListenersThatWork()
    {
        launch(2);
        final Publication publication = publish(0, "a", WhenSlow.WAIT);
        final int[] count = new int[1];
        ranks[1].subscribe("a", (buffer, offset, length) ->
        {
            count[0]++;
            ranks[1].doWork();
        });
        drive("subscriber", () -> publication.subscriberCount() == 1);
        publishAll(publication, 0, 3);
        drive("messages", () -> count[0] >= 3);
        assertEquals(3, count[0]);
        assertEquals(3, errors.size());
        assertTrue(errors.get(0).getMessage().contains("doWork"), errors.toString());
    }

    @Test
    void shouldRefuseForgedMessages()
    {
        launch(2);
        final Publication publication = publish(0, "a", WhenSlow.WAIT);
        final Heard heard = subscribe(1, "a");
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++)
        {
            final byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            if (bytes.length >= 4 && random.nextBoolean())
            {
                new UnsafeBuffer(bytes).putInt(0, random.nextInt(3), LITTLE_ENDIAN);
            }
            // kinds that end what others are told of a rank are left out: they are believed
            final int kind = random.nextBoolean() ? 16 + random.nextInt(10) : 40 + random.nextInt(200);
            final int source = random.nextInt(2);
            final int tag = Channel.tag(TopicsContext.DEFAULT_CHANNEL, kind);
            if (kind != TopicMessages.SUBSCRIBE)
            {
                drive("room", () ->
                    endpoints[source].offer(1 - source, tag, new UnsafeBuffer(bytes), 0, bytes.length) != Endpoint.NO_CREDIT);
            }
        }
        publishAll(publication, 0, 10);
        drive("messages, seed=" + seed, () -> heard.last().equals("m9"));
        assertEquals("[begin 0" + messages(0, 10) + "]", heard.toString(), "seed=" + seed);
        assertTrue(ranks[1].counters().get(Counter.REFUSED) > 0);
    }

    private static long numberOf(final Node node)
    {
        try (SharedFile file = node.attachShared("topic-0-0"))
        {
            return file.buffer().getLong(TopicLogDescriptor.PUBLICATION_OFFSET, LITTLE_ENDIAN);
        }
    }

    private void forge(final int kind, final Subscription subscription, final int word, final long third, final long publication)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[TopicMessages.SUBSCRIBED_LENGTH]);
        bytes.putInt(TopicMessages.LOG_LENGTH_OFFSET, word, LITTLE_ENDIAN);
        bytes.putLong(TopicMessages.SUBSCRIPTION_OFFSET, subscription.id(), LITTLE_ENDIAN);
        bytes.putLong(TopicMessages.POSITION_OFFSET, third, LITTLE_ENDIAN);
        bytes.putLong(TopicMessages.PUBLICATION_OFFSET, publication, LITTLE_ENDIAN);
        final int tag = Channel.tag(TopicsContext.DEFAULT_CHANNEL, kind);
        drive("room", () -> endpoints[0].offer(1, tag, bytes, 0, bytes.capacity()) != Endpoint.NO_CREDIT);
    }

    /** No record begins there. Others go on. */
    @Test
    void shouldRefuseAPlaceInTheLogThatCannotBe()
    {
        launch(2);
        final Publication publication = publish(0, "a", WhenSlow.WAIT);
        final Publication other = publish(0, "b", WhenSlow.WAIT);
        final Heard second = subscribe(1, "b");
        publishAll(publication, 0, LEAST / 32);
        final long number = numberOf(node);
        for (final long position : new long[] {LEAST - 1, LEAST - 4, 1, -16, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            final Heard heard = new Heard();
            final Subscription subscription = ranks[1].subscribe("a", heard);
            // asked, and its publisher has not seen that
            while (!subscription.toString().contains("ASKED"))
            {
                ranks[1].doWork();
            }
            final Topics publisher = ranks[0];
            ranks[0] = null;
            forge(TopicMessages.SUBSCRIBED, subscription, LEAST, position, number);
            drive("the end at " + position, () -> heard.last().equals("DAMAGED"));
            ranks[0] = publisher;
        }
        assertEquals(6, errors.size(), errors.toString());
        assertTrue(errors.get(0).getMessage().contains("position=" + (LEAST - 1)), errors.toString());
        publishAll(other, 0, 3);
        drive("messages", () -> second.last().equals("m2"));
    }

    /** As many messages as none, or fewer, are not lost. */
    @Test
    void shouldRefuseLossesThatCannotBe()
    {
        launch(2);
        final Publication publication = publish(0, "a", WhenSlow.TELL);
        final Heard heard = new Heard();
        final Subscription subscription = ranks[1].subscribe("a", heard);
        drive("publisher", subscription::isActive);
        for (final long count : new long[] {0, -1, Long.MIN_VALUE})
        {
            forge(TopicMessages.LOST, subscription, 0, count, 0);
        }
        publishAll(publication, 0, 1);
        drive("refusals", () -> ranks[1].counters().get(Counter.REFUSED) == 3 && heard.last().equals("m0"));
        assertEquals("[begin 0, m0]", heard.toString());
        assertEquals(0, ranks[1].counters().get(Counter.LOST));
    }

    /** A log is memory of another process: whatever it holds, nothing outside of it is read, and the others go on. */
    @Test
    void shouldEndAtADamagedLog()
    {
        launch(3);
        final Publication publication = publish(0, "a", WhenSlow.TELL);
        final Publication other = publish(0, "b", WhenSlow.TELL);
        final Heard second = subscribe(1, "b");
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        try (SharedFile file = node.attachShared("topic-0-0"))
        {
            final UnsafeBuffer memory = file.buffer();
            final int log = TopicLogDescriptor.logOffset(3);
            for (int round = 0; round < 200; round++)
            {
                final Heard first = new Heard();
                final Subscription subscription = ranks[1].subscribe("a", first);
                // a tail that was forged before may end it at once
                drive("publisher", () -> subscription.isActive() || subscription.isOver());
                publishAll(publication, 0, 3);
                for (int i = 0; i < 2_000; i++)
                {
                    memory.putInt(log + random.nextInt(LEAST / 4) * 4, random.nextInt() >> random.nextInt(32));
                }
                if (random.nextInt(4) == 0)
                {
                    memory.putLong(TopicLogDescriptor.TAIL_OFFSET, random.nextLong() >> random.nextInt(64));
                }
                for (int i = 0; i < 50; i++)
                {
                    ranks[1].doWork();
                }
                subscription.close();
            }
        }
        publishAll(other, 0, 5);
        drive("messages, seed=" + seed, () -> second.last().equals("m4"));
        assertEquals("[begin 0" + messages(0, 5) + "]", second.toString(), "seed=" + seed);
        assertTrue(errors.stream().allMatch((t) -> t.getMessage().contains("damaged")), errors.toString());
        assertTrue(errors.size() > 0, "no damage was found, seed=" + seed);
    }

    /** A position that a subscriber cannot have frees nothing of the log. */
    @Test
    void shouldNotBelievePositionsThatCannotBe()
    {
        launch(2);
        final Publication publication = publish(0, "a", WhenSlow.WAIT);
        final Heard heard = subscribe(1, "a");
        publishAll(publication, 0, 3);
        final Topics sleeping = ranks[1];
        ranks[1] = null;
        try (SharedFile file = node.attachShared("topic-0-0"))
        {
            for (final long position : new long[] {Long.MAX_VALUE, -1, 1 << 20, Long.MIN_VALUE})
            {
                file.buffer().putLongVolatile(TopicLogDescriptor.lineOffset(1), position);
                int sent = 0;
                while (offer(publication, "m") >= 0)
                {
                    sent++;
                    assertTrue(sent <= LEAST / 32, "found room that is not there, position=" + position);
                }
            }
        }
        ranks[1] = sleeping;
        drive("messages", () -> heard.last().equals("m") && publication.published() + 1 == heard.all.size());
    }

    @Test
    void shouldAllocateNothing()
    {
        launch(2);
        final Publication waiting = publish(0, "a", WhenSlow.WAIT);
        final Publication telling = publish(0, "b", WhenSlow.TELL);
        final long[] count = new long[1];
        final TopicListener listener = (buffer, offset, length) -> count[0]++;
        ranks[1].subscribe("a", listener);
        ranks[1].subscribe("b", listener);
        drive("subscribers", () -> waiting.subscriberCount() + telling.subscriberCount() == 2);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long id = Thread.currentThread().getId();
        long allocated = 1;
        for (int round = 0; round < 100 && allocated > 0; round++)
        {
            final long before = threads.getThreadAllocatedBytes(id);
            for (int i = 0; i < 10_000; i++)
            {
                waiting.offer(message, 0, 100);
                telling.offer(message, 0, 100);
                ranks[0].doWork();
                ranks[1].doWork();
            }
            allocated = threads.getThreadAllocatedBytes(id) - before;
        }
        assertEquals(0, allocated);
        assertTrue(count[0] > 0);
    }
}
