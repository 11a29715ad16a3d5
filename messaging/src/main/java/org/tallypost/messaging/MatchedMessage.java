// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.tallypost.messaging.internal.matching.UnexpectedMessages;

/**
 * A message that {@link Messenger#matchedProbe} has taken out of matching: no other receive gets it. It counts in its sender's
 * window until {@link Messenger#receive(ReceiveRequest, MatchedMessage, org.agrona.MutableDirectBuffer, int, int)} takes it.
 * If its sender is gone by then, it takes memory beyond {@link MessengerContext#maxUnexpectedBytes()}, so that the sender's next
 * incarnation has its whole window: receive it soon. It belongs to the program, and can be used again after that.
 */
public final class MatchedMessage
{
    private final Envelope envelope = new Envelope();
    int entry = UnexpectedMessages.NONE;
    /** {@link Pair.Incoming#lives} of its sender, when the message was taken. */
    long life;
    Communicator communicator;

    /** No message. */
    public MatchedMessage()
    {
    }

    /**
     * Source, tag and length.
     *
     * @return what is known of the last message that was taken.
     */
    public Envelope envelope()
    {
        return envelope;
    }

    /**
     * Whether a message was taken and not received.
     *
     * @return true if so.
     */
    public boolean isHeld()
    {
        return entry != UnexpectedMessages.NONE;
    }

    void checkHeld(final boolean isExpected)
    {
        if (isHeld() != isExpected)
        {
            throw new IllegalStateException(isExpected ? "no message was taken: call matchedProbe() first" :
                "a message is held: source=" + envelope.source() + ", tag=" + envelope.tag() + "; receive it first");
        }
    }
}
