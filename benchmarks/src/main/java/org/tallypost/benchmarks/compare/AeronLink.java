// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One party's publication and subscription of Aeron. Only offered messages over shared memory may be longer than a frame.
 */
abstract class AeronLink implements Link, FragmentHandler
{
    final Publication publication;
    private final Subscription subscription;
    private final DriverTurns driver;
    private final NetworkTurns network;
    private final FragmentHandler assembler;
    private int polledLength;
    private Inlet inlet;

    private AeronLink(
        final Publication publication, final Subscription subscription, final DriverTurns driver, final NetworkTurns network,
        final boolean isFragmented)
    {
        this.publication = publication;
        this.subscription = subscription;
        this.driver = driver;
        this.network = network;
        assembler = isFragmented ? new FragmentAssembler(this) : this;
    }

    /**
     * A link over shared memory.
     *
     * @param publication  to send with, or null.
     * @param subscription to poll, or null.
     * @param driver       that has its turns between polls, or null.
     * @param isClaiming   whether room is claimed and written in place, instead of copying each message in.
     * @param isFragmented whether messages are longer than a frame may be.
     * @return the link.
     */
    static AeronLink ipc(
        final Publication publication, final Subscription subscription, final DriverTurns driver, final boolean isClaiming,
        final boolean isFragmented)
    {
        return isClaiming ? new ClaimLink(publication, subscription, driver, NetworkTurns.NONE) :
            new OfferLink(publication, subscription, driver, NetworkTurns.NONE, isFragmented);
    }

    /**
     * A link between nodes.
     *
     * @param publication  to send with, or null.
     * @param subscription to poll, or null.
     * @param network      that has its turns.
     * @param kind         whether room is claimed and written in place, for one message or for many, instead of copying each in.
     * @return the link.
     */
    static AeronLink udp(
        final Publication publication, final Subscription subscription, final NetworkTurns network, final TransportKind kind)
    {
        switch (kind)
        {
            case AERON_UDP_CLAIM:
                return new ClaimLink(publication, subscription, null, network);
            case AERON_UDP_PACKED:
                return new PackedLink(publication, subscription, network);
            default:
                return new OfferLink(publication, subscription, null, network, false);
        }
    }

    /**
     * A link between nodes for messages that are longer than a datagram.
     *
     * @param publication  to send with, or null.
     * @param subscription to poll, or null.
     * @param network      that has its turns.
     * @param length       of each message in bytes.
     * @return the link.
     */
    static AeronLink longUdp(
        final Publication publication, final Subscription subscription, final NetworkTurns network, final int length)
    {
        return new LongLink(publication, subscription, network, length);
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
        final int count = subscription.poll(assembler, limit);
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
        take(inlet, buffer, offset, length);
    }

    /** Hands on what is in a fragment. */
    void take(final Inlet taker, final DirectBuffer buffer, final int offset, final int length)
    {
        taker.onMessage(buffer, offset, length);
    }

    private static final class OfferLink extends AeronLink
    {
        OfferLink(
            final Publication publication, final Subscription subscription, final DriverTurns driver,
            final NetworkTurns network, final boolean isFragmented)
        {
            super(publication, subscription, driver, network, isFragmented);
        }

        @Override
        long write(final DirectBuffer buffer, final int offset, final int length)
        {
            return publication.offer(buffer, offset, length);
        }
    }

    /** A message goes in as many datagrams as it takes, and is copied once into its place where it arrives. */
    private static final class LongLink extends AeronLink
    {
        private final int length;
        private final UnsafeBuffer room;
        private int sent;
        private int received;

        LongLink(
            final Publication publication, final Subscription subscription, final NetworkTurns network, final int length)
        {
            super(publication, subscription, null, network, false);
            this.length = length;
            room = subscription == null ? null : new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, 128));
        }

        @Override
        long write(final DirectBuffer buffer, final int offset, final int messageLength)
        {
            while (sent < messageLength)
            {
                final int piece = Math.min(publication.maxPayloadLength(), messageLength - sent);
                final long result = publication.offer(buffer, offset + sent, piece);
                if (result < 0)
                {
                    return result;
                }
                sent += piece;
            }
            sent = 0;
            return messageLength;
        }

        @Override
        void take(final Inlet taker, final DirectBuffer buffer, final int offset, final int pieceLength)
        {
            room.putBytes(received, buffer, offset, pieceLength);
            received += pieceLength;
            if (received == length)
            {
                received = 0;
                taker.onMessage(room, 0, length);
            }
        }
    }

    private static final class ClaimLink extends AeronLink
    {
        private final BufferClaim claim = new BufferClaim();

        ClaimLink(
            final Publication publication, final Subscription subscription, final DriverTurns driver,
            final NetworkTurns network)
        {
            super(publication, subscription, driver, network, false);
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

    /**
     * As many messages in one claim as a datagram holds, each behind a header as long as that of a frame of ours, written and
     * walked in plain loops: what sending several messages at once can bring at best.
     */
    private static final class PackedLink extends AeronLink
    {
        /** Of a batch, and of a frame in it. */
        private static final int BATCH_HEADER_LENGTH = 24;
        private static final int HEADER_LENGTH = 16;

        private final BufferClaim claim = new BufferClaim();
        private boolean isOpen;
        private int at;

        PackedLink(final Publication publication, final Subscription subscription, final NetworkTurns network)
        {
            super(publication, subscription, null, network, false);
        }

        @Override
        long write(final DirectBuffer buffer, final int offset, final int length)
        {
            final int stride = HEADER_LENGTH + BitUtil.align(length, Long.BYTES);
            if (!isOpen)
            {
                final int room = publication.maxPayloadLength() - BATCH_HEADER_LENGTH;
                final long result = publication.tryClaim(BATCH_HEADER_LENGTH + room / stride * stride, claim);
                if (result < 0)
                {
                    return result;
                }
                isOpen = true;
                at = claim.offset() + BATCH_HEADER_LENGTH;
            }
            final MutableDirectBuffer to = claim.buffer();
            to.putLong(at, length);
            to.putLong(at + Long.BYTES, 0L);
            for (int i = 0; i < length; i += Long.BYTES)
            {
                to.putLong(at + HEADER_LENGTH + i, buffer.getLong(offset + i));
            }
            at += stride;
            if (at == claim.offset() + claim.length())
            {
                isOpen = false;
                claim.commit();
            }
            return at;
        }

        @Override
        public boolean flush()
        {
            if (isOpen)
            {
                isOpen = false;
                // the walk ends here
                claim.buffer().putLong(at, 0L);
                claim.commit();
            }
            return true;
        }

        @Override
        void take(final Inlet taker, final DirectBuffer buffer, final int offset, final int length)
        {
            int next = offset + BATCH_HEADER_LENGTH;
            while (next < offset + length)
            {
                final int found = (int)buffer.getLong(next);
                if (found == 0)
                {
                    break;
                }
                taker.onMessage(buffer, next + HEADER_LENGTH, found);
                next += HEADER_LENGTH + BitUtil.align(found, Long.BYTES);
            }
        }
    }
}
