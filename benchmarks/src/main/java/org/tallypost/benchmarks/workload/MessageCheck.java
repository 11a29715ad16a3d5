// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.agrona.DirectBuffer;

/**
 * Compares what arrives with what was sent. A message that differs is counted, not thrown: the run goes on to its end and is
 * then reported as not verified. For one thread.
 */
public final class MessageCheck
{
    private final Pattern pattern;
    private final int messageLength;
    private boolean allBytes;
    private long checked;
    private long packets;
    private long mismatches;
    private String firstMismatch;

    /**
     * Creates a check.
     *
     * @param pattern       that messages are windows of.
     * @param messageLength that every message must have, in bytes.
     */
    public MessageCheck(final Pattern pattern, final int messageLength)
    {
        this.pattern = pattern;
        this.messageLength = messageLength;
    }

    /**
     * Chooses between the comparison of all bytes and that of length, tag, first and last word.
     *
     * @param allBytes true for all bytes.
     */
    public void allBytes(final boolean allBytes)
    {
        this.allBytes = allBytes;
    }

    /**
     * Are all bytes compared?
     *
     * @return true in the verified steps.
     */
    public boolean isAllBytes()
    {
        return allBytes;
    }

    /**
     * Compares one message.
     *
     * @param source      rank that it came from.
     * @param dest        rank that it arrived at.
     * @param round       number that it should have within its pair; the tag is its low 32 bits.
     * @param tag         that arrived.
     * @param buffer      that was delivered.
     * @param offset      in it.
     * @param length      of the message.
     */
    public void check(
        final int source, final int dest, final long round, final int tag,
        final DirectBuffer buffer, final int offset, final int length)
    {
        checked++;
        if (length != messageLength)
        {
            mismatch(source, dest, round, "length: found " + length + ", expected " + messageLength);
        }
        else if (tag != (int)round)
        {
            mismatch(source, dest, round, "tag: found " + tag + ", expected " + (int)round);
        }
        else if (allBytes)
        {
            final int expectedOffset = pattern.offset(source, dest, round);
            final int index = pattern.firstDifference(expectedOffset, buffer, offset, length);
            if (index >= 0)
            {
                mismatch(source, dest, round, "byte " + index + ": found " + buffer.getByte(offset + index) +
                    ", expected " + pattern.buffer().getByte(expectedOffset + index));
            }
        }
        else if (!pattern.endsMatch(pattern.offset(source, dest, round), buffer, offset, length))
        {
            mismatch(source, dest, round, "first or last word differs");
        }
    }

    /** Counts a packet of a message that is compared when all of it is there. */
    public void packet()
    {
        packets++;
    }

    /**
     * Packets counted.
     *
     * @return the number since creation.
     */
    public long packets()
    {
        return packets;
    }

    /**
     * Counts a message that should not have come, or came twice.
     *
     * @param source rank that it came from.
     * @param dest   rank that it arrived at.
     * @param round  in which it arrived.
     * @param what   is wrong.
     */
    public void mismatch(final int source, final int dest, final long round, final String what)
    {
        if (mismatches++ == 0)
        {
            firstMismatch = "message from rank " + source + " to rank " + dest + " in round " + round + ": " + what;
        }
    }

    /**
     * Messages compared.
     *
     * @return the number since creation.
     */
    public long checked()
    {
        return checked;
    }

    /**
     * Messages that were not as sent.
     *
     * @return the number since creation.
     */
    public long mismatches()
    {
        return mismatches;
    }

    /**
     * What was wrong with the first of them.
     *
     * @return a sentence, or null if all were right.
     */
    public String firstMismatch()
    {
        return firstMismatch;
    }
}
