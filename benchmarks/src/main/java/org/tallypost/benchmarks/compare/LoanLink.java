// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.SendRequest;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.node.Node;

/**
 * Messages that are written in place and lent, matched, read in place and released. A part of the memory is filled with the words
 * of a message when it is lent first; from then on only the words that differ from message to message are written.
 */
final class LoanLink implements Link
{
    private static final int MAX_PLACES = 16;
    private static final int MIN_PLACES = 4;
    private static final int PLACES_LENGTH = 32 << 20;
    /** Of loans and views together, with some to spare. */
    private static final int ENTRIES = 8 * MAX_PLACES;

    private final Messenger messenger;
    private final int destination;
    private final RegionMemory memory;
    private final int pageLength;
    private final SendRequest[] sends;
    private final Loan[] loans;
    private final ReceiveRequest[] receives;
    private final LoanedMessage[] messages;
    private final LongHashSet filled = new LongHashSet();
    private int nextSend;
    private int nextReceive;

    LoanLink(final Node node, final Endpoint endpoint, final LinkSpec spec, final int party)
    {
        destination = 1 - party;
        final int length = Transport.messageLength(spec);
        pageLength = spec.mode().pageLength(length);
        final int places = Math.max(MIN_PLACES, Math.min(MAX_PLACES, PLACES_LENGTH / length));
        final int stride = Math.max(RegionMemory.MIN_LENGTH, BitUtil.findNextPositivePowerOfTwo(length));
        memory = RegionMemory.open(node, endpoint, places * stride, ENTRIES, places);
        messenger = Messenger.launch(
            new MessengerContext().endpoint(endpoint).rankCount(spec.parties()).regionMemory(memory));
        sends = new SendRequest[places];
        loans = new Loan[places];
        for (int i = 0; i < places; i++)
        {
            sends[i] = new SendRequest();
            loans[i] = new Loan();
        }
        final boolean isReceiving = spec.mode().isRoundTrip() || party == 0;
        receives = new ReceiveRequest[!isReceiving ? 0 : spec.mode().isRoundTrip() ? 1 : places / 2];
        messages = new LoanedMessage[receives.length];
        for (int i = 0; i < receives.length; i++)
        {
            messages[i] = new LoanedMessage();
            receives[i] = new ReceiveRequest().prepareLoaned(messenger.world(), destination, Beside.MESSAGE_TAG, messages[i]);
            messenger.start(receives[i]);
        }
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int offset, final int length)
    {
        final SendRequest request = sends[nextSend];
        final Loan loan = loans[nextSend];
        if (request.isActive())
        {
            return false;
        }
        final long taken = memory.tryLoan(length, loan);
        if (taken == RegionResult.NO_ROOM)
        {
            return false;
        }
        if (taken < 0)
        {
            throw new IllegalStateException("no loan: " + RegionResult.text(taken));
        }
        write(loan.buffer(), buffer, offset, length);
        if (messenger.send(request, messenger.world(), destination, Beside.MESSAGE_TAG, loan))
        {
            check(request.result());
        }
        nextSend = nextSend + 1 == sends.length ? 0 : nextSend + 1;
        return true;
    }

    private void write(final UnsafeBuffer to, final DirectBuffer buffer, final int offset, final int length)
    {
        if (filled.add(to.addressOffset()))
        {
            to.putBytes(0, buffer, offset, length);
            return;
        }
        for (int at = 0; at < length; at += pageLength)
        {
            to.putLong(at, buffer.getLong(offset + at));
        }
    }

    private static void check(final RequestResult result)
    {
        if (result != RequestResult.SUCCESS)
        {
            throw new IllegalStateException("a request ended with " + result + ", expected " + RequestResult.SUCCESS);
        }
    }

    @Override
    public int poll(final Inlet inlet, final int limit)
    {
        messenger.doWork();
        int count = 0;
        while (count < limit && receives[nextReceive].isDone())
        {
            final ReceiveRequest request = receives[nextReceive];
            final LoanedMessage message = messages[nextReceive];
            check(request.result());
            inlet.onMessage(message.buffer(), 0, request.length());
            message.release();
            messenger.start(request);
            nextReceive = nextReceive + 1 == receives.length ? 0 : nextReceive + 1;
            count++;
        }
        return count;
    }

    @Override
    public void onRefused()
    {
        messenger.doWork();
    }

    @Override
    public boolean flush()
    {
        for (final SendRequest request : sends)
        {
            if (request.isActive())
            {
                messenger.doWork();
                return false;
            }
        }
        return true;
    }
}
