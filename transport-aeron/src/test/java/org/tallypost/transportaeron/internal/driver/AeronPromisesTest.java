// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Aeron;
import io.aeron.ChannelUri;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.File;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;

/** What the transport relies on, tried on Aeron itself. */
class AeronPromisesTest
{
    private static final int STREAM = 9;
    private static final int RECEIVER_WINDOW = 128 * 1024;

    @TempDir
    private File directory;

    private MediaDriver driver;
    private Aeron aeron;

    @BeforeEach
    void launch()
    {
        driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(new File(directory, "aeron").getPath())
            .threadingMode(ThreadingMode.SHARED)
            .initialWindowLength(RECEIVER_WINDOW)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
        aeron = connect();
    }

    @AfterEach
    void close()
    {
        aeron.close();
        driver.close();
    }

    private Aeron connect()
    {
        return Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
    }

    private static String channel(final Subscription subscription)
    {
        Watchdog.await("the port", () -> subscription.tryResolveChannelEndpointPort() != null);
        return ChannelUri.parse(subscription.tryResolveChannelEndpointPort()).toString();
    }

    /**
     * All that credits allow is taken before anything is read, in batches of one slot, which is the worst case; although
     * it is many times the receiver's window.
     */
    @Test
    void shouldTakeWhatCreditsAllowWhileNobodyReads()
    {
        final long slots = WindowSizing.creditBound(Flow.DYNAMIC, 64, 2, 32, 16, 16);
        final long bound = WindowSizing.windowBound(slots, 16, 16);
        final int termLength = WindowSizing.termLength(0, bound, 0, 1);
        assertTrue(bound > 16 * RECEIVER_WINDOW, "bound=" + bound);
        try (Subscription subscription = aeron.addSubscription("aeron:udp?endpoint=127.0.0.1:0", STREAM);
            Publication publication = aeron.addPublication(channel(subscription) + "|term-length=" + termLength, STREAM))
        {
            Watchdog.await("the image", publication::isConnected);
            final BatchAssembler assembler = new BatchAssembler(0, 1, 0, BatchAssembler.MIN_BATCH_LENGTH,
                (buffer, offset, length) -> publication.offer(buffer, offset, length));
            final UnsafeBuffer message = new UnsafeBuffer(new byte[48]);
            for (long slot = 0; slot < slots; slot++)
            {
                assembler.append(FrameDescriptor.TYPE_DATA, 3, 0, 4, (int)slot, 0, 0, message, 0, message.capacity());
                assertEquals(1, assembler.flush(), "slot " + slot + " of " + slots + ", at " + publication.position());
            }
            final long[] batches = new long[1];
            Watchdog.await("all batches", () ->
            {
                subscription.poll((buffer, offset, length, header) ->
                    assertEquals(batches[0]++, BatchDescriptor.sequence(buffer, offset)), 256);
                return batches[0] == slots;
            });
        }
    }

    /** Were the processes of a node to publish themselves, they would share one session, and one gap left by a dead one. */
    @Test
    void shouldShareOneSessionAmongAllClientsOfADriver()
    {
        try (Aeron other = connect();
            Subscription subscription = aeron.addSubscription("aeron:udp?endpoint=127.0.0.1:0", STREAM))
        {
            final String channel = channel(subscription);
            try (Publication mine = aeron.addPublication(channel, STREAM);
                Publication others = other.addPublication(channel, STREAM))
            {
                assertEquals(mine.sessionId(), others.sessionId());
                Watchdog.await("the image", () -> mine.isConnected() && others.isConnected() && subscription.imageCount() > 0);
                assertEquals(1, subscription.imageCount());
            }
        }
    }
}
