// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import org.tallypost.creditprotocol.Ledger;

/** How processes retrieve what has arrived. */
final class Receiver
{
    private final State state;
    private final FabricParameters parameters;
    /** Receives posted less messages received, for each process and peer. */
    private final int[] balance;

    Receiver(final State state)
    {
        this.state = state;
        parameters = state.parameters;
        balance = new int[state.processes * state.processes];
    }

    /** Posts a receive. */
    void post(final int process, final int peer)
    {
        if (balance[process * state.processes + peer]++ >= 0)
        {
            state.scripts.missing[process]++;
        }
    }

    /** Retrieves the first item, if it has arrived. */
    boolean retrieve(final int process)
    {
        final Mailboxes boxes = state.mailboxes;
        final long arrival = boxes.headTime(process);
        if (arrival > state.cursor)
        {
            return false;
        }
        final int item = boxes.head(process);
        final int from = boxes.from(item);
        if (boxes.kind(item) == Mailboxes.DATA)
        {
            retrieveData(process, item, from, arrival);
            return true;
        }
        boxes.pop(process);
        final int value = boxes.value(item);
        if (boxes.kind(item) == Mailboxes.SHARED)
        {
            final long timePs = parameters.retrievePs() + value * parameters.copyPs();
            state.cursor += timePs;
            state.tally.retrievePs += timePs;
            complete(process, from, boxes.posted(item));
            return true;
        }
        if (boxes.kind(item) >= Mailboxes.BULK_HERE)
        {
            state.cursor += parameters.retrievePs();
            state.tally.retrievePs += parameters.retrievePs();
            if (boxes.kind(item) == Mailboxes.BULK_HERE)
            {
                complete(process, from, boxes.posted(item));
            }
            else
            {
                state.scripts.fetching[process]--;
            }
            return true;
        }
        state.cursor += parameters.retrieveShortPs();
        state.tally.controlPs += parameters.retrieveShortPs();
        retrieveControl(process, boxes.kind(item), from, value);
        return true;
    }

    private void retrieveControl(final int process, final int kind, final int from, final int value)
    {
        if (kind == Mailboxes.CREDIT)
        {
            state.gain(process, from, value);
            return;
        }
        final Ledger ledger = state.books.ledger(process);
        final int sender = Books.index(process, from);
        state.spend(state.costs.retrievePs());
        state.free(process, 1);
        final boolean isBooked;
        if (kind == Mailboxes.REQUEST)
        {
            isBooked = ledger.onRequestRetrieved(sender);
            state.books.account(process).onRequest(from);
        }
        else
        {
            isBooked = ledger.onResponseRetrieved(sender, value);
        }
        check(isBooked, process, from);
    }

    private void retrieveData(final int process, final int item, final int from, final long arrival)
    {
        final Mailboxes boxes = state.mailboxes;
        final int count = boxes.count(item);
        final int rest = boxes.rest(item);
        final long spacing = boxes.spacing(item);
        final long each = state.retrievePs(process);
        final long booking = state.costs.retrievePs();
        final Ledger ledger = state.books.ledger(process);
        final int sender = Books.index(process, from);
        int done = 0;
        int booked = 0;
        int undecided = ledger == null ? Integer.MAX_VALUE : ledger.undecidedSlots(sender);
        final boolean isDense = spacing <= each + booking;
        while (done < count)
        {
            int step = 1;
            if (isDense)
            {
                // the next packet is here before this one is dealt with
                step = Math.min(count - done, undecided == Integer.MAX_VALUE ? count : undecided + 1);
            }
            else
            {
                final long wait = arrival + done * spacing - state.cursor;
                if (wait > each)
                {
                    break;
                }
                if (wait > 0)
                {
                    state.cursor += wait;
                    state.tally.receiveWaitPs += wait;
                }
            }
            state.cursor += step * (each + booking);
            done += step;
            if (done - booked > undecided)
            {
                book(process, from, ledger, done - 1 - booked);
                check(ledger.onRetrieved(sender, 1, rest + count - done), process, from);
                booked = done;
                undecided = ledger.undecidedSlots(sender);
            }
        }
        book(process, from, ledger, done - booked);
        state.tally.retrievePs += done * each;
        state.tally.protocolPs += done * booking;
        state.free(process, done);
        if (state.pressure != null)
        {
            state.pressure.freed(process, state.cursor);
        }
        if (done < count)
        {
            boxes.delayHead(process, done, arrival + done * spacing);
            return;
        }
        boxes.pop(process);
        finish(process, item, from);
    }

    /** Packets about which the ledger has nothing to decide. */
    private static void book(final int process, final int from, final Ledger ledger, final int packets)
    {
        if (ledger != null && packets > 0)
        {
            check(ledger.onRetrieved(Books.index(process, from), packets), process, from);
        }
    }

    /** The last packet of a burst has been retrieved. */
    private void finish(final int process, final int item, final int from)
    {
        final int completes = state.mailboxes.completes(item);
        final int credits = state.mailboxes.piggybacked(item);
        final long posted = state.mailboxes.posted(item);
        if (credits > 0)
        {
            state.gain(process, from, credits);
        }
        if (completes > FabricParameters.EAGER_LIMIT)
        {
            fetch(process, from, completes, posted);
        }
        else if (completes >= 0)
        {
            complete(process, from, posted);
        }
    }

    /** Bulk is fetched by the cards: a request goes, bytes come, and both sides are told. */
    private void fetch(final int process, final int from, final int length, final long posted)
    {
        final Wire wire = state.wire;
        wire.sendShort(process, from, state.now, state.cursor);
        final long asked = wire.firstArrival;
        final long workPs = parameters.cardPs() + length * parameters.bytePs();
        wire.send(from, process, workPs, parameters.packetPs(), state.now, asked, asked);
        final long here = wire.lastArrival;
        final int arrived = state.mailboxes.add(process, here);
        state.mailboxes.set(arrived, Mailboxes.BULK_HERE, from, 0);
        state.mailboxes.post(arrived, posted);
        state.mailboxes.set(state.mailboxes.add(from, here), Mailboxes.BULK_GONE, process, 0);
        state.tell(from, here);
    }

    private void complete(final int process, final int from, final long posted)
    {
        if (balance[process * state.processes + from]-- > 0)
        {
            state.scripts.missing[process]--;
        }
        state.tally.messages++;
        state.observer.onMessage(from, process, posted, state.cursor);
    }

    private static void check(final boolean isBooked, final int process, final int from)
    {
        if (!isBooked)
        {
            throw new IllegalStateException("ledger refused a packet: receiver=" + process + ", sender=" + from);
        }
    }
}
