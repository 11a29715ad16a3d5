// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.LayoutDiagram;
import org.tallypost.mailbox.Mailbox;

class LaneDescriptorTest
{
    @TempDir
    private File directory;

    @Test
    void shouldHoldDiagramAndOffsetsTogether() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(LaneDescriptor.class);
        assertEquals(LaneDescriptor.READ_POSITION_OFFSET, diagram.row("read position").offset);
        assertEquals(LaneDescriptor.GIVEN_OFFSET, diagram.row("credits given").offset);
        assertEquals(LaneDescriptor.READ_WITHIN_OFFSET, diagram.row("read of the slot there").offset);
        assertEquals(LaneDescriptor.PAID_POSITION_OFFSET, diagram.row("paid position").offset);
        MailboxDescriptorTest.shouldBeGapless(diagram.rows(), LaneDescriptor.SLOTS_OFFSET);
    }

    /** The header of a short run, bit by bit as the diagram has it. */
    @Test
    void shouldCodeTheHeaderOfAShortRun()
    {
        final long header = LaneDescriptor.shortHeader(0xA, 0x89AB_CDEF) | LaneDescriptor.lengthBits(56) |
            MailboxDescriptor.lapBits(0xFEDC) | LaneDescriptor.GOES_ON;
        assertEquals(0xFEDCL << 48 | 1L << 47 | 56L << 40 | 15L << 36 | 0xAL << 32 | 0x89AB_CDEFL, header);
        assertEquals(56, LaneDescriptor.shortLength(header));
        assertEquals(0xA, MailboxDescriptor.flags(header));
        assertEquals(LaneDescriptor.shortKind(MailboxDescriptor.lapBits(0xFEDC)), header & LaneDescriptor.SHORT_MASK);
        assertEquals(0, LaneDescriptor.closed(MailboxDescriptor.lapBits(1)) & LaneDescriptor.SHORT_MASK & 1L << 36);
        assertEquals(1, LaneDescriptor.slots(header));
        assertEquals(1, LaneDescriptor.slots(LaneDescriptor.closed(0)));
        assertEquals(3, LaneDescriptor.slots(MailboxDescriptor.header(5, MailboxDescriptor.TYPE_FIRST_USER, 0, 130, 0)));
        for (int lap = 0; lap <= 0xFFFF; lap++)
        {
            assertNotEquals(lap, MailboxDescriptor.lap(LaneDescriptor.notYet(MailboxDescriptor.lapBits(lap))));
        }
        for (int length = 0; length <= LaneDescriptor.MAX_SHORT_LENGTH; length++)
        {
            final int taken = LaneDescriptor.shortRunLength(length);
            assertTrue(taken % 16 == 0 && taken >= length + 8 && taken < length + 24, "length " + length);
            assertTrue(taken * LaneDescriptor.SHORT_RUNS >= MailboxDescriptor.SLOT_LENGTH);
        }
        for (int found = -200; found < 200; found++)
        {
            final int within = LaneDescriptor.within(found);
            assertTrue(within >= 0 && within <= 48 && within % 16 == 0, "found " + found);
        }
    }

    /** Of the lap before, so that a consumer does not take it; and so that no header of a run or a stamp is taken for it. */
    @Test
    void shouldTellAClaimThatIsOpen()
    {
        final long header = LaneDescriptor.open(0xFFFF, 130, 9);
        assertEquals(0xFFFFL << 48 | 0xFFL << 40 | 1L << 36 | 130L << 20 | 9, header);
        assertEquals(3, LaneDescriptor.slots(header));
        assertTrue(LaneDescriptor.isOpen(header, 0xFFFF));
        for (final int lap : new int[]{0, 1, 0x7FFF, 0xFFFE})
        {
            assertFalse(LaneDescriptor.isOpen(header, lap), "lap " + lap);
        }
        for (int type = 0; type <= MailboxDescriptor.TYPE_LAST; type++)
        {
            assertFalse(LaneDescriptor.isOpen(MailboxDescriptor.header(7, type, 0, 130, 9), 7), "type " + type);
        }
        assertFalse(LaneDescriptor.isOpen(LaneDescriptor.shortHeader(1, 9) | MailboxDescriptor.lapBits(7), 7));
    }

    @Test
    void shouldKeepWritersOnLinesOfTheirOwn()
    {
        final int[] offsets = {
            LaneDescriptor.READ_POSITION_OFFSET, LaneDescriptor.PAID_POSITION_OFFSET, LaneDescriptor.SLOTS_OFFSET};
        for (int i = 1; i < offsets.length; i++)
        {
            assertEquals(0, offsets[i] % MailboxDescriptor.LINE_LENGTH);
            assertTrue(offsets[i] - offsets[i - 1] >= MailboxDescriptor.LINE_LENGTH);
        }
        for (int slots = LaneDescriptor.MIN_LANE_SLOTS; slots <= LaneDescriptor.MAX_LANE_SLOTS; slots <<= 1)
        {
            final int spare = LaneDescriptor.length(slots) - LaneDescriptor.SLOTS_OFFSET - slots * 64;
            assertTrue(spare >= (LaneDescriptor.runSlots(slots) - 1) * 64, "no room for a run at the end, slots=" + slots);
            assertTrue(2 * LaneDescriptor.runSlots(slots) <= slots, "two runs fit, slots=" + slots);
        }
    }

    @Test
    void shouldPlaceLanesBehindTheRingEachOnLinesOfItsOwn()
    {
        for (final int laneSlots : new int[]{8, 64, 256})
        {
            for (int runSlots = 1; runSlots <= 33; runSlots += 4)
            {
                final Mailbox box = Mailbox.create(new File(directory, "box"), 7, 1, 3, 64, runSlots, 4, laneSlots);
                int end = MailboxDescriptor.ringOffset(3) + (64 + runSlots - 1) * 64;
                for (int lane = 0; lane < 4; lane++)
                {
                    final int offset = box.laneOffset(lane);
                    assertTrue(offset >= end && offset - end < 128, "lane " + lane);
                    assertEquals(0, offset % MailboxDescriptor.LINE_LENGTH);
                    end = offset + LaneDescriptor.length(laneSlots);
                }
                assertTrue(end <= box.buffer().capacity() && box.buffer().capacity() - end < 4096);
                assertThrows(IndexOutOfBoundsException.class, () -> box.laneOffset(4));
                assertThrows(IndexOutOfBoundsException.class, () -> box.laneOffset(-1));
            }
        }
    }

    @Test
    void shouldMapTheLargestMailboxWithLanesWithIntegerOffsets()
    {
        final long length = MailboxDescriptor.fileLength(
            MailboxDescriptor.MAX_SOURCES, MailboxDescriptor.MAX_RING_SLOTS, MailboxDescriptor.MAX_RUN_SLOTS,
            LaneDescriptor.MAX_LANES, LaneDescriptor.MAX_LANE_SLOTS);
        assertTrue(length < Integer.MAX_VALUE, "length " + length);
    }

    @Test
    void shouldRefuseLanesThatCannotBe()
    {
        final File file = new File(directory, "none");
        assertThrows(IllegalArgumentException.class, () -> Mailbox.create(file, 7, 1, 1, 8, 2, 5, 8));
        assertThrows(IllegalArgumentException.class, () -> Mailbox.create(file, 7, 1, 1, 8, 2, 1, 4));
        assertThrows(IllegalArgumentException.class, () -> Mailbox.create(file, 7, 1, 1, 8, 2, 1, 12));
        assertThrows(IllegalArgumentException.class, () -> Mailbox.create(file, 7, 1, 1, 8, 2, 1, 1 << 17));
        assertThrows(IllegalArgumentException.class, () -> Mailbox.create(file, 7, 1, 1, 8, 2, 0, 8));
    }
}
