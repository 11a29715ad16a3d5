// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.collectives.internal.Arena;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.mailbox.LayoutDiagram;

class ArenaDescriptorTest
{
    @Test
    void shouldHoldDiagramAndOffsetsTogether() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(ArenaDescriptor.class);
        assertEquals(ArenaDescriptor.MAGIC_OFFSET, diagram.row("magic").offset);
        assertEquals(ArenaDescriptor.VERSION_OFFSET, diagram.row("version").offset);
        assertEquals(ArenaDescriptor.MEMBERS_OFFSET, diagram.row("members").offset);
        assertEquals(ArenaDescriptor.FILE_LENGTH_OFFSET, diagram.row("file length").offset);
        assertEquals(ArenaDescriptor.TEAM_OFFSET, diagram.row("team").offset);
        assertEquals(ArenaDescriptor.VIEW_OFFSET, diagram.row("view").offset);
        assertEquals(ArenaDescriptor.WINDOW_OFFSET, diagram.row("window").offset);
        assertEquals(ArenaDescriptor.BLOCK_LENGTH_OFFSET, diagram.row("block length").offset);
        assertEquals(ArenaDescriptor.DECISION_OFFSET, diagram.row("decision").offset);
        assertEquals(ArenaDescriptor.TABLE_OFFSET, diagram.row("table of algorithms").offset);
        assertEquals(ArenaDescriptor.TABLE_LENGTH, diagram.row("table of algorithms").length);
        assertEquals(ArenaDescriptor.STEP_OFFSET, diagram.row("step, plus 1").offset);
        assertEquals(ArenaDescriptor.OPERATIONS_OFFSET, diagram.row("operations").offset);
        assertEquals(ArenaDescriptor.CONSUMED_WITH_OFFSET, diagram.row("consumed with").offset);
        assertEquals(ArenaDescriptor.PAYLOAD_OFFSET, diagram.row("payload").offset);
        assertEquals(ArenaDescriptor.MAX_INLINE_LENGTH, diagram.row("payload").length);
        assertEquals(ArenaDescriptor.CONSUMED_OFFSET, diagram.row("consumed steps").offset);
        assertEquals(ArenaDescriptor.INCARNATION_OFFSET, diagram.row("incarnation").offset);
        assertEquals(ArenaDescriptor.LEFT_OFFSET, diagram.row("left").offset);
        assertEquals(ArenaDescriptor.AGREED_OFFSET, diagram.row("agreed").offset);
        assertEquals(ArenaDescriptor.MEETING_OFFSET, diagram.row("meeting").offset);
        assertEquals(ArenaDescriptor.RANK_OFFSET, diagram.row("rank").offset);
        assertEquals(ArenaDescriptor.VOTE_OFFSET, diagram.row("vote").offset);
        assertEquals(ArenaDescriptor.FLAGS_OFFSET, diagram.row("flags").offset);
        assertEquals(ArenaDescriptor.ABOUT_OFFSET, diagram.row("what the votes").offset);
        assertEquals(ArenaDescriptor.LIVING_OFFSET, diagram.row("what the votes").offset + Long.BYTES);
        final List<LayoutDiagram.Row> rows = diagram.rows();
        final int payload = rows.indexOf(diagram.row("payload"));
        shouldBeGapless(rows.subList(0, rows.indexOf(diagram.row("step, plus 1"))), ArenaDescriptor.SLEEPING_OFFSET);
        shouldBeGapless(diagram.rows("step, plus 1", "payload"), ArenaDescriptor.LINE_LENGTH);
        shouldBeGapless(rows.subList(payload + 1, rows.indexOf(diagram.row("flags"))), ArenaDescriptor.LINE_LENGTH);
    }

    private static void shouldBeGapless(final List<LayoutDiagram.Row> rows, final int end)
    {
        int expected = 0;
        for (final LayoutDiagram.Row row : rows)
        {
            assertEquals(expected, row.offset, row.toString());
            expected += row.length;
        }
        assertEquals(end, expected);
    }

    @Test
    void shouldKeepWritersOnLinesOfTheirOwn()
    {
        for (int members = 1; members <= 40; members++)
        {
            assertEquals(0, ArenaDescriptor.membersOffset(members) % ArenaDescriptor.LINE_LENGTH);
            assertTrue(ArenaDescriptor.membersOffset(members) >= ArenaDescriptor.SLEEPING_OFFSET + members * Integer.BYTES);
            assertEquals(0, ArenaDescriptor.shortPlacesOffset(members, 4) % ArenaDescriptor.LINE_LENGTH);
            assertEquals(0, ArenaDescriptor.blocksOffset(members, 4) % ArenaDescriptor.LINE_LENGTH);
            assertEquals(members * 4 * 4_608,
                ArenaDescriptor.blocksOffset(members, 4) - ArenaDescriptor.shortPlacesOffset(members, 4));
        }
        assertEquals(5 * 128, ArenaDescriptor.memberLength(4));
        assertEquals(128, ArenaDescriptor.proposalLength(896));
        assertEquals(256, ArenaDescriptor.proposalLength(ArenaDescriptor.MAX_MEMBERS));
        assertEquals(2, ArenaDescriptor.livingWords(65));
        final long vote = ArenaDescriptor.vote((1 << 24) + 7, 200, 0xFFFF_FFF1);
        assertTrue(ArenaDescriptor.isOf(vote, (3 << 24) + 7));
        assertFalse(ArenaDescriptor.isOf(vote, 6));
        assertEquals(200, ArenaDescriptor.about(vote));
        assertEquals(0xFFFF_FFF1, (int)vote);
        assertEquals(1_023, ArenaDescriptor.proposer(ArenaDescriptor.agreed(0xFF_FFFF, 1_023)));
        assertTrue(ArenaDescriptor.isOf(ArenaDescriptor.agreed(0xFF_FFFF, 1_023), -1));
        final long decision = ArenaDescriptor.decision(5, 1_000);
        assertEquals(5, ArenaDescriptor.reason(decision));
        assertEquals(1_000, ArenaDescriptor.member(decision));
    }

    @Test
    void shouldKnowWhichArenasThereMayBe()
    {
        assertTrue(ArenaDescriptor.isValid(8, 4, 16_384));
        assertFalse(ArenaDescriptor.isValid(0, 4, 16_384));
        assertFalse(ArenaDescriptor.isValid(1_025, 4, 1 << 20));
        assertFalse(ArenaDescriptor.isValid(8, 6, 16_384));
        assertFalse(ArenaDescriptor.isValid(8, 2, 16_384));
        assertFalse(ArenaDescriptor.isValid(8, 4, 16_385));
        assertFalse(ArenaDescriptor.isValid(16, 4, 128));
        assertFalse(ArenaDescriptor.isValid(1_000, 64, 1 << 20));
    }

    /** Whatever a header says, attaching refuses it or yields an arena that lies within the memory. */
    @Test
    void shouldRefuseDamagedHeaders()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final byte[] sound = new byte[ArenaDescriptor.DECISION_OFFSET];
        rig.memory.getBytes(0, sound);
        final long seed = System.nanoTime();
        System.out.println("ArenaDescriptorTest: seed=" + seed);
        final Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++)
        {
            rig.memory.putBytes(0, sound);
            final int at = random.nextInt(44);
            rig.memory.putByte(at, (byte)(rig.memory.getByte(at) ^ 1 + random.nextInt(255)));
            assertThrows(IllegalArgumentException.class, () -> Arena.attach(rig.memory, TeamRig.ID, TeamRig.VIEW, 3));
        }
        assertThrows(IllegalArgumentException.class,
            () -> Arena.attach(new UnsafeBuffer(new byte[100]), TeamRig.ID, TeamRig.VIEW, 3));
        assertThrows(IllegalArgumentException.class,
            () -> Arena.initialise(new UnsafeBuffer(new byte[1_000]), 1, 1, new int[2], 4, 1_024));
    }
}
