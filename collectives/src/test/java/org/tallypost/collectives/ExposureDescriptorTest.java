// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.collectives.internal.ExposureDescriptor;
import org.tallypost.mailbox.LayoutDiagram;

class ExposureDescriptorTest
{
    @Test
    void shouldHoldDiagramAndOffsetsTogether() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(ExposureDescriptor.class);
        int expected = 0;
        for (final LayoutDiagram.Row row : diagram.rows().subList(0, 6))
        {
            assertEquals(expected, row.offset, row.toString());
            expected += row.length;
        }
        assertEquals(ExposureDescriptor.LENGTH, expected);
        assertEquals(ExposureDescriptor.SHARE_OFFSET_OFFSET, diagram.rows().get(6).offset);
        assertEquals(ExposureDescriptor.SHARE_LENGTH_OFFSET, diagram.rows().get(7).offset);
        assertEquals(ExposureDescriptor.SHARE_EXPECTED_OFFSET, diagram.rows().get(8).offset);
        assertEquals(ExposureDescriptor.SHARE_LENGTH, diagram.rows().get(8).offset + diagram.rows().get(8).length);
        assertEquals(9, diagram.rows().size());
        assertEquals(ExposureDescriptor.KIND_OFFSET, diagram.rows().get(0).offset);
        assertEquals(ExposureDescriptor.OVERWRITTEN_OFFSET, diagram.rows().get(1).offset);
        assertEquals(ExposureDescriptor.MEMORY_OFFSET, diagram.rows().get(2).offset);
        assertEquals(ExposureDescriptor.LONGEST_OFFSET, diagram.rows().get(3).offset);
        assertEquals(ExposureDescriptor.DATA_OFFSET_OFFSET, diagram.rows().get(4).offset);
        assertEquals(ExposureDescriptor.DATA_LENGTH_OFFSET, diagram.rows().get(5).offset);
        assertTrue(ExposureDescriptor.LENGTH <= ArenaDescriptor.MAX_INLINE_LENGTH, "it has a place in a line");
        for (int members = 1; members <= ArenaDescriptor.MAX_MEMBERS; members++)
        {
            final int least = Math.max(ArenaDescriptor.LINE_LENGTH, members * ArenaDescriptor.MIN_SHARE_LENGTH);
            assertTrue(ExposureDescriptor.lengthWithShares(members) <= least, "it has a place in a block of " + members);
        }
    }
}
