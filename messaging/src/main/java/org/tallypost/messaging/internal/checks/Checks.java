// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.checks;

import org.agrona.DirectBuffer;

/** Checks of arguments. The messages name what was found and what was expected. Any thread. */
public final class Checks
{
    private Checks()
    {
    }

    /**
     * A number must lie in a range.
     *
     * @param what  name of the argument.
     * @param found its value.
     * @param least smallest valid value.
     * @param most  largest valid value.
     * @throws IllegalArgumentException if it does not.
     */
    public static void range(final String what, final int found, final int least, final int most)
    {
        if (found < least || found > most)
        {
            throw new IllegalArgumentException(what + " is out of range: found=" + found + ", expected=" + least + " to " + most);
        }
    }

    /**
     * Bytes must lie within their buffer as it is. The buffer's own checks can be switched off, these cannot.
     *
     * @param buffer that holds or gets the bytes.
     * @param offset of them in it.
     * @param length of them.
     * @throws IndexOutOfBoundsException if they do not.
     */
    public static void within(final DirectBuffer buffer, final int offset, final int length)
    {
        if ((offset | length) < 0 || offset > buffer.capacity() - length)
        {
            throw new IndexOutOfBoundsException("bytes lie outside of their buffer: found offset=" + offset + ", length=" +
                length + ", expected=0 to " + buffer.capacity());
        }
    }
}
