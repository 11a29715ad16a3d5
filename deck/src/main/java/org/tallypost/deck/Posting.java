// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.deck.DeckCounters.Counter;
import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.SendRequest;

/** The way of one message out of this process. It belongs to its message, and is used again. */
final class Posting extends Operation
{
    private static final int BEGUN = 0;
    private static final int SENDING = 1;
    private static final int ANNOUNCED = 2;
    private static final int REFUSED = 3;

    private final Deck deck;
    private final UnsafeBuffer buffer;
    private final SendRequest send = new SendRequest();
    private Destination destination;
    private int length;
    private int sizeClass;
    private int step;
    private int number;
    private int tag;
    private boolean isExhausted;

    Posting(final Deck deck, final UnsafeBuffer buffer)
    {
        this.deck = deck;
        this.buffer = buffer;
    }

    void prepare(final Destination to, final int byteCount)
    {
        destination = to;
        length = byteCount;
        sizeClass = SizeClass.of(byteCount);
        step = BEGUN;
        isExhausted = false;
    }

    boolean isLarge()
    {
        return sizeClass > destination.limit;
    }

    @Override
    boolean attempt(final long nowNs)
    {
        switch (step)
        {
            case BEGUN:
                return destination.failure != null ? fail(destination.failure, "nothing can be posted: " + this) : enter(nowNs);
            case ANNOUNCED:
                return awaitReady(nowNs);
            case REFUSED:
                return refuse();
            default:
                return progress(nowNs);
        }
    }

    private boolean progress(final long nowNs)
    {
        // what the process of an owner has asked for is not for the next one
        if (!send.isDone() && (isLate(nowNs) || isLarge() && destination.failure == DeckFailure.OWNER_GONE))
        {
            deck.messenger().cancel(send);
        }
        return send.isDone() && endSend();
    }

    private boolean enter(final long nowNs)
    {
        if (isLarge())
        {
            deck.count(Counter.POSTED);
            deck.count(Counter.LARGE);
            number = deck.handler().enter(this);
            step = ANNOUNCED;
            tag = ControlDescriptor.BUSY;
            deck.controls().send(destination.rank, ControlDescriptor.ANNOUNCE, number, destination.box, length);
            return false;
        }
        if (!destination.tryTake(sizeClass))
        {
            return awaitToken(nowNs);
        }
        deck.count(Counter.POSTED);
        start(deck.data(), destination.box);
        return progress(nowNs);
    }

    private void start(final Communicator communicator, final int messageTag)
    {
        step = SENDING;
        final Messenger messenger = deck.messenger();
        messenger.send(send, communicator, destination.rank, messageTag, buffer, 0, length);
    }

    private boolean awaitToken(final long nowNs)
    {
        if (!isExhausted)
        {
            isExhausted = true;
            deck.count(Counter.EXHAUSTED);
        }
        if (destination.ask(sizeClass) && deck.isFailingWhenExhausted())
        {
            destination.forgetDenial(sizeClass);
            return fail(DeckFailure.CLASS_EXHAUSTED, "all buffers of a class are in use: class=" + sizeClass + ", " + this +
                "; retrieve and clear messages, or raise DeckContext.buffersPerClass at the owner");
        }
        return isLate(nowNs) && fail(DeckFailure.TIMED_OUT, "no token in time: class=" + sizeClass + ", " + this +
            "; retrieve and clear messages, or wait longer");
    }

    private boolean awaitReady(final long nowNs)
    {
        if (destination.failure != null)
        {
            return leave(destination.failure, "nothing can be posted: " + this);
        }
        if (isLate(nowNs))
        {
            return leave(DeckFailure.TIMED_OUT, "no buffer for a large message in time: " + this +
                "; let the owner's deck work, retrieve and clear large messages, or raise DeckContext.maxLargeBytes there");
        }
        return false;
    }

    private boolean leave(final DeckFailure why, final String text)
    {
        deck.handler().leave(number);
        return fail(why, text);
    }

    /** The owner has a buffer, or says that it has none. The end is for {@link #attempt} to say, as others may use this then. */
    void onReady(final int value)
    {
        tag = value;
        if (value >= 0)
        {
            start(deck.large(), value);
        }
        else
        {
            step = REFUSED;
        }
    }

    private boolean refuse()
    {
        if (tag == ControlDescriptor.CLOSED)
        {
            return leave(DeckFailure.BOX_CLOSED, "the mail box is closed: " + this);
        }
        return leave(tag == ControlDescriptor.TOO_LONG ? DeckFailure.TOO_LONG : DeckFailure.BUSY,
            "the owner has no room for such a message: " + this + "; raise DeckContext.maxLargeBytes there");
    }

    boolean isFrom(final int rank)
    {
        return destination.rank == rank && step == ANNOUNCED && isActive();
    }

    private boolean endSend()
    {
        final RequestResult result = send.result();
        final boolean isLargeOne = isLarge();
        if (isLargeOne)
        {
            deck.handler().leave(number);
        }
        if (result == RequestResult.SUCCESS)
        {
            return end();
        }
        if (result == RequestResult.CANCELLED && destination.failure == DeckFailure.OWNER_GONE)
        {
            return fail(DeckFailure.OWNER_GONE, "the message was not sent: " + this);
        }
        if (result == RequestResult.CANCELLED)
        {
            if (isLargeOne)
            {
                deck.controls().send(destination.rank, ControlDescriptor.CANCEL, tag, destination.box, 0);
            }
            else
            {
                destination.give(sizeClass, 1);
            }
            return fail(DeckFailure.TIMED_OUT, "the message did not go in time: " + this +
                "; let the owner's deck work, or wait longer");
        }
        final boolean isGone = result == RequestResult.PEER_GONE;
        destination.failure = isGone ? DeckFailure.OWNER_GONE : destination.failure;
        return fail(isGone ? DeckFailure.OWNER_GONE : result == RequestResult.CLOSED ? DeckFailure.CLOSED : DeckFailure.FAILED,
            "the message was not sent: " + this + ", result=" + result);
    }

    /** Its buffer may be read until the messenger is closed too. */
    @Override
    void abandon()
    {
        fail(DeckFailure.CLOSED, "the deck was closed: " + this);
    }

    @Override
    public String toString()
    {
        return length + " bytes to " + destination;
    }
}
