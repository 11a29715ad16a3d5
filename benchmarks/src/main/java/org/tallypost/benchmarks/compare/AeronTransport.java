// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.util.concurrent.TimeUnit;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.BitUtil;
import org.agrona.concurrent.BackoffIdleStrategy;

/**
 * Aeron over shared memory. The terms are as long as the others' buffers, but never shorter than Aeron allows; the MTU holds
 * messages of up to 8,160 bytes; longer ones are fragmented.
 */
final class AeronTransport implements Transport
{
    private static final int MIN_TERM_LENGTH = 64 * 1024;
    private static final int MAX_TERM_LENGTH = 1 << 30;
    private static final int MTU_LENGTH = 8192;
    static final int MAX_FRAME_LENGTH = MTU_LENGTH - DataHeaderFlyweight.HEADER_LENGTH;
    private static final int FIRST_STREAM = 1001;
    /** Clients and driver are silent between turns, and that means nothing. */
    private static final long LIVENESS_NS = TimeUnit.HOURS.toNanos(10);

    private final LinkSpec spec;
    private final int termLength;
    private final MediaDriver driver;
    private final DriverTurns turns;
    private final Aeron aeron;

    AeronTransport(final LinkSpec spec, final File directory, final boolean isFirst)
    {
        this.spec = spec;
        // a message is no longer than an eighth of a term
        final long wanted = spec.mode().isBulk() ? BitUtil.findNextPositivePowerOfTwo(8 * spec.length()) : spec.slots() * 64L;
        termLength = (int)Math.min(MAX_TERM_LENGTH, Math.max(MIN_TERM_LENGTH, wanted));
        final boolean isInvoked = spec.isDriverInvoked(Runtime.getRuntime().availableProcessors());
        driver = isFirst && spec.aeronDriver() == AeronDriver.EMBEDDED ?
            launchDriver(directory, isInvoked ? ThreadingMode.INVOKER : ThreadingMode.SHARED) : null;
        turns = driver != null && isInvoked ? new DriverTurns(driver.sharedAgentInvoker()) : null;
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(driverDirectory(directory))
            .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(LIVENESS_NS)));
    }

    /** Starts a media driver in this process, on a thread of its own unless it is to be invoked. */
    static MediaDriver launchDriver(final File directory, final ThreadingMode threading)
    {
        return MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(driverDirectory(directory))
            .threadingMode(threading)
            .sharedIdleStrategy(new DriverRest(new BackoffIdleStrategy(1, 1, 1_000, 100_000)))
            .asyncExecutorEnabled(false)
            .clientLivenessTimeoutNs(LIVENESS_NS)
            .publicationUnblockTimeoutNs(2 * LIVENESS_NS)
            .termBufferSparseFile(false)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
    }

    private static String driverDirectory(final File directory)
    {
        return new File(directory, "aeron").getPath();
    }

    @Override
    public Link open(final int party)
    {
        final String channel = "aeron:ipc?mtu=" + MTU_LENGTH + "|term-length=" + termLength;
        final boolean isRtt = spec.mode().isRoundTrip();
        final Subscription subscription =
            isRtt || party == 0 ? aeron.addSubscription(channel, FIRST_STREAM + party) : null;
        final int destination = FIRST_STREAM + (party == 0 ? 1 : 0);
        final Publication publication = !isRtt && party == 0 ? null :
            spec.exclusive() && spec.producers() == 1 ?
            aeron.addExclusivePublication(channel, destination) : aeron.addPublication(channel, destination);
        final DriverTurns own = party == 0 ? turns : null;
        return AeronLink.ipc(publication, subscription, own, spec.transport() == TransportKind.AERON_IPC_CLAIM,
            spec.length() > MAX_FRAME_LENGTH);
    }

    @Override
    public long bufferBytes()
    {
        return termLength;
    }

    @Override
    public void close()
    {
        aeron.close();
        if (turns != null)
        {
            turns.close();
        }
        if (driver != null)
        {
            driver.close();
        }
    }
}
