// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

/** A mail box, here or at another rank, to post to. Made by {@link Deck#cloneMailBox(String)}. Any thread. */
public final class MailBoxReference
{
    private final Deck deck;
    private final Destination destination;

    MailBoxReference(final Deck deck, final Destination destination)
    {
        this.deck = deck;
        this.destination = destination;
    }

    /**
     * The name.
     *
     * @return as it was asked for.
     */
    public String name()
    {
        return destination.name;
    }

    /**
     * Where the mail box is.
     *
     * @return rank of its owner.
     */
    public int rank()
    {
        return destination.rank;
    }

    /**
     * Posts a message, with the time of {@link DeckContext#timeoutNs(long)}: {@link #post(Message, long)}.
     *
     * @param message that was packed.
     */
    public void post(final Message message)
    {
        post(message, deck.timeoutNs());
    }

    /**
     * Posts what was packed.
     *
     * <p>A message of a class that the mail box has buffers of waits for a token of the class, and for room on its way. When this
     * returns, the message may be used again. Tokens are given for each process: up to {@link MailBox#buffersPerClass()} messages
     * of a class that this process has posted are in the mail box. If several processes post so many, the others wait at the
     * owner.
     *
     * <p>A larger message does not block: this returns while it waits for its handshake. It may not be used until
     * {@link Message#isPosted()}. A message that is posted after it may be retrieved before it.
     *
     * @param message   that was packed; empty ones are messages too.
     * @param timeoutNs longest time in nanoseconds, of a large message for its handshake; {@link Deck#FOREVER} for no limit.
     * @throws DeckException         if it was not posted: TIMED_OUT, OWNER_GONE, BOX_CLOSED, CLASS_EXHAUSTED, NOT_WORKED, CLOSED.
     * @throws IllegalStateException if the message is being posted, or belongs to another deck.
     */
    public void post(final Message message, final long timeoutNs)
    {
        deck.post(message, destination, timeoutNs);
    }

    Destination destination()
    {
        return destination;
    }

    @Override
    public String toString()
    {
        return "MailBoxReference{" + destination + ", failure=" + destination.failure + '}';
    }
}
