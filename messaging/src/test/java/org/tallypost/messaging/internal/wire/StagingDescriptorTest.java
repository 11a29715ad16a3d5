// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.LayoutDiagram;

class StagingDescriptorTest
{
    @Test
    void shouldBeLaidOutAsTheDiagramShows() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(StagingDescriptor.class);
        assertEquals(StagingDescriptor.WRITTEN_OFFSET, diagram.row("written").offset);
        assertEquals(StagingDescriptor.READ_OFFSET, diagram.row("read").offset);
        assertEquals(Long.BYTES, diagram.row("written").length);
        assertEquals(Long.BYTES, diagram.row("read").length);
        assertEquals(2, diagram.rows().size());
    }

    @Test
    void shouldSayForWhichReceiveAndHowFar()
    {
        final long id = 0x1234_5678_0000_0007L;
        for (final int count : new int[]{0, 1, 65_536, Integer.MAX_VALUE})
        {
            final long word = StagingDescriptor.word(id, count);
            assertEquals(count, StagingDescriptor.count(word));
            assertTrue(StagingDescriptor.isOf(word, id));
            assertFalse(StagingDescriptor.isOf(word, id + (1L << Integer.SIZE)), "the next use of the number");
            assertFalse(StagingDescriptor.isOf(word, id + 1), "another number");
        }
    }
}
