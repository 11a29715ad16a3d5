// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

/** How processes send messages. */
final class Sender
{
    private final State state;
    private final FabricParameters parameters;
    private final boolean carriesCredits;

    Sender(final State state)
    {
        this.state = state;
        parameters = state.parameters;
        carriesCredits = state.flow.flow() != Flow.NONE && state.flow.piggyback() != null;
    }

    /** Goes on with messages for which credits have come, and tells whether something was sent. */
    boolean sendReady(final int process)
    {
        int to = state.outbox.pollReady(process);
        while (to >= 0)
        {
            if (state.books.atHand(process, to) > 0 && state.outbox.head(process, to) >= 0)
            {
                return send(process, to);
            }
            to = state.outbox.pollReady(process);
        }
        return false;
    }

    /** Posts a message, and tells whether some of it was sent at once. */
    boolean post(final int from, final int to, final int length)
    {
        if (from == to || to < 0 || to >= state.processes || length < 0)
        {
            throw new IllegalArgumentException("message out of range: found peer=" + to + ", length=" + length +
                ", rank=" + from + ", expected another rank below " + state.processes + ", and at least 0 bytes");
        }
        if (state.sharesMemory && state.wire.node(from) == state.wire.node(to))
        {
            copy(from, to, length);
            return true;
        }
        final boolean isFirst = state.outbox.head(from, to) < 0;
        final int packets = length > FabricParameters.EAGER_LIMIT ? 1 : FabricParameters.packets(length);
        final int message = state.outbox.add(from, to, packets, length, state.cursor);
        state.scripts.unsent[from]++;
        if (!isFirst)
        {
            return false;
        }
        if (state.books.atHand(from, to) > 0)
        {
            return send(from, to);
        }
        delay(message);
        return false;
    }

    private void copy(final int from, final int to, final int length)
    {
        final long timePs = parameters.sendPs() + length * parameters.copyPs();
        final int item = state.mailboxes.add(to, state.cursor + timePs);
        state.mailboxes.set(item, Mailboxes.SHARED, from, length);
        state.mailboxes.post(item, state.cursor);
        state.cursor += timePs;
        state.tally.sendPs += timePs;
        state.tell(to, state.cursor);
    }

    private void delay(final int message)
    {
        if (state.outbox.delay(message))
        {
            state.tally.delayedSends++;
        }
    }

    /** Sends as much of a pair's oldest message as there are credits for: at least a packet; false if it is held up. */
    private boolean send(final int from, final int to)
    {
        if (state.pressure != null && state.pressure.holds(from))
        {
            state.outbox.listReady(from, to);
            return false;
        }
        final Outbox outbox = state.outbox;
        final int message = outbox.head(from, to);
        final int left = outbox.left(message);
        // where a mailbox may be full each packet has to find its slot
        final int count = state.pressure != null ? 1 : Math.min(left, state.books.atHand(from, to));
        state.books.take(from, to, count);
        outbox.send(message, count);
        transmit(from, to, count, count == left, message);
        int next = message;
        if (count == left)
        {
            next = finish(from, to, message);
        }
        if (next >= 0)
        {
            if (state.books.atHand(from, to) > 0)
            {
                outbox.listReady(from, to);
            }
            else
            {
                delay(next);
            }
        }
        return true;
    }

    /** Takes a message that was sent whole out, and returns the next one of the pair or -1. */
    private int finish(final int from, final int to, final int message)
    {
        if (state.outbox.length(message) > FabricParameters.EAGER_LIMIT)
        {
            state.scripts.fetching[from]++;
        }
        state.scripts.unsent[from]--;
        state.outbox.removeHead(from, to);
        return state.outbox.head(from, to);
    }

    private void transmit(final int from, final int to, final int count, final boolean isWhole, final int message)
    {
        final int length = state.outbox.length(message);
        final long first = state.cursor + parameters.sendPs() + state.costs.sendPs();
        state.cursor += count * parameters.sendPs();
        state.spend(count * state.costs.sendPs());
        state.tally.sendPs += count * parameters.sendPs();
        state.tally.dataPackets += count;
        final int credits = isWhole && carriesCredits && FabricParameters.hasSpareBytes(length) ?
            state.books.ledger(from).piggyback(Books.index(from, to), Character.MAX_VALUE) : 0;
        final Wire wire = state.wire;
        if (length > FabricParameters.EAGER_LIMIT)
        {
            wire.sendShort(from, to, state.now, first);
        }
        else
        {
            wire.send(from, to, count, state.now, first, state.cursor);
        }
        final Mailboxes boxes;
        final int item;
        if (state.pressure == null)
        {
            boxes = state.mailboxes;
            item = boxes.add(to, wire.firstArrival);
        }
        else
        {
            boxes = state.pressure.underWay();
            item = state.pressure.add(from, to, wire.firstArrival);
        }
        boxes.setData(item, from, count, state.outbox.left(message), isWhole ? length : -1, credits,
            count == 1 ? 0 : (wire.lastArrival - wire.firstArrival) / (count - 1), state.outbox.posted(message));
        state.fill(to, count);
        if (state.pressure == null)
        {
            state.tell(to, wire.firstArrival);
        }
        else
        {
            boxes.setValue(item, to);
        }
        holdUp();
    }

    /** Cards that have too much work already hold up the process that sends to them. */
    private void holdUp()
    {
        if (parameters.cardQueue() > 0)
        {
            final long wait = state.wire.queued - parameters.cardQueue() * parameters.packetPs();
            if (wait > 0)
            {
                state.cursor += wait;
                state.tally.heldUpPs += wait;
            }
        }
    }
}
