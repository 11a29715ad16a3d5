// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import org.agrona.BufferUtil;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.Request;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.SendRequest;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.node.Node;

/**
 * Matched messages by one way: each way has two ranks of the node, and their messengers are set up so that no other way is taken.
 * An answer is a message without bytes.
 */
final class MatchedBulkParty extends BulkParty
{
    private static final int TAG = 1;
    private static final int ENTRIES = 64;
    private static final int LOANS = 32;
    /** Of the longest message: for what is written, read, and not yet collected. */
    private static final int MEMORY_LENGTHS = 4;

    private final BulkWay way;
    private final int peer;
    private final Endpoint endpoint;
    private final RegionMemory memory;
    private final Messenger messenger;
    private final UnsafeBuffer message;
    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();
    private final Loan loan = new Loan();
    private final LoanedMessage loaned = new LoanedMessage();

    /**
     * Opens a rank.
     *
     * @param node      that has two ranks for each way, and the profile that {@link BulkMeter} gives it.
     * @param way       of the messages.
     * @param isSender  whether it sends them.
     * @param maxLength of a message in bytes.
     */
    MatchedBulkParty(final Node node, final BulkWay way, final boolean isSender, final int maxLength)
    {
        this.way = way;
        final int rank = 2 * way.ordinal() + (isSender ? 0 : 1);
        peer = rank ^ 1;
        endpoint = node.open(rank);
        memory = way.isInRegionMemory() ?
            RegionMemory.open(node, endpoint, Math.max(RegionMemory.MIN_LENGTH, MEMORY_LENGTHS * maxLength), ENTRIES, LOANS) :
            null;
        messenger = Messenger.launch(new MessengerContext().endpoint(endpoint).rankCount(node.context().rankCount())
            .regionMemory(memory).crossMemory(way == BulkWay.CROSS)
            .eagerLimit(way == BulkWay.EAGER ? Endpoint.MAX_RUN_LENGTH : 0));
        message = way == BulkWay.REGION && isSender ? memory.register(maxLength, Region.READ).buffer() :
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(maxLength, 128));
    }

    @Override
    void sendAndWait(final int length)
    {
        messenger.receive(receive, messenger.world(), peer, TAG, message, 0, 0);
        if (way == BulkWay.LOAN)
        {
            final long result = memory.tryLoan(length, loan);
            if (result < 0)
            {
                throw new IllegalStateException("a loan was refused: " + RegionResult.text(result));
            }
            stamp(loan.buffer(), length);
            messenger.send(send, messenger.world(), peer, TAG, loan);
        }
        else
        {
            stamp(message, length);
            messenger.send(send, messenger.world(), peer, TAG, message, 0, length);
        }
        await(receive, "an answer");
        await(send, "the end of a send");
    }

    @Override
    void awaitAndAnswer(final int length)
    {
        if (way == BulkWay.LOAN)
        {
            messenger.receiveLoaned(receive, messenger.world(), peer, TAG, loaned);
            await(receive, "a loan");
            check(loaned.buffer(), length);
            loaned.release();
        }
        else
        {
            messenger.receive(receive, messenger.world(), peer, TAG, message, 0, length);
            await(receive, "a message");
            check(message, length);
        }
        messenger.send(send, messenger.world(), peer, TAG, message, 0, 0);
        await(send, "the end of an answer");
    }

    private void await(final Request request, final String what)
    {
        if (!messenger.await(request, PATIENCE_NS))
        {
            throw new IllegalStateException(way.label() + ", message " + number() + ": waited in vain for " + what);
        }
        if (request.result() != RequestResult.SUCCESS)
        {
            throw new IllegalStateException(way.label() + ", message " + number() + ", " + what + ": found " + request.result() +
                ", expected " + RequestResult.SUCCESS);
        }
    }

    /** Messages of this side that went by its way. */
    long taken()
    {
        return switch (way)
        {
            case EAGER -> messenger.counters().sentEager();
            case REGION -> messenger.counters().sentFromRegion();
            case LOAN -> messenger.counters().sentAsLoan();
            case CROSS -> messenger.counters().sentFromMemory();
            default -> messenger.counters().sentAnnounced();
        };
    }

    /** Messages of the other side that had to be asked for. */
    long refused()
    {
        return messenger.counters().placesRefused();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(messenger, memory, endpoint);
    }
}
