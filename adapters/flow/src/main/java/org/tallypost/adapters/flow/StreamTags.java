// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** What the messages of a stream are, by their tags. */
final class StreamTags
{
    /** An item, from subscriber to publisher. */
    static final int ITEM = 1;
    /** The stream has ended well. */
    static final int COMPLETE = 2;
    /** The stream has failed; the message says why, in UTF-8. */
    static final int ERROR = 3;
    /** Nobody wants items any more; from publisher to subscriber. */
    static final int CANCEL = 4;
    /** Longest text of a failure, in bytes. */
    static final int MAX_TEXT_LENGTH = 1024;

    private StreamTags()
    {
    }

    static byte[] bytesOf(final Throwable failure)
    {
        final byte[] bytes = failure.toString().getBytes(StandardCharsets.UTF_8);
        return bytes.length <= MAX_TEXT_LENGTH ? bytes : java.util.Arrays.copyOf(bytes, MAX_TEXT_LENGTH);
    }

    static String text(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[Math.min(length, MAX_TEXT_LENGTH)];
        buffer.getBytes(offset, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
