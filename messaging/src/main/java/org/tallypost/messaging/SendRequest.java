// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.DirectBuffer;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.Region;

/**
 * A send: {@link Messenger#send}, {@link Messenger#sendSynchronous}, or prepared and started any number of times. Its buffer must
 * not change as long as it is active.
 */
public final class SendRequest extends Request
{
    DirectBuffer buffer;
    SendMode mode = SendMode.STANDARD;
    /** It was announced: its bytes are still here. */
    boolean isAnnounced;
    boolean isCancelWanted;
    /** Its bytes cannot go: it ends as soon as its receiver has heard of it. */
    boolean isFailed;
    /** That has the bytes; null if the buffer is the program's. */
    Loan loan;
    /** The receiver knows where the bytes are. */
    boolean isPlaced;
    /** How many times there was no room for it in one run. */
    int refusals;
    /** Of the receive that is to get the bytes. */
    long receiveId;
    /** Bytes that the receive takes. */
    int wanted;
    /** Bytes that have gone. */
    int moved;
    /** The part that goes now; null if none does. */
    DataSend data;
    /** Puts the bytes into an area of the receiver; null if none does. */
    StagedSend staged;
    /** Has a copy of the bytes; null if there is none. */
    Region copy;
    /** There was no room for a copy. */
    boolean isCopyRefused;

    /** A request that can be used with any messenger. */
    public SendRequest()
    {
    }

    /**
     * Says what the send is for, without starting it: {@link Messenger#start(SendRequest)} does, as often as the program likes.
     *
     * @param sendMode     when it is done.
     * @param communicator of sender and receiver.
     * @param dest         rank of the receiver in it.
     * @param messageTag   at least 0.
     * @param from         buffer that holds the message.
     * @param at           offset of the message in bytes.
     * @param count        length of the message in bytes.
     * @return this.
     * @throws IllegalStateException if it is active, or the communicator was freed.
     * @throws IllegalArgumentException if rank, tag or length cannot be.
     * @throws IndexOutOfBoundsException if the message lies outside its buffer.
     */
    public SendRequest prepare(
        final SendMode sendMode, final Communicator communicator, final int dest, final int messageTag, final DirectBuffer from,
        final int at, final int count)
    {
        checkFree();
        check(communicator, dest, messageTag, 0);
        checkRange(from, at, count);
        mode = sendMode;
        buffer = from;
        loan = null;
        fill(communicator, communicator.endpointRank(dest), messageTag, at, count);
        return this;
    }

    /**
     * Says that the send lends its message. It is done when the message is matched, and the receiver has what it wanted of it:
     * without a copy if that asked for a loan. A receiver that cannot borrow, as on another node, gets the bytes as ever.
     *
     * @param communicator of sender and receiver.
     * @param dest         rank of the receiver in it.
     * @param messageTag   at least 0.
     * @param from         that is being written, of the messenger's {@link MessengerContext#regionMemory}. It is free for another
     *                     loan if the result is {@link RequestResult#SUCCESS}. Else it can be written still, unless its buffer
     *                     has length 0: then the receiver has it, or its memory came back. From the start of the send to its
     *                     end the handle refuses to be lent, taken back, cancelled or used for another loan.
     * @return this.
     * @throws IllegalStateException if the request is active, the communicator was freed, or nothing is being written.
     * @throws IllegalArgumentException if rank or tag cannot be.
     */
    public SendRequest prepare(final Communicator communicator, final int dest, final int messageTag, final Loan from)
    {
        final int count = from.buffer().capacity();
        if (count == 0)
        {
            throw new IllegalStateException("nothing to lend: found " + from + ", expected one that is being written");
        }
        prepare(SendMode.STANDARD, communicator, dest, messageTag, from.buffer(), 0, count);
        loan = from;
        return this;
    }

    /** That of a region that was closed has none. Looked at here, as the buffer's own checks can be switched off. */
    void checkBytes()
    {
        if (buffer.capacity() - offset < length)
        {
            throw new IndexOutOfBoundsException("the buffer of a send has become shorter: found=" + buffer.capacity() +
                ", expected=" + (offset + length) + ", " + this);
        }
    }

    boolean isSynchronous()
    {
        return mode == SendMode.SYNCHRONOUS;
    }

    boolean isLoan()
    {
        return loan != null;
    }

    /** Misuse: the loan was lent or given up since the send was prepared, or another send has it. */
    void checkLoan()
    {
        if (loan != null && (loan.isInSend() || buffer.capacity() != length))
        {
            throw new IllegalStateException("nothing to lend: found " + loan + ", expected a length of " + length);
        }
    }

    /** The send begins: the program leaves the loan alone. */
    void holdLoan()
    {
        if (loan != null)
        {
            loan.enterSend(this);
        }
    }

    /** As {@link Loan#lend}, within the send. */
    long lend(final int dest)
    {
        loan.leaveSend(this);
        try
        {
            return loan.lend(dest);
        }
        finally
        {
            loan.enterSend(this);
        }
    }

    /** As {@link Loan#takeBack}, within the send. */
    boolean takeBack()
    {
        loan.leaveSend(this);
        try
        {
            return loan.takeBack();
        }
        finally
        {
            loan.enterSend(this);
        }
    }

    /** What becomes of the loan when the send is over. */
    void endLoan(final RequestResult result)
    {
        if (loan == null)
        {
            return;
        }
        loan.leaveSend(this);
        if (isPlaced && result != RequestResult.SUCCESS)
        {
            loan.takeBack();
        }
        else if (!isPlaced && result == RequestResult.SUCCESS)
        {
            loan.cancel();
        }
    }
}
