// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.DirectBuffer;

/**
 * One party's publication and subscription of Aeron. Messages are never fragmented.
 */
abstract class AeronLink implements Link, FragmentHandler
{
    final Publication publication;
    private final Subscription subscription;
    private final DriverTurns driver;
    private final NetworkTurns network;
    private int polledLength;
    private Inlet inlet;

    private AeronLink(
        final Publication publication, final Subscription subscription, final DriverTurns driver, final NetworkTurns network)
    {
        this.publication = publication;
        this.subscription = subscription;
        this.driver = driver;
        this.network = network;
    }

    /**
     * A link over shared memory.
     *
     * @param publication  to send with, or null.
     * @param subscription to poll, or null.
     * @param driver       that has its turns between polls, or null.
     * @param isClaiming   whether room is claimed and written in place, instead of copying each message in.
     * @return the link.
     */
    static AeronLink ipc(
        final Publication publication, final Subscription subscription, final DriverTurns driver, final boolean isClaiming)
    {
        return isClaiming ? new ClaimLink(publication, subscription, driver, NetworkTurns.NONE) :
            new OfferLink(publication, subscription, driver, NetworkTurns.NONE);
    }

    /**
     * A link between nodes.
     *
     * @param publication  to send with, or null.
     * @param subscription to poll, or null.
     * @param network      that has its turns.
     * @param isClaiming   whether room is claimed and written in place, instead of copying each message in.
     * @return the link.
     */
    static AeronLink udp(
        final Publication publication, final Subscription subscription, final NetworkTurns network, final boolean isClaiming)
    {
        return isClaiming ? new ClaimLink(publication, subscription, null, network) :
            new OfferLink(publication, subscription, null, network);
    }

    final boolean isSent(final long result)
    {
        if (result >= 0)
        {
            return true;
        }
        if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED)
        {
            throw new IllegalStateException("Aeron: " + Publication.errorString(result));
        }
        return false;
    }

    /** Writes a message, or returns a negative code. */
    abstract long write(DirectBuffer buffer, int offset, int length);

    @Override
    public final boolean send(final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean isOut = isSent(write(buffer, offset, length));
        if (isOut)
        {
            network.onSend(1);
        }
        return isOut;
    }

    @Override
    public final int poll(final Inlet taker, final int limit)
    {
        inlet = taker;
        polledLength = 0;
        final int count = subscription.poll(this, limit);
        if (driver != null)
        {
            driver.onPoll(polledLength);
        }
        return count;
    }

    @Override
    public final void work()
    {
        network.work();
    }

    @Override
    public final void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        polledLength += length + DataHeaderFlyweight.HEADER_LENGTH;
        inlet.onMessage(buffer, offset, length);
    }

    private static final class OfferLink extends AeronLink
    {
        OfferLink(
            final Publication publication, final Subscription subscription, final DriverTurns driver,
            final NetworkTurns network)
        {
            super(publication, subscription, driver, network);
        }

        @Override
        long write(final DirectBuffer buffer, final int offset, final int length)
        {
            return publication.offer(buffer, offset, length);
        }
    }

    private static final class ClaimLink extends AeronLink
    {
        private final BufferClaim claim = new BufferClaim();

        ClaimLink(
            final Publication publication, final Subscription subscription, final DriverTurns driver,
            final NetworkTurns network)
        {
            super(publication, subscription, driver, network);
        }

        @Override
        long write(final DirectBuffer buffer, final int offset, final int length)
        {
            final long result = publication.tryClaim(length, claim);
            if (result >= 0)
            {
                claim.buffer().putBytes(claim.offset(), buffer, offset, length);
                claim.commit();
            }
            return result;
        }
    }
}
