// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/**
 * What the elements of a reduction are. All numbers are in the machine's byte order, and may lie at any offset: nothing has to be
 * aligned.
 */
public enum ElementType
{
    /** A signed byte. */
    BYTE(1),
    /** A signed number of 2 bytes. */
    SHORT(2),
    /** An unsigned number of 2 bytes. */
    CHAR(2),
    /** A signed number of 4 bytes. */
    INT(4),
    /** A signed number of 8 bytes. */
    LONG(8),
    /** A number of IEEE 754 of 4 bytes. */
    FLOAT(4),
    /** A number of IEEE 754 of 8 bytes. */
    DOUBLE(8),
    /** A byte: 0 is false, everything else true. A reduction writes 0 or 1. */
    BOOLEAN(1),
    /** An int and the int that says where it is: 8 bytes. */
    INT_INT(8),
    /** A long and, at offset 8, the int that says where it is; 4 unused bytes follow: 16 bytes. */
    LONG_INT(16),
    /** A double and, at offset 8, the int that says where it is; 4 unused bytes follow: 16 bytes. */
    DOUBLE_INT(16),
    /** A float and the int that says where it is: 8 bytes. */
    FLOAT_INT(8),
    /** A byte without a meaning as a number, for operations on bits and for reducers of a program. */
    BYTES(1);

    private final int length;

    ElementType(final int length)
    {
        this.length = length;
    }

    /**
     * Length of an element.
     *
     * @return in bytes, from 1 to 16.
     */
    public int length()
    {
        return length;
    }

    /**
     * Whether it is a number without a place, a BOOLEAN and BYTES excepted.
     *
     * @return true for BYTE to DOUBLE.
     */
    public boolean isNumber()
    {
        return ordinal() <= DOUBLE.ordinal();
    }

    /**
     * Whether it is a whole number without a place.
     *
     * @return true for BYTE to LONG.
     */
    public boolean isInteger()
    {
        return ordinal() <= LONG.ordinal();
    }

    /**
     * Whether it is a number with its place.
     *
     * @return true for INT_INT, LONG_INT, DOUBLE_INT and FLOAT_INT.
     */
    public boolean isLocated()
    {
        return ordinal() >= INT_INT.ordinal() && ordinal() <= FLOAT_INT.ordinal();
    }
}
