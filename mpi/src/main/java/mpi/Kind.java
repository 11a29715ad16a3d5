// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.tallypost.collectives.ElementType;

/** What an element is. */
enum Kind
{
    BYTE(1, ElementType.BYTE),
    CHAR(2, ElementType.CHAR),
    SHORT(2, ElementType.SHORT),
    BOOLEAN(1, ElementType.BOOLEAN),
    INT(4, ElementType.INT),
    LONG(8, ElementType.LONG),
    FLOAT(4, ElementType.FLOAT),
    DOUBLE(8, ElementType.DOUBLE),
    PACKED(1, ElementType.BYTES),
    /** Its size counts places in an array of objects. */
    OBJECT(1, null);

    private final int size;
    private final ElementType elementType;

    Kind(final int size, final ElementType elementType)
    {
        this.size = size;
        this.elementType = elementType;
    }

    int size()
    {
        return size;
    }

    ElementType elementType()
    {
        return elementType;
    }
}
