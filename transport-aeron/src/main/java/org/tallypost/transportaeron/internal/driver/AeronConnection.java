// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.exceptions.InvalidChannelException;
import io.aeron.exceptions.AeronEvent;
import io.aeron.status.PublicationErrorFrame;
import io.aeron.status.ReadableCounter;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.status.CountersReader;
import org.tallypost.mailbox.files.Notice;

/**
 * A client of a media driver, with the driver if it is embedded. All of it runs on the calling thread.
 */
public final class AeronConnection implements AutoCloseable
{
    /** So often the client looks whether its driver has anything to say, and says that it lives. */
    private static final long CLIENT_INTERVAL_NS = 100_000;

    /** Between two looks of the driver's second thread whether there is a name to look up. */
    private static final long NAME_PERIOD_MS = 20;

    /** In what a driver tells of a stream that its receiver rejected. */
    private static final String REJECTION = "onPublicationError";

    /** Datagrams in one of our duty cycles, but for those of other streams that leave with the last of them. */
    static final int MAX_DATAGRAMS = 8;

    private final DriverClock clock = new DriverClock();
    private final MediaDriver driver;
    private final StreamGuard guard;
    private final SocketTurns turns;
    private final Aeron aeron;
    private final List<Stream> streams = new ArrayList<>();
    private final AeronSettings settings;
    private long clientNs = System.nanoTime();

    /**
     * Launches a driver and connects to it, or connects to one that runs.
     *
     * @param settings   of the transport.
     * @param directory  for the files of an embedded driver.
     * @param intervalNs liveness interval of the node.
     * @param onError    hears of what goes wrong.
     */
    public AeronConnection(
        final AeronSettings settings, final File directory, final long intervalNs, final ErrorHandler onError)
    {
        final boolean isEmbedded = settings.aeronDirectory() == null;
        this.settings = settings;
        guard = settings.newGuard();
        turns = new SocketTurns(guard);
        driver = isEmbedded ? launch(settings, directory, intervalNs, clock, turns, onError) : null;
        try
        {
            aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(isEmbedded ? driver.aeronDirectoryName() : settings.aeronDirectory())
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(isEmbedded ? driver.sharedAgentInvoker() : null)
                .driverTimeoutMs(DriverTimeouts.driverMs(isEmbedded, intervalNs))
                .publicationErrorFrameHandler((frame) -> onError.onError(notAdmitted(frame)))
                .errorHandler((error) -> onClientError(error, onError)));
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(driver);
            throw ex;
        }
    }

    /** What ended the client was told before its end is. */
    private static void onClientError(final Throwable error, final ErrorHandler onError)
    {
        if (!(error instanceof AgentTerminationException))
        {
            onError.onError(error);
        }
    }

    /** What the other side says is not shown: it may be anybody. */
    private static Notice notAdmitted(final PublicationErrorFrame frame)
    {
        return new Notice("another node does not admit this one", "address of the other node=" + frame.sourceAddress() +
            "; give both the same secret and the same list of nodes");
    }

    /**
     * That a channel cannot be had is the answer to a request of ours: it is told where that was made. That another node has
     * rejected a stream is told by the client.
     */
    private static void onDriverError(final Throwable error, final ErrorHandler onError)
    {
        final boolean isRejection = error instanceof AeronEvent && error.getMessage().contains(REJECTION);
        if (!(error instanceof InvalidChannelException) && !isRejection)
        {
            onError.onError(error);
        }
    }

    /** Whether there is a driver to connect to, or one can be launched; does not wait for one. */
    public static boolean isPossible(final AeronSettings settings, final long intervalNs)
    {
        return settings.aeronDirectory() == null || CommonContext.isDriverActive(
            new File(settings.aeronDirectory()), DriverTimeouts.driverMs(false, intervalNs), (message) -> {});
    }

    private static MediaDriver launch(
        final AeronSettings settings, final File directory, final long intervalNs, final DriverClock clock,
        final SocketTurns turns, final ErrorHandler onError)
    {
        DriverFiles.checkRoom(directory.getParentFile(), settings.driverLength());
        final MediaDriver.Context context = DriverTimeouts.set(new MediaDriver.Context(), intervalNs)
            .aeronDirectoryName(directory.getPath())
            .threadingMode(ThreadingMode.INVOKER)
            // it looks up names of hosts, and looks every millisecond whether there is any to look up
            .asyncExecutorIdleStrategy(new SleepingMillisIdleStrategy(NAME_PERIOD_MS))
            .nanoClock(clock)
            .mtuLength(settings.mtuLength())
            .socketRcvbufLength(AeronSettings.socketReceiveBufferLength())
            .termBufferSparseFile(false)
            .performStorageChecks(true)
            .lowStorageWarningThreshold(0)
            .warnIfDirectoryExists(false)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .errorHandler((error) -> onDriverError(error, onError));
        turns.check(new SetupCheck(settings, onError));
        turns.install(context, settings.faults());
        final MediaDriver launched = MediaDriver.launch(context);
        try
        {
            DriverFiles.reserve(launched);
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(launched);
            throw ex;
        }
        return launched;
    }

    public Aeron aeron()
    {
        return aeron;
    }

    /** Datagrams that an embedded driver was not given: of streams that it does not take, or too short; any thread. */
    public long refusedCount()
    {
        return turns.shortCount() + (guard == null ? 0 : guard.refusedCount());
    }

    public boolean isClosed()
    {
        return aeron.isClosed() || driver != null && driver.sharedAgentInvoker().isClosed();
    }

    /**
     * Asks the driver for a publication, and does not wait for it: it may have to look a name up.
     *
     * @param channel of the other node.
     * @param stream  of this one.
     * @return the number of the request.
     */
    public long beginToPublish(final String channel, final int stream)
    {
        return aeron.asyncAddExclusivePublication(channel, stream);
    }

    /**
     * What has come of a request.
     *
     * @param id of the request.
     * @return the publication, which the caller closes; null while the driver has not answered.
     * @throws RuntimeException if the driver cannot: then the request is over.
     */
    public ExclusivePublication publication(final long id)
    {
        final ExclusivePublication publication = aeron.getExclusivePublication(id);
        if (publication == null)
        {
            return null;
        }
        streams.removeIf((old) -> old.publication.isClosed());
        final int counter = driver == null ? CountersReader.NULL_COUNTER_ID : aeron.countersReader()
            .findByTypeIdAndRegistrationId(AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID, publication.registrationId());
        if (counter != CountersReader.NULL_COUNTER_ID)
        {
            streams.add(new Stream(publication, new ReadableCounter(aeron.countersReader(), counter),
                settings.isBulkStream(publication.streamId())));
        }
        return publication;
    }

    /**
     * Some duty cycles of the driver if it is embedded, and now and then one of the client.
     *
     * @param nowNs   the time.
     * @param pauseNs for which this thread has stood still before.
     * @param isAll   whether what waits on bulk streams is sent as fast as messages; else a datagram of it in a duty cycle.
     * @return 0 if there was nothing to do.
     */
    public int doWork(final long nowNs, final long pauseNs, final boolean isAll)
    {
        int work = 0;
        if (driver != null)
        {
            clock.stop(nowNs, pauseNs);
            try
            {
                work = drive(isAll);
            }
            finally
            {
                clock.go();
            }
        }
        if (nowNs - clientNs >= CLIENT_INTERVAL_NS)
        {
            clientNs = nowNs;
            work += aeron.conductorAgentInvoker().invoke();
        }
        return work;
    }

    /**
     * The driver sends one datagram of a stream in each of its duty cycles. While others wait, and leave, it has more of them:
     * what else is done in a cycle is done once for all of these.
     */
    private int drive(final boolean isAll)
    {
        final long end = turns.sentCount() + MAX_DATAGRAMS;
        long before = unsentLength(isAll);
        turns.again(false);
        int work = driver.sharedAgentInvoker().invoke();
        long unsent = before == 0 ? 0 : unsentLength(isAll);
        turns.again(true);
        while (unsent > 0 && unsent < before && turns.sentCount() - end < 0)
        {
            before = unsent;
            work += driver.sharedAgentInvoker().invoke();
            unsent = unsentLength(isAll);
        }
        return work;
    }

    /** Bytes that wait for an embedded driver to send them. */
    private long unsentLength(final boolean isAll)
    {
        long length = 0;
        for (int i = 0; i < streams.size(); i++)
        {
            final Stream stream = streams.get(i);
            length += isAll || !stream.isBulk ? stream.unsentLength() : 0;
        }
        return length;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }

    /** What an embedded driver sends. */
    private static final class Stream
    {
        private final ExclusivePublication publication;
        private final ReadableCounter sentPosition;
        private final boolean isBulk;

        Stream(final ExclusivePublication publication, final ReadableCounter sentPosition, final boolean isBulk)
        {
            this.isBulk = isBulk;
            this.publication = publication;
            this.sentPosition = sentPosition;
        }

        long unsentLength()
        {
            return publication.isClosed() ? 0 : Math.max(0, publication.position() - sentPosition.get());
        }
    }
}
