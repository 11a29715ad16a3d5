// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.LaneHandler;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.lane.tactic.Lookout;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;

/**
 * The mailbox alone. Up to four senders of short messages have an express lane each, an even share of the slots; more
 * senders, and long messages, go by the ring, with an even share for each and a word per sender in which the consumer counts
 * the slots that it has freed. Mailbox 0 belongs to the first party, mailbox 1 to the second (round trips only).
 */
final class MailboxTransport implements Transport
{
    private static final int INCARNATION = 1;

    private final LinkSpec spec;
    private final Registry registry;
    private final int process;
    private final Mailbox[] mailboxes;

    MailboxTransport(final LinkSpec spec, final File directory, final boolean isFirst)
    {
        this.spec = spec;
        final File registryFile = new File(directory, "registry");
        final int slots = MailboxDescriptor.slots(spec.length());
        if (slots > Math.min(window(), MailboxDescriptor.MAX_RUN_SLOTS))
        {
            throw new IllegalArgumentException("a message of " + spec.length() + " bytes takes " + slots +
                " slots: found " + window() + " slots for each sender");
        }
        registry = isFirst ?
            Registry.create(registryFile, spec.parties() + 1, spec.parties() + 1) : Registry.attach(registryFile);
        process = registry.join(System.currentTimeMillis());
        mailboxes = new Mailbox[spec.mode() == Mode.RTT ? 2 : 1];
        for (int i = 0; i < mailboxes.length; i++)
        {
            final File file = new File(directory, "mailbox-" + i);
            mailboxes[i] = isFirst ? create(file, i, slots) : Mailbox.attach(file);
        }
    }

    private Mailbox create(final File file, final int id, final int runSlots)
    {
        final int laneSlots = Integer.highestOneBit(window());
        return runSlots <= LaneDescriptor.runSlots(laneSlots) && laneSlots >= LaneDescriptor.MIN_LANE_SLOTS &&
            spec.producers() <= LaneDescriptor.MAX_LANES ?
            Mailbox.create(file, id, INCARNATION, spec.parties(), MailboxDescriptor.MIN_RING_SLOTS, 1, spec.producers(),
            laneSlots) : Mailbox.create(file, id, INCARNATION, spec.parties(), spec.slots(), runSlots);
    }

    private int window()
    {
        return spec.slots() / spec.producers();
    }

    @Override
    public Link open(final int party)
    {
        final Mailbox own = mailboxes[Math.min(party, mailboxes.length - 1)];
        final Mailbox destination = mailboxes[party == 0 ? mailboxes.length - 1 : 0];
        return own.lanes() > 0 ?
            new LaneLink(destination, own, party) :
            new RingLink(destination, own, registry.takeMark(process, registry.incarnation(process)), party, spec.parties(),
            window());
    }

    @Override
    public long bufferBytes()
    {
        final Mailbox mailbox = mailboxes[0];
        return (long)(mailbox.ringSlots() + mailbox.lanes() * mailbox.laneSlots()) * MailboxDescriptor.SLOT_LENGTH;
    }

    @Override
    public void close()
    {
        registry.leave(process, registry.incarnation(process));
    }

    /** A lane's payload is short: stores cost less than a call. */
    private static void copy(
        final UnsafeBuffer to, final int at, final DirectBuffer from, final int offset, final int length)
    {
        if (length <= MailboxDescriptor.SLOT_LENGTH)
        {
            for (int i = 0; i < length; i += Long.BYTES)
            {
                to.putLong(at + i, from.getLong(offset + i));
            }
        }
        else
        {
            to.putBytes(at, from, offset, length);
        }
    }

    /** Sends by one lane, receives from all. The lane's room is the credit. */
    private static final class LaneLink implements Link, LaneHandler
    {
        private static final int QUANTUM = 16;
        /** Flag of a short run: its payload is behind its word. */
        private static final int SHORT = 1;
        private static final long PAID_FOR_GOOD = 1L << 50;

        private final int source;
        private final Lane lane;
        private final LanePoller[] pollers;
        private final Lookout lookout = new Lookout(Lookout.DEFAULT_LOOKS, this::isReady, this::sent);
        private Inlet inlet;
        private long delivered;
        private long answered;
        private int turn;

        LaneLink(final Mailbox destination, final Mailbox own, final int source)
        {
            this.source = source;
            // a mailbox has one consumer: the first party, or the second at its own
            pollers = new LanePoller[source > 0 && destination == own ? 0 : own.lanes()];
            for (int i = 0; i < pollers.length; i++)
            {
                pollers[i] = new LanePoller(own, i);
                pollers[i].grant(i);
            }
            lane = source == 0 && destination == own ? null : new Lane(destination, Math.max(0, source - 1));
            if (lane != null)
            {
                lane.pay(PAID_FOR_GOOD);
            }
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            if (length <= LaneDescriptor.MAX_SHORT_LENGTH)
            {
                return sendShort(buffer, offset, length);
            }
            final int slots = MailboxDescriptor.slots(length);
            final long position = lane.claim(slots);
            if (position < 0)
            {
                return false;
            }
            copy(lane.buffer(), lane.payloadOffset(position), buffer, offset, length);
            lane.publish(position, slots, MailboxDescriptor.TYPE_FIRST_USER, 0, length, source);
            return true;
        }

        private boolean sendShort(final DirectBuffer buffer, final int offset, final int length)
        {
            long at = lane.shortPlace(length);
            if (at == Lane.NO_PLACE)
            {
                if (lane.claim(1) < 0)
                {
                    return false;
                }
                at = lane.shortPlaceClaimed();
            }
            final int to = (int)(at - lane.buffer().addressOffset()) + MailboxDescriptor.HEADER_LENGTH;
            copy(lane.buffer(), to, buffer, offset, length);
            lane.publishShort(at, length, LaneDescriptor.shortHeader(SHORT, source));
            lane.wakeIfArmed();
            return true;
        }

        @Override
        public int poll(final Inlet taker, final int most)
        {
            inlet = taker;
            final int count = pollOnce(most);
            if (count > 0)
            {
                return count;
            }
            if (lane != null)
            {
                lane.prefetchRest();
            }
            return lookout.await(delivered) ? pollOnce(most) : 0;
        }

        private int pollOnce(final int most)
        {
            final int count = pollers.length == 1 ? poll(pollers[0], most) : pollAll(most);
            delivered += count;
            return count;
        }

        private long sent()
        {
            final long before = answered;
            answered = lane == null ? before : lane.positionQuarters();
            return answered - before;
        }

        private boolean isReady()
        {
            for (final LanePoller each : pollers)
            {
                if (each.isReady())
                {
                    return true;
                }
            }
            return false;
        }

        private int pollAll(final int most)
        {
            int count = 0;
            for (int i = 0; i < pollers.length && count < most; i++)
            {
                turn = turn + 1 == pollers.length ? 0 : turn + 1;
                count += poll(pollers[turn], Math.min(QUANTUM, most - count));
            }
            return count;
        }

        private int poll(final LanePoller poller, final int most)
        {
            int count = poller.pollBehind(this, most);
            while (poller.isDue())
            {
                // credits are not counted: the lane's own position tells the sender
                poller.takeFreed();
                poller.publish(0);
                count += poller.goOn(this, most - count);
            }
            return count;
        }

        @Override
        public void onPacket(
            final int type, final int flags, final int from, final UnsafeBuffer buffer, final int offset, final int length)
        {
            final int word = flags == SHORT ? MailboxDescriptor.HEADER_LENGTH : 0;
            inlet.onMessage(buffer, offset + word, length - word);
        }

        @Override
        public void onArrival(
            final int type, final int flags, final int from, final UnsafeBuffer buffer, final int offset, final int length)
        {
            if (lane != null)
            {
                lane.prefetchNext();
            }
            onPacket(type, flags, from, buffer, offset, length);
        }
    }

    private static final class RingLink implements Link, PacketHandler
    {
        private final Mailbox destination;
        private final ClaimMark mark;
        private final UnsafeBuffer destinationBuffer;
        private final int creditOffset;
        private final int source;
        private final int window;
        private final MailboxPoller poller;
        private final UnsafeBuffer ownBuffer;
        private final long[] freed;
        private final long[] returned;
        private final int threshold;
        private long used;
        private long limit;
        private Inlet inlet;

        RingLink(
            final Mailbox destination,
            final Mailbox own,
            final ClaimMark mark,
            final int source,
            final int sources,
            final int window)
        {
            this.destination = destination;
            this.mark = mark;
            this.source = source;
            this.window = window;
            limit = window;
            destinationBuffer = destination.buffer();
            creditOffset = MailboxDescriptor.sourceLineOffset(source);
            poller = new MailboxPoller(own);
            ownBuffer = own.buffer();
            freed = new long[sources];
            returned = new long[sources];
            threshold = Math.max(1, window / 8);
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            final int slots = MailboxDescriptor.slots(length);
            if (used + slots > limit)
            {
                // SYNC POINT credit-word: the slots counted there were stamped before
                limit = destinationBuffer.getLongAcquire(creditOffset) + window;
                if (used + slots > limit)
                {
                    return false;
                }
            }
            used += slots;
            mark.intend(destination.claimKey(), slots);
            final long position = destination.claim(mark, slots);
            final int at = destination.payloadOffset(position);
            copy(destinationBuffer, at, buffer, offset, length);
            destination.publish(mark, position, MailboxDescriptor.TYPE_FIRST_USER, 0, length, source);
            return true;
        }

        @Override
        public int poll(final Inlet taker, final int most)
        {
            inlet = taker;
            return poller.poll(this, most);
        }

        @Override
        public void onPacket(
            final int type, final int flags, final int from, final UnsafeBuffer buffer, final int offset, final int length)
        {
            inlet.onMessage(buffer, offset, length);
        }

        @Override
        public void onFreed(final int type, final int from, final int slots)
        {
            freed[from] += slots;
            if (freed[from] - returned[from] >= threshold)
            {
                returned[from] = freed[from];
                // SYNC POINT credit-word
                ownBuffer.putLongRelease(MailboxDescriptor.sourceLineOffset(from), freed[from]);
            }
        }
    }
}
