// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.File;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;
import org.tallypost.transportaeron.internal.wire.BatchDecoder;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;
import org.tallypost.transportaeron.internal.wire.WireFixture;

/** Two streams of Aeron from a node that says what the test wants, and a clock that is set by hand. */
@Timeout(600)
class IngressStreamTest
{
    private static final String CHANNEL = "aeron:ipc?term-length=64k";
    private static final int LOW_STREAM = 10;
    private static final int HIGH_STREAM = 11;
    private static final int LENGTH = BatchAssembler.MIN_BATCH_LENGTH;
    private static final int LIMIT = 8;
    private static final long INTERVAL_NS = 1_000_000_000L;
    private static final long START_NS = Long.MAX_VALUE - INTERVAL_NS / 2;

    @TempDir
    private File directory;

    private final Drops drops = new Drops();
    private final List<String> broken = new ArrayList<>();
    private final List<Integer> beats = new ArrayList<>();
    private final NodePort port = (NodePort)Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[]{NodePort.class},
        (proxy, method, arguments) -> method.getName().equals("settings") ? new NodeContext().slotsPerSender(64) : null);
    private final LinkPairs pairs = new LinkPairs(
        port, WireFixture.MAP, WireFixture.RECEIVING_NODE, WireFixture.SENDING_NODE, drops);
    private final IngressFrames frames = new IngressFrames(port, null, pairs, null, drops, beats::add);
    private final BatchDecoder lowDecoder = WireFixture.decoder(LENGTH, drops);
    private final BatchDecoder highDecoder = WireFixture.decoder(LENGTH, drops);
    private final IngressStream low = stream("the stream", lowDecoder);
    private final IngressStream high = stream("the high stream", highDecoder);
    private final Strangers strangers = new Strangers(port, WireFixture.SENDING_NODE, INTERVAL_NS, (session) -> null);
    private MediaDriver driver;
    private Aeron aeron;
    private ExclusivePublication lowPublication;
    private ExclusivePublication highPublication;
    private BatchAssembler lowAssembler;
    private BatchAssembler highAssembler;

    private IngressStream stream(final String name, final BatchDecoder decoder)
    {
        return new IngressStream(
            name, WireFixture.SENDING_NODE, INTERVAL_NS, decoder, frames, null, drops, broken::add);
    }

    @BeforeEach
    void connect()
    {
        driver = MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(new File(directory, "driver").getPath())
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnShutdown(true));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
        lowDecoder.joinHigh(highDecoder);
        low.subscribe(aeron, CHANNEL, LOW_STREAM, strangers);
        high.subscribe(aeron, CHANNEL, HIGH_STREAM, strangers);
        lowPublication = aeron.addExclusivePublication(CHANNEL, LOW_STREAM);
        highPublication = aeron.addExclusivePublication(CHANNEL, HIGH_STREAM);
        Watchdog.await("the streams", () -> low.image(lowPublication.sessionId()) != null &&
            high.image(highPublication.sessionId()) != null && isOpen(lowPublication) && isOpen(highPublication));
        lowAssembler = WireFixture.assembler(LENGTH, lowPublication::offer);
        highAssembler = WireFixture.assembler(LENGTH, highPublication::offer);
        low.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, 0, lowPublication.sessionId(), START_NS);
        high.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, 0, highPublication.sessionId(), START_NS);
    }

    @AfterEach
    void close()
    {
        low.unsubscribe();
        high.unsubscribe();
        aeron.close();
        driver.close();
    }

    /** Whether something can be sent: a driver says that somebody listens before it gives room. */
    private static boolean isOpen(final ExclusivePublication publication)
    {
        return publication.isConnected() && publication.availableWindow() > 0;
    }

    /** A batch with a frame that changes nothing but a list. */
    private static void send(final BatchAssembler assembler, final int flags)
    {
        assertTrue(assembler.appendControl(FrameDescriptor.TYPE_BEAT, flags, 0, 0, 0, 0, 0));
        assertEquals(1, assembler.flush());
    }

    private void receiveUntil(final IngressStream stream, final long nowNs, final BooleanSupplier condition)
    {
        Watchdog.await("a batch", () -> stream.receive(nowNs, LIMIT) >= 0 && condition.getAsBoolean());
    }

    @Test
    void shouldLeaveABatchWhereItIsUntilThatOfTheOtherStreamWasTaken()
    {
        assertTrue(high.isHere());
        highAssembler.follow(2);
        send(highAssembler, 1);
        send(lowAssembler, 2);
        receiveUntil(low, START_NS, () -> low.batchCount() == 1);
        for (int i = 0; i < 100; i++)
        {
            assertEquals(0, high.receive(START_NS, LIMIT));
        }
        assertEquals(List.of(2), beats);
        send(lowAssembler, 3);
        receiveUntil(low, START_NS, () -> low.batchCount() == 2);
        receiveUntil(high, START_NS, () -> high.batchCount() == 1);
        assertEquals(List.of(2, 3, 1), beats);
        assertEquals(List.of(), broken);
        assertEquals(0, drops.total());
    }

    @Test
    void shouldEndTheLinkIfWhatABatchComesBehindDoesNotCome()
    {
        highAssembler.follow(1L << 40);
        send(highAssembler, 1);
        // it waits from when it is seen first: until then nothing is late
        Watchdog.await("a batch that waits", () ->
        {
            high.receive(START_NS, LIMIT);
            high.checkAlive();
            high.receive(START_NS + INTERVAL_NS, LIMIT);
            high.checkAlive();
            return !broken.isEmpty();
        });
        assertEquals("a batch of the high stream of node 0 comes behind one that has not come for 875 ms", broken.get(0));
        assertEquals(List.of(), beats);
    }

    @Test
    void shouldCountNoTimeForWhichThisNodeStoodStill()
    {
        highAssembler.follow(1);
        send(highAssembler, 1);
        send(lowAssembler, 2);
        receiveUntil(low, START_NS, () -> low.batchCount() == 1);
        receiveUntil(high, START_NS, () -> high.batchCount() == 1);
        high.pause(INTERVAL_NS);
        high.receive(START_NS + INTERVAL_NS, LIMIT);
        high.checkAlive();
        assertEquals(List.of(), broken);
        high.receive(START_NS + 2 * INTERVAL_NS, LIMIT);
        high.checkAlive();
        assertEquals(List.of("nothing was heard of the high stream of node 0 for 875 ms"), broken);
    }

    @Test
    void shouldNotCallAStreamSilentThatHasNotBegun()
    {
        high.receive(START_NS + 10 * INTERVAL_NS, LIMIT);
        high.checkAlive();
        assertEquals(List.of(), broken);
    }

    @Test
    void shouldTellThatTheStreamHasEnded()
    {
        highPublication.close();
        Watchdog.await("the end", () ->
        {
            high.receive(START_NS, LIMIT);
            high.checkAlive();
            return !broken.isEmpty();
        });
        assertEquals("the high stream of node 0 has ended", broken.get(0));
    }

    @Test
    void shouldTakeNothingOfASessionThatWasNotProven()
    {
        high.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, 0, highPublication.sessionId() + 1, START_NS);
        send(highAssembler, 1);
        receiveUntil(high, START_NS, () -> drops.count(Drop.NOT_ADMITTED) == 1);
        assertEquals(List.of(), beats);
        assertEquals(0, high.batchCount());
    }

    @Test
    void shouldTakeNoStepOfAHandshakeByTheHighStream()
    {
        final UnsafeBuffer step = new UnsafeBuffer(new byte[200]);
        step.putByte(1, (byte)2);
        assertTrue(highPublication.offer(step) > 0);
        receiveUntil(high, START_NS, () -> drops.total() == 1);
        assertEquals(1, drops.count(Drop.VERSION));
        assertEquals(List.of(), beats);
    }
}
