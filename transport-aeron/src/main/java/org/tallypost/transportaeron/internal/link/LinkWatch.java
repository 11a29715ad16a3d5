// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.Image;
import org.agrona.concurrent.status.CountersReader;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.endpoint.transport.LinkCounters;

/**
 * Looks at a link in each duty cycle, and some times a second writes what its parts have counted to where it can be seen from
 * outside. For the agent's thread.
 */
final class LinkWatch
{
    private final Link link;
    private final LinkCounts counts;
    private final DriverCount given = new DriverCount(AeronCounters.DRIVER_SENDER_NAKS_RECEIVED_TYPE_ID);
    private final DriverCount asked = new DriverCount(AeronCounters.DRIVER_RECEIVER_NAKS_SENT_TYPE_ID);
    private final DriverCount highGiven = new DriverCount(AeronCounters.DRIVER_SENDER_NAKS_RECEIVED_TYPE_ID);
    private final DriverCount highAsked = new DriverCount(AeronCounters.DRIVER_RECEIVER_NAKS_SENT_TYPE_ID);
    private final DriverCount bulkGiven = new DriverCount(AeronCounters.DRIVER_SENDER_NAKS_RECEIVED_TYPE_ID);
    private final DriverCount bulkAsked = new DriverCount(AeronCounters.DRIVER_RECEIVER_NAKS_SENT_TYPE_ID);
    private boolean isUp;
    private long linkCount;

    LinkWatch(final Link link, final LinkCounters shared, final long nowNs)
    {
        this.link = link;
        counts = new LinkCounts(shared, nowNs);
        write(nowNs, null);
    }

    /**
     * Looks at the link.
     *
     * @param nowNs the time.
     * @param aeron of the media driver, or null while there is none.
     */
    void look(final long nowNs, final Aeron aeron)
    {
        if (link.isUp() != isUp || link.linkCount() != linkCount)
        {
            isUp = link.isUp();
            counts.onChange(isUp, link.linkCount() - linkCount, nowNs);
            linkCount = link.linkCount();
            write(nowNs, aeron);
        }
        else if (counts.isDue(nowNs))
        {
            write(nowNs, aeron);
        }
    }

    private void write(final long nowNs, final Aeron aeron)
    {
        if (aeron != null)
        {
            readDriver(aeron.countersReader());
        }
        final BulkLink bulk = link.bulk();
        final EgressStream high = link.highStream();
        counts.write(nowNs);
        counts.set(LinkCounter.MESSAGES_SENT, link.sentMessages());
        counts.set(LinkCounter.MESSAGES_RECEIVED, link.receivedMessages());
        counts.set(LinkCounter.FRAMES_SENT, link.egress().frameCount());
        counts.set(LinkCounter.FRAMES_RECEIVED, link.ingress().frameCount());
        counts.set(LinkCounter.BATCHES_SENT, link.egress().batchCount());
        counts.set(LinkCounter.BATCHES_RECEIVED, link.ingress().batchCount());
        counts.set(LinkCounter.HIGH_FRAMES_SENT, link.egress().highFrameCount());
        counts.set(LinkCounter.HIGH_FRAMES_RECEIVED, link.ingress().highFrameCount());
        counts.set(LinkCounter.HIGH_BATCHES_SENT, link.egress().highBatchCount());
        counts.set(LinkCounter.HIGH_BATCHES_RECEIVED, link.ingress().highBatchCount());
        counts.set(LinkCounter.BYTES_SENT, link.stream().sentBytes() + (high == null ? 0 : high.sentBytes()));
        counts.set(LinkCounter.BYTES_RECEIVED, link.ingress().byteCount());
        counts.set(LinkCounter.BULK_BYTES_SENT, bulk == null ? 0 : bulk.stream().sentBytes());
        counts.set(LinkCounter.BULK_BYTES_RECEIVED, bulk == null ? 0 : bulk.ingress().byteCount());
        counts.set(LinkCounter.STALLS, link.egress().stalls().count());
        counts.set(LinkCounter.STALL_TIME, link.egress().stalls().timeNs());
        counts.set(LinkCounter.REPAIRS_ASKED, asked.total() + highAsked.total() + bulkAsked.total());
        counts.set(LinkCounter.REPAIRS_GIVEN, given.total() + highGiven.total() + bulkGiven.total());
        counts.set(LinkCounter.DROPPED, link.drops().total());
    }

    /** What only the media driver knows, of streams that are there. */
    private void readDriver(final CountersReader driver)
    {
        final BulkLink bulk = link.bulk();
        readDriver(driver, link.stream(), given, link.ingress().image(), asked);
        if (link.highStream() != null)
        {
            readDriver(driver, link.highStream(), highGiven, link.ingress().highImage(), highAsked);
        }
        if (bulk != null)
        {
            readDriver(driver, bulk.stream(), bulkGiven, bulk.ingress().image(), bulkAsked);
        }
    }

    private static void readDriver(
        final CountersReader driver, final EgressStream sent, final DriverCount ofSent, final Image received,
        final DriverCount ofReceived)
    {
        if (sent.isOpen())
        {
            ofSent.read(driver, sent.registrationId());
        }
        if (received != null && !received.isClosed())
        {
            ofReceived.read(driver, received.correlationId());
        }
    }
}
