// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.matching;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.LayoutDiagram;

/** The diagrams of a cell and of an entry say what the offsets say. */
class EntryLayoutTest
{
    @Test
    void shouldFillACellWithAnEntry() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(UnexpectedMessages.class);
        int end = 0;
        for (final LayoutDiagram.Row row : diagram.rows())
        {
            assertEquals(end, row.offset, row.toString());
            end += row.length;
        }
        assertEquals(CellMemory.CELL_LENGTH, end);
        assertEquals(UnexpectedMessages.LINKS_LENGTH, diagram.row("next, any tag").offset);
        assertEquals(UnexpectedMessages.CONTEXT_OFFSET, diagram.row("context").offset);
        assertEquals(UnexpectedMessages.SOURCE_OFFSET, diagram.row("source").offset);
        assertEquals(UnexpectedMessages.TAG_OFFSET, diagram.row("tag").offset);
        assertEquals(UnexpectedMessages.DATA_CELL_OFFSET, diagram.row("first data cell").offset);
        assertEquals(UnexpectedMessages.ID_OFFSET, diagram.row("id of the send").offset);
        assertEquals(UnexpectedMessages.LENGTH_OFFSET, diagram.row("length of the message").offset);
        assertEquals(UnexpectedMessages.ANNOUNCED_OFFSET, diagram.row("announced").offset);
    }

    @Test
    void shouldFillACellWithBytes() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(CellMemory.class);
        assertEquals(CellMemory.NEXT_OFFSET, diagram.row("next cell").offset);
        assertEquals(CellMemory.DATA_OFFSET, diagram.row("bytes").offset);
        assertEquals(CellMemory.DATA_LENGTH, diagram.row("bytes").length);
    }
}
