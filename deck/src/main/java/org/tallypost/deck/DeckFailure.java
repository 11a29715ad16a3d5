// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

/** Why something of a {@link Deck} was not done. */
public enum DeckFailure
{
    /** The time was over. */
    TIMED_OUT,
    /** Another mail box has the name. */
    DUPLICATE_NAME,
    /** The process with the mail box has ended, or the link to its node broke, or its deck was closed. */
    OWNER_GONE,
    /** The mail box was closed. */
    BOX_CLOSED,
    /** No buffer of the message's class is free, and {@link DeckContext#failWhenExhausted(boolean)} is set. */
    CLASS_EXHAUSTED,
    /** The message is longer than {@link DeckContext#maxLargeBytes(long)} of the owner. */
    TOO_LONG,
    /** The other side has as many of these waiting as it keeps. */
    BUSY,
    /** The thread that works for the deck has done no round in time: {@link Deck#doWork()}. */
    NOT_WORKED,
    /** The deck or its endpoint is closed. */
    CLOSED,
    /** The messenger could not send the message. Its exception has gone to the thread that works for the deck. */
    FAILED
}
