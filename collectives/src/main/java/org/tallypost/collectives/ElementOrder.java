// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.MutableDirectBuffer;

/** Turns elements from one byte order into the other one, where they are. Nothing is allocated. */
final class ElementOrder
{
    private ElementOrder()
    {
    }

    /** Turns the numbers of elements. What has no byte order stays as it is: single bytes, and the unused bytes of a LONG_INT. */
    static void turn(final ElementType type, final MutableDirectBuffer buffer, final int offset, final int count)
    {
        final int length = type.length();
        buffer.boundsCheck(offset, count * length);
        final int end = offset + count * length;
        switch (type)
        {
            case SHORT:
            case CHAR:
                for (int at = offset; at < end; at += length)
                {
                    buffer.putShort(at, Short.reverseBytes(buffer.getShort(at)));
                }
                break;
            case INT:
            case FLOAT:
            case INT_INT:
            case FLOAT_INT:
                for (int at = offset; at < end; at += Integer.BYTES)
                {
                    buffer.putInt(at, Integer.reverseBytes(buffer.getInt(at)));
                }
                break;
            case LONG:
            case DOUBLE:
                for (int at = offset; at < end; at += length)
                {
                    buffer.putLong(at, Long.reverseBytes(buffer.getLong(at)));
                }
                break;
            case LONG_INT:
            case DOUBLE_INT:
                for (int at = offset; at < end; at += length)
                {
                    buffer.putLong(at, Long.reverseBytes(buffer.getLong(at)));
                    buffer.putInt(at + Long.BYTES, Integer.reverseBytes(buffer.getInt(at + Long.BYTES)));
                }
                break;
            default:
                break;
        }
    }
}
