// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.rsocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.rsocket.Closeable;
import io.rsocket.DuplexConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.Watchdog;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Connections begin, hold up their sender, and end, as the guide says. The test is the thread of both agents. */
class RsocketEndpointTest
{
    private static final int FRAME_LENGTH = 1000;

    @TempDir
    private Path directory;
    private ConnectionFixture fixture;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicReference<DuplexConnection> accepted = new AtomicReference<>();
    private final AtomicReference<DuplexConnection> connected = new AtomicReference<>();

    /** Takes what it has requested, and remembers how it ended. */
    private static final class Reader extends BaseSubscriber<ByteBuf>
    {
        private final List<byte[]> frames = new ArrayList<>();
        private final AtomicBoolean isComplete = new AtomicBoolean();
        private Throwable failure;

        @Override
        protected void hookOnSubscribe(final Subscription subscription)
        {
        }

        @Override
        protected void hookOnNext(final ByteBuf frame)
        {
            final byte[] bytes = new byte[frame.readableBytes()];
            frame.getBytes(frame.readerIndex(), bytes);
            frames.add(bytes);
        }

        @Override
        protected void hookOnComplete()
        {
            isComplete.set(true);
        }

        @Override
        protected void hookOnError(final Throwable thrown)
        {
            failure = thrown;
        }
    }

    @BeforeEach
    void open()
    {
        fixture = new ConnectionFixture(directory, ByteBufAllocator.DEFAULT).withoutThread();
    }

    @AfterEach
    void close()
    {
        fixture.client.onClose();
        fixture.server.onClose();
        fixture.close();
    }

    private void turn()
    {
        fixture.client.doWork();
        if (!fixture.to.isClosed())
        {
            fixture.server.doWork();
        }
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        Watchdog.await(what, () ->
        {
            for (int i = 0; i < 1_000 && !condition.getAsBoolean(); i++)
            {
                turn();
            }
            return condition.getAsBoolean();
        });
    }

    private Closeable serve()
    {
        return fixture.server.serverTransport().start((connection) ->
        {
            accepted.set(connection);
            return Mono.empty();
        }).block();
    }

    private void connect()
    {
        serve();
        fixture.client.clientTransport(1).connect().subscribe(connected::set, failure::set);
        await("a connection", () -> connected.get() != null && accepted.get() != null);
    }

    private static ByteBuf frame(final int length, final int value)
    {
        final byte[] bytes = new byte[length];
        java.util.Arrays.fill(bytes, (byte)value);
        return Unpooled.wrappedBuffer(bytes);
    }

    @Test
    void shouldCarryFramesOfAllLengthsInTheirOrder()
    {
        connect();
        final Reader reader = new Reader();
        accepted.get().receive().subscribe(reader);
        reader.request(Long.MAX_VALUE);
        final int[] lengths = { 6, Endpoint.MAX_RUN_LENGTH, Endpoint.MAX_RUN_LENGTH + 1, 100_000, 7, 16_777_215, 8 };
        for (int i = 0; i < lengths.length; i++)
        {
            connected.get().sendFrame(1, frame(lengths[i], i));
        }
        await("all frames", () -> reader.frames.size() == lengths.length);
        for (int i = 0; i < lengths.length; i++)
        {
            final byte[] bytes = reader.frames.get(i);
            assertEquals(lengths[i], bytes.length);
            assertEquals(i, bytes[0]);
            assertEquals(i, bytes[bytes.length - 1]);
        }
        assertEquals(new RankAddress(0), accepted.get().remoteAddress());
        assertEquals(new RankAddress(1), connected.get().remoteAddress());
    }

    @Test
    void shouldSendFramesOfStreamZeroFirst()
    {
        connect();
        final Reader reader = new Reader();
        accepted.get().receive().subscribe(reader);
        reader.request(Long.MAX_VALUE);
        final int count = 200;
        // more than there are credits for, so that the last ones wait
        for (int i = 0; i < count; i++)
        {
            connected.get().sendFrame(1, frame(FRAME_LENGTH, 1));
        }
        connected.get().sendFrame(0, frame(FRAME_LENGTH, 2));
        await("all frames", () -> reader.frames.size() == count + 1);
        assertEquals(1, reader.frames.get(count)[0], "the frame of stream 0 was the last one");
        assertEquals(1, reader.frames.stream().filter((frame) -> frame[0] == 2).count());
    }

    /** A stream may emit without an end in one call: what there are credits for goes meanwhile. */
    @Test
    void shouldSendWithinACallByTheThreadOfTheAgent()
    {
        connect();
        final ByteBuf first = frame(FRAME_LENGTH, 1);
        connected.get().sendFrame(1, first);
        assertEquals(0, first.refCnt(), "it was sent at once");
        final Reader reader = new Reader();
        accepted.get().receive().subscribe(reader);
        reader.request(Long.MAX_VALUE);
        final int count = 10_000;
        for (int i = 0; i < count; i++)
        {
            connected.get().sendFrame(1, frame(6, i));
            // the receiver's thread
            fixture.server.doWork();
        }
        assertTrue(reader.frames.size() > count / 2, () -> "received within the call: " + reader.frames.size());
        await("all frames", () -> reader.frames.size() == count + 1);
        for (int i = 0; i < count; i++)
        {
            assertEquals((byte)i, reader.frames.get(i + 1)[0]);
        }
    }

    /** Another sender that never rests has the credits that such a frame would need at once. */
    @Test
    void shouldSendAFrameOfMoreThanAShareBesideABusySender()
    {
        fixture.client.onClose();
        fixture.server.onClose();
        fixture.close();
        fixture = new ConnectionFixture(directory.resolve("small"), ByteBufAllocator.DEFAULT, 16).withoutThread();
        connect();
        final Reader reader = new Reader();
        accepted.get().receive().subscribe(reader);
        reader.request(Long.MAX_VALUE);
        final Endpoint busy = fixture.node.open(2);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
        Watchdog.await("room for the busy sender", () -> busy.offer(1, -1, message, 0, 8) >= 0);
        final int[] sent = new int[1];
        await("frames beside a busy sender", () ->
        {
            while (busy.offer(1, -1, message, 0, 8) >= 0)
            {
                // it has all that there is
                sent[0]++;
            }
            if (sent[0] > 1_000 && connected.get() != null && reader.frames.isEmpty())
            {
                connected.getAndSet(null).sendFrame(1, frame(Endpoint.MAX_RUN_LENGTH, 7));
            }
            return reader.frames.size() == 1;
        });
        assertEquals(Endpoint.MAX_RUN_LENGTH, reader.frames.get(0).length);
    }

    @Test
    void shouldHoldUpTheSenderByCredits()
    {
        connect();
        final Reader reader = new Reader();
        accepted.get().receive().subscribe(reader);
        final int count = 4_000;
        final ByteBuf[] frames = new ByteBuf[count];
        for (int i = 0; i < count; i++)
        {
            frames[i] = frame(FRAME_LENGTH, i);
            connected.get().sendFrame(1, frames[i]);
        }
        assertTrue(sendWithoutRequests(frames) < count, () -> "sent without a request: " + count);
        assertEquals(0, reader.frames.size());
        reader.request(1);
        await("the frame that was requested", () -> reader.frames.size() == 1);
        reader.request(count - 1);
        await("all frames", () -> reader.frames.size() == count);
        for (int i = 0; i < count; i++)
        {
            assertEquals((byte)i, reader.frames.get(i)[0]);
        }
    }

    /** A subscriber may never ask for what its connection has held up to its end. */
    @Test
    void shouldGoOnWhenAConnectionThatHoldsTooMuchIsOver()
    {
        connect();
        accepted.get().receive().subscribe(new Reader());
        final ByteBuf[] frames = new ByteBuf[4_000];
        for (int i = 0; i < frames.length; i++)
        {
            frames[i] = frame(FRAME_LENGTH, i);
            connected.get().sendFrame(1, frames[i]);
        }
        assertTrue(sendWithoutRequests(frames) < frames.length, "all frames were sent without a request");
        accepted.get().dispose();
        connected.set(null);
        fixture.client.clientTransport(1).connect().subscribe(connected::set, failure::set);
        await("another connection", () -> connected.get() != null);
        assertNull(failure.get());
    }

    /** A sent frame is released; when nothing moves any more the sender has no credits. */
    private long sendWithoutRequests(final ByteBuf[] frames)
    {
        long sent = -1;
        for (long now = sent(frames); now != sent; now = sent(frames))
        {
            sent = now;
            for (int i = 0; i < 100; i++)
            {
                turn();
            }
        }
        return sent;
    }

    private static long sent(final ByteBuf[] frames)
    {
        return java.util.Arrays.stream(frames).filter((frame) -> frame.refCnt() == 0).count();
    }

    @Test
    void shouldSendWhatIsQueuedBeforeItCloses()
    {
        connect();
        final Reader reader = new Reader();
        accepted.get().receive().subscribe(reader);
        reader.request(Long.MAX_VALUE);
        for (int i = 0; i < 1_000; i++)
        {
            connected.get().sendFrame(1, frame(FRAME_LENGTH, i));
        }
        connected.get().dispose();
        final ByteBuf late = frame(FRAME_LENGTH, 0);
        connected.get().sendFrame(1, late);
        assertEquals(0, late.refCnt());
        final AtomicBoolean isClosed = new AtomicBoolean();
        accepted.get().onClose().subscribe(null, failure::set, () -> isClosed.set(true));
        await("the end", () -> reader.isComplete.get() && isClosed.get());
        assertEquals(1_000, reader.frames.size());
        assertTrue(accepted.get().isDisposed());
        assertNull(failure.get());
    }

    @Test
    void shouldEndConnectionsOfARankThatIsGone()
    {
        connect();
        final Reader reader = new Reader();
        connected.get().receive().subscribe(reader);
        connected.get().onClose().subscribe(null, failure::set);
        fixture.to.close();
        await("the end", () -> failure.get() != null);
        assertInstanceOf(ConnectionLostException.class, failure.get());
        assertInstanceOf(ConnectionLostException.class, reader.failure);
        assertTrue(connected.get().isDisposed());
    }

    @Test
    void shouldRefuseConnectionsWithoutAServer()
    {
        fixture.client.clientTransport(1).connect().subscribe(connected::set, failure::set);
        await("a refusal", () -> failure.get() != null);
        assertInstanceOf(ConnectionLostException.class, failure.get());
        assertTrue(failure.get().getMessage().contains("accepts no connections"), failure.get()::getMessage);
    }

    @Test
    void shouldGiveUpAfterItsTime()
    {
        fixture.client.clientTransport(2, Duration.ofMillis(1)).connect().subscribe(connected::set, failure::set);
        await("the end of the time", () -> failure.get() != null);
        assertInstanceOf(java.util.concurrent.TimeoutException.class, failure.get());
        assertNull(connected.get());
    }

    @Test
    void shouldHaveOneServerAtATime()
    {
        final Closeable first = serve();
        assertThrows(IllegalStateException.class, this::serve);
        first.dispose();
        final AtomicBoolean isClosed = new AtomicBoolean();
        first.onClose().subscribe(null, failure::set, () -> isClosed.set(true));
        await("the end of the server", isClosed::get);
        serve();
    }

    @Test
    void shouldCloseConnectionsWithTheirServer()
    {
        final Closeable server = serve();
        fixture.client.clientTransport(1).connect().subscribe(connected::set, failure::set);
        await("a connection", () -> connected.get() != null && accepted.get() != null);
        server.dispose();
        await("the end of the connection", () -> connected.get().isDisposed());
        assertNull(failure.get());
    }

    @Test
    void shouldRefuseWhatNoConnectionExpects()
    {
        connect();
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
        // a frame of no connection, a number that there is not, a kind that there is not, and a second opening
        final int[] tags = { ConnectionTags.of(ConnectionTags.FRAME, 77, true), -1, ConnectionTags.of(7, 77, true),
            ConnectionTags.of(ConnectionTags.OPEN, 1, true) };
        for (final int tag : tags)
        {
            assertTrue(fixture.from.offer(1, tag, bytes, 0, 8) >= 0);
        }
        await("all refusals", () -> fixture.server.refusedCount() == tags.length);
        assertFalse(connected.get().isDisposed());
        // what is no frame of RSocket ends its connection
        assertTrue(fixture.from.offer(1, ConnectionTags.of(ConnectionTags.FRAME, 1, true), bytes, 0, 5) >= 0);
        await("the end of the connection", () -> accepted.get().isDisposed() && connected.get().isDisposed());
    }
}
