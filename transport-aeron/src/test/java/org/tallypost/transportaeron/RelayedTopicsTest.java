// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.SharedFile;
import org.tallypost.services.Publication;
import org.tallypost.services.PublicationContext;
import org.tallypost.services.ServicesCounters.Counter;
import org.tallypost.services.Subscription;
import org.tallypost.services.TopicEnd;
import org.tallypost.services.TopicListener;
import org.tallypost.services.Topics;
import org.tallypost.services.TopicsContext;

/** A topic goes once to another node: rank 0 publishes, ranks 1 to 4 of the other node subscribe. One thread drives all. */
@Tag("once")
class RelayedTopicsTest
{
    private static final int RANKS = 5;
    private static final int LOG = 1 << 13;
    private static final int CHANGES = Integer.getInteger("tallypost.relayChanges", 40);

    @TempDir
    private File directory;

    private NodesRig rig;
    private final Topics[] topics = new Topics[RANKS];
    private final List<Throwable> errors = new ArrayList<>();

    /** Messages have their number in all bytes, and come without gaps from the first one on. */
    private static final class Heard implements TopicListener
    {
        private Subscription subscription;
        private long next = -1;
        private long received;
        private TopicEnd end;

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length)
        {
            final long number = buffer.getLong(offset);
            assertEquals(next < 0 ? number : next, number);
            assertEquals(length(number), length);
            for (int i = Long.BYTES; i < length; i++)
            {
                assertEquals((byte)number, buffer.getByte(offset + i));
            }
            next = number + 1;
            received++;
        }

        @Override
        public void onLost(final long count)
        {
            throw new AssertionError("lost " + count);
        }

        @Override
        public void onEnd(final TopicEnd why)
        {
            end = why;
        }

        @Override
        public String toString()
        {
            return subscription + " next=" + next + " end=" + end;
        }
    }

    private static int length(final long number)
    {
        return Long.BYTES + (int)(number * number % 700);
    }

    @BeforeEach
    void launch()
    {
        rig = new NodesRig(directory, List.of(1, RANKS - 1)).launchAll();
        for (int rank = 0; rank < RANKS; rank++)
        {
            open(rank);
        }
    }

    private void open(final int rank)
    {
        topics[rank] = Topics.launch(new TopicsContext().node(rig.nodes.get(rig.topology.nodeOf(rank)))
            .endpoint(rig.endpoint(rank)).errorHandler(errors::add));
    }

    @AfterEach
    void close()
    {
        rig.close();
    }

    private void drive(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog =
            new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ", events=" + rig.events + ", errors=" + errors + rig.errors);
        while (!condition.getAsBoolean())
        {
            if (work() > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
    }

    private int work()
    {
        int work = 0;
        for (final Topics each : topics)
        {
            work += each == null ? 0 : each.doWork();
        }
        return work;
    }

    private Publication publish()
    {
        return publish(new PublicationContext());
    }

    private Publication publish(final PublicationContext context)
    {
        return topics[0].publish("prices", context.logLength(LOG));
    }

    static Stream<PublicationContext> rules()
    {
        return Stream.of(new PublicationContext(), new PublicationContext().waitLimit(Duration.ofHours(1)));
    }

    private Heard subscribe(final int rank)
    {
        final Heard heard = new Heard();
        heard.subscription = topics[rank].subscribe("prices", heard);
        return heard;
    }

    private static boolean offer(final Publication publication)
    {
        final long number = publication.published();
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[length(number)]);
        bytes.setMemory(0, bytes.capacity(), (byte)number);
        bytes.putLong(0, number);
        return publication.offer(bytes, 0, bytes.capacity()) >= 0;
    }

    private void send(final Publication publication, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            drive("room for message " + i + ", " + publication, () -> offer(publication));
        }
    }

    private void end(final Publication publication, final List<Heard> all)
    {
        publication.close();
        drive("ends of " + all + ", " + publication, () ->
            all.stream().allMatch((one) -> one.end == TopicEnd.CLOSED) && !topics[0].hasStored());
        for (final Heard one : all)
        {
            assertEquals(publication.published(), one.next);
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void shouldSendAMessageOnceToANode(final PublicationContext rule)
    {
        final Publication publication = publish(rule);
        final List<Heard> all = new ArrayList<>();
        for (int rank = 1; rank < RANKS; rank++)
        {
            all.add(subscribe(rank));
        }
        drive("subscribers", () -> publication.subscriberCount() == RANKS - 1);
        send(publication, 500);
        end(publication, all);
        all.forEach((one) -> assertEquals(500, one.received));
        assertEquals(500, topics[0].counters().get(Counter.FORWARDED));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldWaitForTheSlowestOfTheNodeAndNameIt()
    {
        final Publication publication = publish();
        final Heard first = subscribe(1);
        drive("the relay", () -> publication.subscriberCount() == 1);
        final List<Heard> all = List.of(first, subscribe(2), subscribe(3));
        drive("subscribers", () -> publication.subscriberCount() == 3 &&
            all.stream().allMatch((one) -> one.subscription.isActive()));
        send(publication, 1);
        drive("the first message", () -> all.stream().allMatch((one) -> one.received == 1));
        final Topics sleeping = topics[3];
        topics[3] = null;
        drive("the publisher waits for rank 3, " + publication, () ->
        {
            offer(publication);
            return publication.waitsFor() == 3;
        });
        assertTrue(all.get(2).received == 1 && all.get(0).received > 1, all::toString);
        topics[3] = sleeping;
        send(publication, 100);
        end(publication, all);
        assertEquals(List.of(), errors);
    }

    /** What a relay had not given to all comes by the next one. */
    @ParameterizedTest
    @MethodSource("rules")
    void shouldLoseNothingWhenRelaysLeaveAndDie(final PublicationContext rule)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("RelayedTopicsTest: -Dtallypost.seed=" + seed);
        final Random random = new Random(seed);
        final Publication publication = publish(rule);
        final Heard[] heard = new Heard[RANKS];
        for (int i = 0; i < CHANGES; i++)
        {
            final int rank = 1 + random.nextInt(RANKS - 1);
            if (heard[rank] == null)
            {
                heard[rank] = subscribe(rank);
                final Heard one = heard[rank];
                if (random.nextBoolean())
                {
                    drive("subscription " + one + ", " + publication, () -> one.subscription.isActive());
                }
            }
            else if (random.nextBoolean())
            {
                heard[rank].subscription.close();
                heard[rank] = null;
            }
            else
            {
                // it does not say that it leaves: all that others hear is that the rank is gone
                rig.endpoints[rank].close();
                topics[rank].close();
                rig.endpoints[rank] = rig.nodes.get(1).open(rank);
                open(rank);
                heard[rank] = null;
            }
            for (int sent = random.nextInt(60); sent > 0; sent--)
            {
                drive("room, seed=" + seed + ", " + publication, () -> offer(publication));
                for (int turns = random.nextInt(3); turns > 0; turns--)
                {
                    work();
                }
            }
        }
        final List<Heard> left = new ArrayList<>();
        for (int rank = 1; rank < RANKS; rank++)
        {
            heard[rank] = heard[rank] == null ? subscribe(rank) : heard[rank];
            left.add(heard[rank]);
        }
        drive("all subscribe, seed=" + seed + ", " + publication, () ->
            left.stream().allMatch((one) -> one.subscription.isActive()));
        send(publication, 1);
        end(publication, left);
        assertEquals(List.of(), errors, () -> "seed=" + seed);
    }

    /** A relay that does not answer is dropped itself, however few messages it has told about. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldDropTheOneThatIsWaitedForTooLong(final int stopped)
    {
        final Publication publication = publish(new PublicationContext().waitLimit(Duration.ofMillis(20)));
        final Heard slow = subscribe(stopped);
        drive("the first one", () -> slow.subscription.isActive() || stopped != 1);
        final List<Heard> others = new ArrayList<>(List.of(subscribe(2), subscribe(stopped == 1 ? 3 : 1)));
        drive("subscribers", () -> slow.subscription.isActive() &&
            others.stream().allMatch((one) -> one.subscription.isActive()));
        final Topics sleeping = topics[stopped];
        topics[stopped] = null;
        send(publication, 200);
        topics[stopped] = sleeping;
        drive("the slow one is dropped, " + slow, () -> slow.end == TopicEnd.DROPPED);
        publication.close();
        // on a busy machine another one may not have answered in time
        drive("the ends of " + others, () -> others.stream().allMatch((one) -> one.end == TopicEnd.DROPPED ||
            one.end == TopicEnd.CLOSED && one.next == 200));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldGiveEachItsOwnCopyWhereTheNodeHasNoRoomForALog()
    {
        final Publication publication = publish();
        try (SharedFile other = rig.nodes.get(1).createShared("topic-0-0-by-1", 1_024))
        {
            final List<Heard> all = new ArrayList<>(List.of(subscribe(1)));
            drive("the first", () -> publication.subscriberCount() == 1);
            all.add(subscribe(2));
            all.add(subscribe(3));
            drive("all", () -> publication.subscriberCount() == 3);
            send(publication, 200);
            end(publication, all);
            all.forEach((one) -> assertEquals(200, one.received, other::toString));
            assertEquals(1, errors.size(), errors::toString);
            assertTrue(errors.get(0).getMessage().contains("topic-0-0-by-1"), errors::toString);
        }
    }

    @Test
    void shouldFeedOneThatComesLateFromThenOn()
    {
        final Publication publication = publish();
        final Heard early = subscribe(4);
        drive("the early one", () -> publication.subscriberCount() == 1);
        send(publication, 50);
        final Heard late = subscribe(2);
        drive("the late one", () -> publication.subscriberCount() == 2);
        final long from = publication.published();
        send(publication, 50);
        end(publication, List.of(early, late));
        assertEquals(100, early.received);
        assertEquals(100 - from, late.received);
        assertEquals(Endpoint.CLOSED, publication.offer(new UnsafeBuffer(new byte[8]), 0, 8));
        assertEquals(List.of(), errors);
    }
}
