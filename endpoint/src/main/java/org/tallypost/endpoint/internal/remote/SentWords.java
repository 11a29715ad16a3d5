// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;

/**
 * How many messages of each pair were handed on, in the words of the pairs. For the thread that carries packets, which alone
 * writes these words. A count that an Error keeps from its word is kept, and put before the next one of any pair.
 */
final class SentWords
{
    private final UnsafeBuffer words;
    /** Where the count belongs that was kept from its word; 0, at which no pair's word lies, if there is none. */
    private int owedOffset;
    private long owedWord;

    SentWords(final UnsafeBuffer words)
    {
        this.words = words;
    }

    /** The word as it is with more messages; nothing is written. */
    long more(final int offset, final int messages)
    {
        return RemoteDescriptor.moreSent(words.getLong(offset), messages);
    }

    /** Writes a word. If that throws, {@link #putOwed} has to be called before the next count. */
    void put(final int offset, final long word)
    {
        try
        {
            words.putLongRelease(offset, word);
        }
        catch (final Throwable t)
        {
            owedOffset = offset;
            owedWord = word;
            throw t;
        }
    }

    /** Writes what was kept from its word, if there is something. */
    void putOwed()
    {
        if (owedOffset != 0)
        {
            words.putLongRelease(owedOffset, owedWord);
            owedOffset = 0;
        }
    }

    /** The word as it is once the ring was counted up to where its consumer stands; nothing is written. */
    long atPlace(final int offset, final RingDrain drain)
    {
        return RemoteDescriptor.sentWord(RemoteDescriptor.sentCount(words.getLong(offset)), drain.position() - 1);
    }

    /** Counts the message that ends with the run at the place of the ring, once. */
    void countRun(final int offset, final RingDrain drain)
    {
        final long word = words.getLong(offset);
        if (!drain.isCounted(word))
        {
            words.putLongRelease(offset, RemoteDescriptor.sentWord(RemoteDescriptor.sentCount(word) + 1, drain.position()));
        }
    }

    /** Counts a nudge. The sender looks at this word when the ring's read position is beyond it, which is published later. */
    void countNudge(final int line)
    {
        final int offset = line + RemoteDescriptor.NUDGES_OFFSET;
        words.putLongRelease(offset, words.getLong(offset) + 1);
    }
}
