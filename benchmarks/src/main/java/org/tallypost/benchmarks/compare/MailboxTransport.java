// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.ClaimMark;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxDescriptor;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.Registry;

/**
 * The mailbox alone: an even share of the slots for each sender, and a word per sender in which the consumer counts the slots
 * that it has freed. Mailbox 0 belongs to the first party, mailbox 1 to the second (round trips only).
 */
final class MailboxTransport implements Transport
{
    private static final int INCARNATION = 1;
    private static final int SMALL_LENGTH = 64;

    private final ForkSpec spec;
    private final Registry registry;
    private final int process;
    private final Mailbox[] mailboxes;

    MailboxTransport(final ForkSpec spec, final File directory, final boolean isFirst)
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
            mailboxes[i] = isFirst ?
                Mailbox.create(file, i, INCARNATION, spec.parties(), spec.slots(), slots, 1, spec.slots()) : Mailbox.attach(file);
        }
    }

    private int window()
    {
        return spec.slots() / spec.producers();
    }

    @Override
    public Link open(final int party)
    {
        final int own = Math.min(party, mailboxes.length - 1);
        final ClaimMark mark = registry.takeMark(process, registry.incarnation(process));
        return new MailboxLink(
            mailboxes[party == 0 ? mailboxes.length - 1 : 0], mailboxes[own], mark, party, spec.parties(), window());
    }

    @Override
    public long bufferBytes()
    {
        return (long)spec.slots() * MailboxDescriptor.SLOT_LENGTH;
    }

    @Override
    public void close()
    {
        registry.leave(process, registry.incarnation(process));
    }

    static final class MailboxLink implements Link, PacketHandler
    {
        private final Mailbox destination;
        private final ClaimMark mark;
        private final UnsafeBuffer destinationBuffer;
        private final int creditOffset;
        private final int source;
        private final int window;
        private final MailboxPoller poller;
        private final org.tallypost.mailbox.Lane lane;
        private final org.tallypost.mailbox.LanePoller lanePoller;
        private final UnsafeBuffer ownBuffer;
        private final long[] freed;
        private final long[] returned;
        private final int threshold;
        private long used;
        private long limit;
        private Inlet inlet;

        MailboxLink(
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
            lane = new org.tallypost.mailbox.Lane(destination, 0);
            lanePoller = new org.tallypost.mailbox.LanePoller(own, 0);
            lanePoller.grant(source == 0 ? 1 : 0);
            lane.pay(1L << 50);
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
            if (lane != null && slots <= 8)
            {
                final long at2 = lane.claim(slots);
                if (at2 >= 0)
                {
                    final int o = lane.payloadOffset(at2);
                    for (int i = 0; i < length; i += 8)
                    {
                        destinationBuffer.putLong(o + i, buffer.getLong(offset + i));
                    }
                    lane.publish(at2, slots, MailboxDescriptor.TYPE_FIRST_USER, 0, length, source);
                    return true;
                }
            }
            mark.intend(destination.claimKey(), slots);
            final long position = destination.claim(mark, slots);
            final int at = destination.payloadOffset(position);
            if (length <= SMALL_LENGTH)
            {
                for (int i = 0; i < length; i += 8)
                {
                    destinationBuffer.putLong(at + i, buffer.getLong(offset + i));
                }
            }
            else
            {
                destinationBuffer.putBytes(at, buffer, offset, length);
            }
            destination.publish(mark, position, MailboxDescriptor.TYPE_FIRST_USER, 0, length, source);
            return true;
        }

        @Override
        public int poll(final Inlet taker, final int most)
        {
            inlet = taker;
            final int n = lanePoller.poll(this, most, poller.position());
            return n + poller.poll(this, most);
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
