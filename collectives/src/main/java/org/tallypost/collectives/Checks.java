// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Checks of what a program has passed. The message names the argument, found and expected. */
final class Checks
{
    private Checks()
    {
    }

    static void isSet(final String what, final Object found)
    {
        if (found == null)
        {
            throw new IllegalArgumentException(what + " is not set: found=null");
        }
    }

    static void range(final String what, final long found, final long least, final long most)
    {
        if (found < least || found > most)
        {
            throw new IllegalArgumentException(what + " out of range: found=" + found + ", expected=" + least + " to " + most);
        }
    }

    /** Makes a view of a part of a buffer, which is checked even if Agrona's checks are switched off. */
    static void wrap(final UnsafeBuffer view, final DirectBuffer buffer, final int offset, final int length)
    {
        buffer.boundsCheck(offset, length);
        view.wrap(buffer, offset, length);
    }

    /** Whether two views have a byte in common. */
    static boolean isOverlapping(final UnsafeBuffer a, final UnsafeBuffer b)
    {
        return a.byteArray() == b.byteArray() && a.addressOffset() < b.addressOffset() + b.capacity() &&
            b.addressOffset() < a.addressOffset() + a.capacity();
    }

    /** What is received may be in the place of what is sent, and not overlap it in another way. */
    static void requireApart(final UnsafeBuffer sent, final UnsafeBuffer received)
    {
        if (sent.addressOffset() != received.addressOffset())
        {
            requireNoneInCommon(sent, received);
        }
    }

    static void requireNoneInCommon(final UnsafeBuffer sent, final UnsafeBuffer received)
    {
        if (sent.capacity() > 0 && received.capacity() > 0 && isOverlapping(sent, received))
        {
            throw new IllegalArgumentException("buffers overlap: found what is received to begin " +
                (received.addressOffset() - sent.addressOffset()) + " bytes behind what is sent, lengths " + received.capacity() +
                " and " + sent.capacity() + ", expected the same place, or no byte in common");
        }
    }

    static void atLeast(final String what, final long found, final long least)
    {
        if (found < least)
        {
            throw new IllegalArgumentException(what + " out of range: found=" + found + ", expected at least " + least);
        }
    }
}
