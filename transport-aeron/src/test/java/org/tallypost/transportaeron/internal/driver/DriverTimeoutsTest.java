// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Aeron;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.transport.RankMap;

/** Aeron takes nothing for gone before the liveness interval is over, nor an embedded driver or its client while they wait. */
class DriverTimeoutsTest
{
    private static final long BUSY_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private File directory;

    @ParameterizedTest
    @ValueSource(longs = {
        1_000_000L, 1_000_000_000L, 9_999_999_999L, 10_000_000_001L, 59_999_999_999L, 60_000_000_001L, 400_000_000_000L,
        86_400_000_000_000L})
    void shouldWaitForAtLeastTheLivenessInterval(final long intervalNs)
    {
        final MediaDriver.Context context = DriverTimeouts.set(new MediaDriver.Context(), intervalNs);
        final long leastNs = Math.max(BUSY_NS, intervalNs);
        assertTrue(context.clientLivenessTimeoutNs() >= leastNs, () -> "client=" + context.clientLivenessTimeoutNs());
        assertTrue(
            TimeUnit.MILLISECONDS.toNanos(context.driverTimeoutMs()) >= leastNs, () -> "driver=" + context.driverTimeoutMs());
        assertTrue(context.imageLivenessTimeoutNs() >= intervalNs, () -> "image=" + context.imageLivenessTimeoutNs());
        assertTrue(TimeUnit.MILLISECONDS.toNanos(DriverTimeouts.driverMs(false, intervalNs)) >= intervalNs);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000_000L, 60_000_000_001L, Long.MAX_VALUE})
    void shouldHaveTimesThatAeronTakes(final long intervalNs)
    {
        final MediaDriver.Context context = DriverTimeouts.set(new MediaDriver.Context(), intervalNs);
        assertDoesNotThrow(() -> Configuration.validateUnblockTimeout(
            context.publicationUnblockTimeoutNs(), context.clientLivenessTimeoutNs(), context.timerIntervalNs()));
        // Aeron adds them to the time
        assertTrue(context.publicationUnblockTimeoutNs() < Long.MAX_VALUE / 2);
        assertTrue(context.imageLivenessTimeoutNs() < Long.MAX_VALUE / 2);
    }

    @Test
    void shouldGiveTheClientAsLongAsTheDriver()
    {
        final List<Throwable> errors = new ArrayList<>();
        final AeronSettings settings = new AeronSettings(new RankMap(1, new int[]{0}), List.of("127.0.0.1:40123"), 0);
        try (AeronConnection connection = new AeronConnection(
            settings, new File(directory, "aeron"), 1_000_000_000L, errors::add))
        {
            final Aeron.Context client = connection.aeron().context();
            assertEquals(BUSY_NS, TimeUnit.MILLISECONDS.toNanos(client.driverTimeoutMs()));
            assertEquals(BUSY_NS, client.interServiceTimeoutNs(), "between two duty cycles of the client");
        }
        assertEquals(List.of(), errors);
    }
}
