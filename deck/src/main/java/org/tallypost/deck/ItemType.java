// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

/** What an item of a message is. On the wire: a byte with the code, for arrays and texts an int with the count, the values. */
final class ItemType
{
    static final int BYTE = 1;
    static final int SHORT = 2;
    static final int INT = 3;
    static final int LONG = 4;
    static final int FLOAT = 5;
    static final int DOUBLE = 6;
    /** Added to the code of the elements. */
    static final int ARRAY = 16;
    static final int UTF8 = 32;

    /** Bytes before a value. */
    static final int CODE_LENGTH = 1;
    /** Bytes before the elements of an array, and before a text. */
    static final int HEAD_LENGTH = CODE_LENGTH + Integer.BYTES;

    private static final String[] LABELS = {"nothing", "byte", "short", "int", "long", "float", "double"};
    private static final int[] WIDTHS = {0, 1, 2, 4, 8, 4, 8};

    private ItemType()
    {
    }

    static boolean isKnown(final int code)
    {
        return code == UTF8 || (code & ~ARRAY) >= BYTE && (code & ~ARRAY) <= DOUBLE;
    }

    static boolean hasCount(final int code)
    {
        return code >= ARRAY;
    }

    /** Bytes of one value or element. */
    static int width(final int code)
    {
        return code == UTF8 ? 1 : WIDTHS[code & ~ARRAY];
    }

    static String label(final int code)
    {
        return code == 0 ? LABELS[0] : !isKnown(code) ? "unknown type " + code : code == UTF8 ? "text" :
            LABELS[code & ~ARRAY] + (code >= ARRAY ? "[]" : "");
    }
}
