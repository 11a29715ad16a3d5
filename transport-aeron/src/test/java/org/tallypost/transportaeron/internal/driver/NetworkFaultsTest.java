// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Aeron;
import io.aeron.ChannelUri;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.io.File;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.transportaeron.faults.NetworkFaults;

/** A bad network to order is as bad as ordered, and Aeron brings everything through it once and in order. */
class NetworkFaultsTest
{
    private static final int STREAM = 7;
    private static final int MESSAGES = 20_000;
    private static final int MESSAGE_LENGTH = 300;

    @TempDir
    private File directory;

    private long received;

    @Test
    void shouldDealOutFatesAsOrdered()
    {
        final NetworkFaults faults = new NetworkFaults(1).loss(0.01).duplicates(0.02).reordering(0.05).delay(0.1, 0);
        final SplittableRandom random = new SplittableRandom(faults.seed());
        final Map<NetworkFaults.Fate, Integer> fates = new EnumMap<>(NetworkFaults.Fate.class);
        for (int i = 0; i < 100_000; i++)
        {
            fates.merge(faults.fate(random.nextDouble()), 1, Integer::sum);
        }
        assertEquals(1000, fates.get(NetworkFaults.Fate.LOSE), 200);
        assertEquals(2000, fates.get(NetworkFaults.Fate.DUPLICATE), 300);
        assertEquals(5000, fates.get(NetworkFaults.Fate.REORDER), 500);
        assertEquals(10_000, fates.get(NetworkFaults.Fate.DELAY), 700);
        assertThrows(IllegalArgumentException.class, () -> faults.loss(1.01));
        assertThrows(IllegalArgumentException.class, () -> faults.duplicates(-0.1));
        assertThrows(IllegalArgumentException.class, () -> faults.reordering(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> faults.delay(0.1, -1));
    }

    @Test
    void shouldBringEverythingThroughABadNetwork()
    {
        final NetworkFaults faults = new NetworkFaults(Long.getLong("tallypost.seed", System.nanoTime()))
            .loss(0.02).duplicates(0.03).reordering(0.03).delay(0.01, 500_000);
        System.out.println("NetworkFaultsTest: -Dtallypost.seed=" + faults.seed());
        send(faults);
        System.out.println("NetworkFaultsTest: " + faults);
        assertTrue(faults.lost() > 0 && faults.duplicated() > 0 && faults.reordered() > 0 && faults.delayed() > 0 &&
            faults.passed() > 0, "faults that never took place: " + faults);
    }

    @Test
    void shouldLeaveAGoodNetworkAlone()
    {
        final NetworkFaults faults = new NetworkFaults(3);
        send(faults);
        assertTrue(faults.passed() > MESSAGES * MESSAGE_LENGTH / 65_536, faults.toString());
        assertEquals(0, faults.lost() + faults.duplicated() + faults.reordered() + faults.delayed() + faults.controlLost());
    }

    private void send(final NetworkFaults faults)
    {
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName(new File(directory, "aeron").getPath())
            .threadingMode(ThreadingMode.SHARED)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .publicationTermBufferLength(1 << 20);
        new SocketTurns().install(context, faults);
        try (MediaDriver driver = MediaDriver.launch(context);
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
            Subscription subscription = aeron.addSubscription("aeron:udp?endpoint=127.0.0.1:0", STREAM))
        {
            Watchdog.await("the port", () -> subscription.tryResolveChannelEndpointPort() != null);
            final ChannelUri channel = ChannelUri.parse(subscription.tryResolveChannelEndpointPort());
            try (Publication publication = aeron.addPublication(channel.toString(), STREAM))
            {
                Watchdog.await("the image", publication::isConnected);
                exchange(publication, subscription);
            }
        }
    }

    private void exchange(final Publication publication, final Subscription subscription)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        final FragmentHandler handler = (buffer, offset, length, header) ->
        {
            assertEquals(MESSAGE_LENGTH, length);
            assertEquals(received++, buffer.getLong(offset), "once and in order");
        };
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "message " + received);
        for (long sent = 0; received < MESSAGES; )
        {
            message.putLong(0, sent);
            final boolean isSent = sent < MESSAGES && publication.offer(message) >= 0;
            sent += isSent ? 1 : 0;
            final int polled = subscription.poll(handler, 10);
            if (isSent || polled > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
        assertEquals(MESSAGES, received);
    }
}
