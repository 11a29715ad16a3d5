// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.LayoutDiagram;

/** The layout of a mailbox, and the diagram of it. */
public class MailboxDescriptorTest
{
    @Test
    void shouldHoldDiagramAndOffsetsTogether() throws IOException
    {
        final Map<String, Integer> offsets = new LinkedHashMap<>();
        offsets.put("magic", MailboxDescriptor.MAGIC_OFFSET);
        offsets.put("layout version", MailboxDescriptor.VERSION_OFFSET);
        offsets.put("mailbox id", MailboxDescriptor.ID_OFFSET);
        offsets.put("file length", MailboxDescriptor.FILE_LENGTH_OFFSET);
        offsets.put("ring slots", MailboxDescriptor.RING_SLOTS_OFFSET);
        offsets.put("max run slots", MailboxDescriptor.RUN_SLOTS_OFFSET);
        offsets.put("max sources", MailboxDescriptor.SOURCES_OFFSET);
        offsets.put("incarnation", MailboxDescriptor.INCARNATION_OFFSET);
        offsets.put("lanes", MailboxDescriptor.LANES_OFFSET);
        offsets.put("lane slots", MailboxDescriptor.LANE_SLOTS_OFFSET);
        offsets.put("armed", MailboxDescriptor.ARMED_OFFSET);
        offsets.put("write position", MailboxDescriptor.WRITE_POSITION_OFFSET);
        offsets.put("read position", MailboxDescriptor.READ_POSITION_OFFSET);
        final LayoutDiagram diagram = LayoutDiagram.read(MailboxDescriptor.class);
        offsets.forEach((field, offset) -> assertEquals(offset, diagram.row(field).offset, field));
        shouldBeGapless(diagram.rows(), MailboxDescriptor.SOURCE_LINES_OFFSET);
        assertEquals(MailboxDescriptor.SOURCE_LINES_OFFSET, MailboxDescriptor.sourceLineOffset(0));
    }

    public static void shouldBeGapless(final List<LayoutDiagram.Row> rows, final int end)
    {
        int offset = 0;
        for (final LayoutDiagram.Row row : rows)
        {
            assertEquals(offset, row.offset, "gap or overlap before " + row);
            assertTrue(row.length > 8 || row.offset % row.length == 0, "not aligned: " + row);
            offset += row.length;
        }
        assertEquals(end, offset);
    }

    @Test
    void shouldKeepWritersOnLinesOfTheirOwn()
    {
        final int[] offsets = {MailboxDescriptor.MAGIC_OFFSET, MailboxDescriptor.WRITE_POSITION_OFFSET,
            MailboxDescriptor.READ_POSITION_OFFSET, MailboxDescriptor.sourceLineOffset(0),
            MailboxDescriptor.sourceLineOffset(1), MailboxDescriptor.sourceLineOffset(2)};
        assertTrue(MailboxDescriptor.ARMED_OFFSET - MailboxDescriptor.INCARNATION_OFFSET >= 8, "a line of its own");
        assertEquals(0, MailboxDescriptor.ARMED_OFFSET % MailboxDescriptor.SLOT_LENGTH);
        for (int i = 1; i < offsets.length; i++)
        {
            assertEquals(0, offsets[i] % MailboxDescriptor.LINE_LENGTH);
            assertTrue(offsets[i] - offsets[i - 1] >= MailboxDescriptor.LINE_LENGTH);
        }
        for (int sources = 1; sources < 200; sources++)
        {
            final int ring = MailboxDescriptor.ringOffset(sources);
            assertEquals(0, ring % 4096);
            assertTrue(ring >= MailboxDescriptor.sourceLineOffset(sources - 1) + MailboxDescriptor.LINE_LENGTH);
            assertTrue(ring - MailboxDescriptor.sourceLineOffset(sources) < 4096);
            assertEquals(0, MailboxDescriptor.fileLength(sources, 8, 3, 0, 0) % 4096);
            assertTrue(MailboxDescriptor.fileLength(sources, 8, 3, 0, 0) >= ring + (8 + 2) * MailboxDescriptor.SLOT_LENGTH);
        }
    }

    @Test
    void shouldMapTheLargestMailboxWithIntegerOffsets()
    {
        final long length = MailboxDescriptor.fileLength(
            MailboxDescriptor.MAX_SOURCES, MailboxDescriptor.MAX_RING_SLOTS, MailboxDescriptor.MAX_RUN_SLOTS, 0, 0);
        assertTrue(length < Integer.MAX_VALUE, "length " + length);
        final long ring = MailboxDescriptor.ringOffset(MailboxDescriptor.MAX_SOURCES);
        assertEquals(MailboxDescriptor.SOURCE_LINES_OFFSET + (1L << 20) * 128 + 4096 - 384, ring);
        assertTrue(ring + ((1L << 24) + 63) * 64 <= length);
    }

    @Test
    void shouldGiveBackWhatAHeaderWasMadeOf()
    {
        final long seed = System.nanoTime();
        System.out.println("MailboxDescriptorTest headers: seed=" + seed);
        final Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++)
        {
            final int lap = random.nextInt(1 << 16);
            final int type = random.nextInt(17) == 16 ? MailboxDescriptor.TYPE_CLAIMED : random.nextInt(16);
            final int flags = random.nextInt(16);
            final int length = random.nextInt(1 << 12);
            final int source = random.nextInt(1 << 20);
            final long header = MailboxDescriptor.header(lap, type, flags, length, source);
            assertEquals(lap, MailboxDescriptor.lap(header));
            assertEquals(type, MailboxDescriptor.type(header));
            assertEquals(flags, MailboxDescriptor.flags(header));
            assertEquals(length, MailboxDescriptor.length(header));
            assertEquals(source, MailboxDescriptor.source(header));
        }
    }

    @Test
    void shouldCountLapsFromOneModuloTwoToTheSixteen()
    {
        assertEquals(1, MailboxDescriptor.lap(0L, 3));
        assertEquals(1, MailboxDescriptor.lap(7L, 3));
        assertEquals(2, MailboxDescriptor.lap(8L, 3));
        assertEquals(32_768, MailboxDescriptor.lap(32_767L << 3, 3), "laps repeat after 65,536, not earlier");
        assertEquals(0, MailboxDescriptor.lap(65_535L << 3, 3));
        assertEquals(1, MailboxDescriptor.lap(65_536L << 3, 3));
        assertNotEquals(MailboxDescriptor.lap(0L, 3), MailboxDescriptor.lap(0L), "a file of zeros holds nothing");
    }

    @Test
    void shouldCountSlotsOfALength()
    {
        for (int length = 0; length <= MailboxDescriptor.payloadLength(MailboxDescriptor.MAX_RUN_SLOTS); length++)
        {
            final int slots = MailboxDescriptor.slots(length);
            assertTrue(MailboxDescriptor.payloadLength(slots) >= length);
            assertTrue(slots == 1 || MailboxDescriptor.payloadLength(slots - 1) < length);
        }
        assertEquals(1, MailboxDescriptor.slots(0));
        assertEquals(33, MailboxDescriptor.slots(2048));
        assertEquals(64, MailboxDescriptor.slots(4088));
        assertEquals(65, MailboxDescriptor.slots(4089));
    }
}
