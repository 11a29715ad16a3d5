// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.LayoutDiagram;

/** Diagram and offsets of a region memory. */
class RegionDescriptorTest
{
    @Test
    void shouldHoldDiagramAndOffsetsTogether() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(RegionDescriptor.class);
        int end = 0;
        for (final LayoutDiagram.Row row : diagram.rows("magic", "unused"))
        {
            assertEquals(end, row.offset, row.toString());
            end += row.length;
        }
        assertEquals(RegionDescriptor.TABLE_OFFSET, end);
        assertEquals(RegionDescriptor.MAGIC_OFFSET, diagram.row("magic").offset);
        assertEquals(RegionDescriptor.VERSION_OFFSET, diagram.row("layout version").offset);
        assertEquals(RegionDescriptor.RANK_OFFSET, diagram.row("rank of").offset);
        assertEquals(RegionDescriptor.EPOCH_OFFSET, diagram.row("epoch of").offset);
        assertEquals(RegionDescriptor.ENTRIES_OFFSET, diagram.row("number of entries").offset);
        assertEquals(RegionDescriptor.CLOSED_OFFSET, diagram.row("1 if the owner").offset);
        assertEquals(RegionDescriptor.STATE_OFFSET, diagram.row("state word").offset);
        assertEquals(RegionDescriptor.CHUNK_OFFSET, diagram.row("offset of the chunk").offset);
        assertEquals(RegionDescriptor.LENGTH_OFFSET, diagram.row("length of what").offset);
        assertEquals(RegionDescriptor.BORROWER_OFFSET, diagram.row("borrower").offset);
        assertEquals(RegionDescriptor.LOAN_OFFSET, diagram.row("loan word").offset);
        assertEquals(RegionDescriptor.ENTRANT_OFFSET, diagram.row("entrant").offset);
        assertTrue(RegionDescriptor.LOAN_OFFSET / 64 > RegionDescriptor.BORROWER_OFFSET / 64, "writers share a line");
        assertEquals(RegionDescriptor.entryOffset(1), RegionDescriptor.entryOffset(0) + RegionDescriptor.ENTRY_LENGTH);
        assertEquals(0, RegionDescriptor.memoryOffset(1) % 4_096);
        assertTrue(RegionDescriptor.memoryOffset(1) >= RegionDescriptor.entryOffset(1));
        assertTrue(RegionDescriptor.memoryOffset(RegionDescriptor.MAX_ENTRIES) < 1 << 29, "a memory has offsets of 31 bits");
    }

    @Test
    void shouldTakeWordsApart()
    {
        final long state = RegionDescriptor.stateWord(-2, RegionDescriptor.KIND_LOAN, 5);
        assertEquals(-2, RegionDescriptor.generation(state));
        assertEquals(RegionDescriptor.KIND_LOAN, RegionDescriptor.kind(state));
        assertEquals(5, RegionDescriptor.rights(state));
        assertEquals(-1, RegionDescriptor.generation(RegionDescriptor.loanWord(-1, RegionDescriptor.LOAN_RELEASED)));
        assertEquals(7, RegionDescriptor.rank(RegionDescriptor.borrowerWord(7, -3)));
        assertEquals(-3, RegionDescriptor.epoch(RegionDescriptor.borrowerWord(7, -3)));
    }

    @Test
    void shouldRefuseChunksOutsideOfWhatIsReserved()
    {
        final int first = RegionDescriptor.memoryOffset(10);
        assertTrue(RegionDescriptor.isChunk(first, 1_024, 10, first + 1_024));
        assertFalse(RegionDescriptor.isChunk(first, 1_025, 10, first + 1_024));
        assertFalse(RegionDescriptor.isChunk(first - 1_024, 1, 10, first + 1_024));
        assertFalse(RegionDescriptor.isChunk(first + 8, 1, 10, first + 1_024));
        assertFalse(RegionDescriptor.isChunk(first, 0, 10, first + 1_024));
        assertFalse(RegionDescriptor.isChunk(first, Long.MAX_VALUE, 10, first + 1_024));
        assertFalse(RegionDescriptor.isChunk(Long.MIN_VALUE, 8, 10, first + 1_024));
        assertFalse(RegionDescriptor.isChunk(first + 1_024, 1, 10, first + 1_024));
    }
}
