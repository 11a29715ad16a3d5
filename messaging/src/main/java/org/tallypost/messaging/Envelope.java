// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

/**
 * What is known of a message without its bytes: {@link Messenger#probe}. It belongs to the program.
 */
public final class Envelope
{
    private int source = Communicator.ANY_SOURCE;
    private int tag = Communicator.ANY_TAG;
    private int length;

    /** An envelope of no message. */
    public Envelope()
    {
    }

    void set(final int newSource, final int newTag, final int newLength)
    {
        source = newSource;
        tag = newTag;
        length = newLength;
    }

    /**
     * From where the message came.
     *
     * @return rank in the communicator that was probed.
     */
    public int source()
    {
        return source;
    }

    /**
     * Tag of the message.
     *
     * @return the tag.
     */
    public int tag()
    {
        return tag;
    }

    /**
     * Length of the message.
     *
     * @return in bytes.
     */
    public int length()
    {
        return length;
    }
}
