// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.services.Publication;
import org.tallypost.services.PublicationContext;
import org.tallypost.services.RequestFailedException;
import org.tallypost.services.RequestFailure;
import org.tallypost.services.Services;
import org.tallypost.services.ServicesContext;
import org.tallypost.services.ServicesCounters.Counter;
import org.tallypost.services.TopicEnd;
import org.tallypost.services.TopicListener;
import org.tallypost.services.Topics;
import org.tallypost.services.TopicsContext;
import org.tallypost.services.WhenSlow;

/** Services and topics of two nodes with two ranks each, driven by the thread of the test. */
class ServicesOfNodesTest
{
    private static final int RANKS = 4;

    @TempDir
    private File directory;

    private NodesRig rig;
    private final Topics[] topics = new Topics[RANKS];
    private final Services[] services = new Services[RANKS];
    private final List<Throwable> errors = new ArrayList<>();

    /** Checks that all bytes of a message are those of its number. */
    private static final class Heard implements TopicListener
    {
        private long next;
        private long received;
        private long lost;
        private TopicEnd end;

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length)
        {
            assertEquals(length(next), length);
            for (int i = 0; i < length; i++)
            {
                assertEquals((byte)next, buffer.getByte(offset + i));
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

    private static int length(final long number)
    {
        return (int)(number * number % 3_000);
    }

    @BeforeEach
    void launch()
    {
        rig = new NodesRig(directory, 2, 2).launchAll();
        for (int rank = 0; rank < RANKS; rank++)
        {
            topics[rank] = Topics.launch(new TopicsContext().node(rig.nodes.get(rig.topology.nodeOf(rank)))
                .endpoint(rig.endpoint(rank)).errorHandler(errors::add));
            services[rank] = Services.launch(new ServicesContext().endpoint(rig.endpoint(rank)).rankCount(RANKS)
                .errorHandler(errors::add));
        }
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
            int work = 0;
            for (int rank = 0; rank < RANKS; rank++)
            {
                work += topics[rank] == null ? 0 : topics[rank].doWork();
                work += services[rank] == null ? 0 : services[rank].doWork();
            }
            if (work > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
    }

    private Publication publish(final WhenSlow whenSlow, final Heard... heard)
    {
        final Publication publication =
            topics[0].publish("prices", new PublicationContext().logLength(1 << 16).whenSlow(whenSlow));
        for (int rank = 1; rank <= heard.length; rank++)
        {
            topics[rank].subscribe("prices", heard[rank - 1]);
        }
        drive("subscribers", () -> publication.subscriberCount() == heard.length);
        return publication;
    }

    private void send(final Publication publication, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            final UnsafeBuffer bytes = new UnsafeBuffer(new byte[length(i)]);
            bytes.setMemory(0, bytes.capacity(), (byte)i);
            drive("room", () -> publication.offer(bytes, 0, bytes.capacity()) >= 0);
        }
    }

    @Test
    void shouldPublishToBothNodes()
    {
        final Heard[] heard = {new Heard(), new Heard(), new Heard()};
        final Publication publication = publish(WhenSlow.WAIT, heard);
        send(publication, 0, 500);
        publication.close();
        drive("ends", () -> List.of(heard).stream().allMatch((one) -> one.end == TopicEnd.CLOSED) && !topics[0].hasStored());
        for (final Heard one : heard)
        {
            assertEquals(500, one.received);
            assertEquals(0, one.lost);
        }
        // the other node gets each message once, whatever the number of its ranks
        assertEquals(500, topics[0].counters().get(Counter.FORWARDED));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldTellASubscriberOfAnotherNodeWhatItLost()
    {
        final Heard[] heard = {new Heard(), new Heard(), new Heard()};
        final Publication publication = publish(WhenSlow.TELL, heard);
        final Topics sleeping = topics[3];
        topics[3] = null;
        services[3].close();
        services[3] = null;
        send(publication, 0, 2_000);
        topics[3] = sleeping;
        publication.close();
        drive("ends", () -> List.of(heard).stream().allMatch((one) -> one.end == TopicEnd.CLOSED));
        assertEquals(2_000, heard[2].received + heard[2].lost);
        assertTrue(heard[2].lost > 0, "lost nothing");
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldDropASlowSubscriberOfAnotherNode()
    {
        final Heard[] heard = {new Heard(), new Heard(), new Heard()};
        final Publication publication = publish(WhenSlow.DROP, heard);
        final Topics sleeping = topics[3];
        topics[3] = null;
        services[3].close();
        services[3] = null;
        int sent = 0;
        while (publication.subscriberCount() == 3)
        {
            send(publication, sent, sent + 1);
            sent++;
            assertTrue(sent < 100_000, "it is never dropped");
            topics[0].doWork();
        }
        topics[3] = sleeping;
        drive("end", () -> heard[2].end == TopicEnd.DROPPED);
        assertEquals(heard[2].next, heard[2].received);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldEndWithTheNodeOfThePublisher()
    {
        final Heard[] heard = {new Heard(), new Heard(), new Heard()};
        send(publish(WhenSlow.WAIT, heard), 0, 10);
        drive("messages", () -> heard[1].received == 10 && heard[2].received == 10);
        services[1].serve("square", (request, buffer, offset, length) -> request.keep());
        final CompletableFuture<byte[]> answer = services[2].ask("square", new byte[1], Duration.ofHours(1));
        drive("request", () -> services[1].counters().get(Counter.SERVED) == 1);
        for (int rank = 0; rank < 2; rank++)
        {
            topics[rank] = null;
            services[rank] = null;
        }
        rig.close(0);
        drive("ends", () ->
            heard[1].end == TopicEnd.PUBLISHER_GONE && heard[2].end == TopicEnd.PUBLISHER_GONE && answer.isDone());
        final CompletionException ex = assertThrows(CompletionException.class, answer::join);
        assertEquals(RequestFailure.SERVER_GONE, ((RequestFailedException)ex.getCause()).failure());
    }

    /** Requests of more slots than a sender's share, from several ranks at once: none is refused for ever. */
    @Test
    void shouldAnswerAcrossNodes()
    {
        services[3].serve("echo", (request, buffer, offset, length) -> request.answer(buffer, offset, length));
        final List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            answers.add(services[i % 4].ask("echo", Integer.toString(i).repeat(i * 10).getBytes(StandardCharsets.US_ASCII),
                Duration.ofHours(1)));
        }
        drive("answers", () -> answers.stream().allMatch(CompletableFuture::isDone));
        for (int i = 0; i < 100; i++)
        {
            assertEquals(Integer.toString(i).repeat(i * 10), new String(answers.get(i).join(), StandardCharsets.US_ASCII));
        }
    }
}
