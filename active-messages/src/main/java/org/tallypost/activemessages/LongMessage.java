// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Puts the pieces of a long message together. A sender has one long request and one long answer under way. One thread. */
final class LongMessage
{
    private static final int NONE = -1;

    private UnsafeBuffer bytes;
    private int message = NONE;
    private int filled;

    /** Takes a piece; true if the message is complete. A first piece begins it anew: its sender gave the former message up. */
    boolean put(
        final int ofMessage, final int total, final int position, final DirectBuffer from, final int offset, final int length)
    {
        if (position == 0)
        {
            bytes = bytes == null ? new UnsafeBuffer(new byte[MessageDescriptor.MAX_LENGTH]) : bytes;
            message = ofMessage;
            filled = 0;
        }
        if (message != ofMessage || position != filled || length > total - filled)
        {
            return false;
        }
        bytes.putBytes(filled, from, offset, length);
        filled += length;
        if (filled == total)
        {
            message = NONE;
            return true;
        }
        return false;
    }

    void lost(final int ofMessage)
    {
        message = message == ofMessage ? NONE : message;
    }

    void clear()
    {
        message = NONE;
    }

    DirectBuffer bytes()
    {
        return bytes;
    }
}
