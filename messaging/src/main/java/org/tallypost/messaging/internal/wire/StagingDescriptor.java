// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.wire;

/**
 * A staging area: a region of a receiver that the sender of one long message of another node puts the bytes into, and that the
 * receiver copies them out of. Both words have the tag of the receive in their upper half, and a count of bytes of the message in
 * the lower one.
 *
 * <pre>
 *       0  8   written: by the sender, behind the bytes
 *     128  8   read: by the receiver, asked for by the sender
 * </pre>
 *
 * <p>From 256 to the end is a ring of n bytes: the byte at position p of the message is at p modulo n.
 */
public final class StagingDescriptor
{
    /** How far the sender has written. */
    public static final int WRITTEN_OFFSET = 0;
    /** How far the receiver has copied: what two threads write is 128 bytes apart. */
    public static final int READ_OFFSET = WRITTEN_OFFSET + 128;
    /** Bytes of the message. */
    public static final int RING_OFFSET = READ_OFFSET + 128;
    /** Shortest area in bytes. */
    public static final int MIN_LENGTH = 65_536;

    private StagingDescriptor()
    {
    }

    /** A word that says how many bytes of the message for a receive are written, or read. */
    public static long word(final long receiveId, final int count)
    {
        return (long)tag(receiveId) << Integer.SIZE | count & 0xFFFF_FFFFL;
    }

    /** Whether a word is about the message for a receive. */
    public static boolean isOf(final long word, final long receiveId)
    {
        return (int)(word >>> Integer.SIZE) == tag(receiveId);
    }

    /** The count in a word, which may be any. */
    public static int count(final long word)
    {
        return (int)word;
    }

    private static int tag(final long receiveId)
    {
        return 31 * (int)(receiveId >>> Integer.SIZE) + (int)receiveId;
    }
}
