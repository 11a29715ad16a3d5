// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.internal.layout.BulkQueueDescriptor;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.LinkDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.endpoint.transport.LinkCounters;
import org.tallypost.mailbox.LayoutDiagram;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** The diagrams in the descriptors' comments say what the constants say. */
class DescriptorsTest
{
    private static final Pattern ROW = Pattern.compile("^ \\*\\s+(\\d+)\\s+(?:(\\d+)\\s{1,3})?([a-z].*)$");

    private static Map<String, int[]> rows(final Class<?> descriptor) throws IOException
    {
        final Map<String, int[]> rows = new LinkedHashMap<>();
        for (final String line : Files.readAllLines(
            Path.of("src/main/java", descriptor.getName().replace('.', '/') + ".java")))
        {
            final Matcher matcher = ROW.matcher(line);
            if (matcher.matches())
            {
                final int length = matcher.group(2) == null ? Long.BYTES : Integer.parseInt(matcher.group(2));
                rows.put(matcher.group(3).trim(), new int[]{Integer.parseInt(matcher.group(1)), length});
            }
        }
        return rows;
    }

    private static int offset(final Map<String, int[]> rows, final String field)
    {
        return rows.entrySet().stream().filter((row) -> row.getKey().startsWith(field)).findFirst()
            .orElseThrow(() -> new AssertionError("no row " + field + " in " + rows.keySet())).getValue()[0];
    }

    @Test
    void shouldHoldGroupDiagramAndOffsetsTogether() throws IOException
    {
        final Map<String, int[]> rows = rows(GroupDescriptor.class);
        assertEquals(GroupDescriptor.MAGIC_OFFSET, offset(rows, "magic"));
        assertEquals(GroupDescriptor.VERSION_OFFSET, offset(rows, "layout version"));
        assertEquals(GroupDescriptor.RANKS_OFFSET, offset(rows, "rank count"));
        assertEquals(GroupDescriptor.FILE_LENGTH_OFFSET, offset(rows, "file length"));
        assertEquals(GroupDescriptor.SLOTS_OFFSET, offset(rows, "slots per sender"));
        assertEquals(GroupDescriptor.CREDIT_SLOTS_OFFSET, offset(rows, "credit slots"));
        assertEquals(GroupDescriptor.FLOW_OFFSET, offset(rows, "flow"));
        assertEquals(GroupDescriptor.CREDIT_RETURN_OFFSET, offset(rows, "credit return"));
        assertEquals(GroupDescriptor.RING_SLOTS_OFFSET, offset(rows, "ring slots"));
        assertEquals(GroupDescriptor.PIGGYBACK_OFFSET, offset(rows, "piggyback"));
        assertEquals(GroupDescriptor.NAME_LENGTH_OFFSET, offset(rows, "length of the group's name"));
        assertEquals(GroupDescriptor.NAME_OFFSET, offset(rows, "the group's name"));
        assertEquals(GroupDescriptor.LIVENESS_INTERVAL_OFFSET, offset(rows, "liveness interval"));
        assertEquals(GroupDescriptor.MAX_NAME_LENGTH, rows.get("the group's name")[1]);
        int end = 0;
        for (final Map.Entry<String, int[]> row : rows.entrySet())
        {
            assertEquals(end, row.getValue()[0], "gap or overlap before " + row.getKey());
            end += row.getValue()[1];
        }
        assertEquals(GroupDescriptor.RANK_WORDS_OFFSET, end);
        for (int ranks = 1; ranks < 100; ranks++)
        {
            assertEquals(128 + 8 * (ranks - 1), GroupDescriptor.rankWordOffset(ranks - 1));
            assertEquals(128 + 8 * ranks, GroupDescriptor.ownerOffset(ranks, 0));
            final int counters = GroupDescriptor.countersOffset(ranks, 0);
            assertEquals(0, counters % MailboxDescriptor.LINE_LENGTH);
            assertTrue(counters >= 128 + 16 * ranks && counters < 128 + 16 * ranks + 128);
            assertEquals(counters + (long)ranks * CountersDescriptor.LENGTH, GroupDescriptor.fileLength(ranks));
        }
    }

    @Test
    void shouldKeepTheLargestGroupWithinIntegerOffsets()
    {
        assertTrue(GroupDescriptor.fileLength(MailboxDescriptor.MAX_SOURCES) < Integer.MAX_VALUE);
        assertTrue(GroupDescriptor.countersOffset(MailboxDescriptor.MAX_SOURCES, MailboxDescriptor.MAX_SOURCES - 1) > 0);
    }

    @Test
    void shouldHoldCountersDiagramAndOffsetsTogether() throws Exception
    {
        final List<Integer> drawn = new ArrayList<>();
        rows(CountersDescriptor.class).forEach((field, row) ->
        {
            drawn.add(row[0]);
            assertEquals(0, row[0] % Long.BYTES, field);
            final int line = field.contains("the bulk queue") ? 3 : field.contains("further sending threads") ? 2 :
                field.contains("the polling thread") ? 0 : 1;
            assertEquals(line, row[0] / MailboxDescriptor.LINE_LENGTH, "writers share a line: " + field);
        });
        final List<Integer> defined = new ArrayList<>();
        for (final Field field : CountersDescriptor.class.getDeclaredFields())
        {
            if (field.getName().endsWith("_OFFSET"))
            {
                defined.add(field.getInt(null));
            }
        }
        assertEquals(defined, drawn);
        assertEquals(0, CountersDescriptor.LENGTH % MailboxDescriptor.LINE_LENGTH);
    }

    @Test
    void shouldHoldLinkDiagramOffsetsAndCountersTogether() throws Exception
    {
        final List<Integer> drawn = rows(LinkDescriptor.class).values().stream().map((row) -> row[0]).toList();
        final List<Integer> defined = new ArrayList<>();
        for (final Field field : LinkDescriptor.class.getDeclaredFields())
        {
            if (field.getName().endsWith("_OFFSET"))
            {
                defined.add(field.getInt(null));
            }
        }
        assertEquals(defined, drawn);
        final UnsafeBuffer line = new UnsafeBuffer(ByteBuffer.allocateDirect(2 * LinkDescriptor.LENGTH));
        final LinkCounters counters = new LinkCounters(line, LinkDescriptor.LENGTH);
        final List<Integer> written = new ArrayList<>();
        for (final LinkCounter counter : LinkCounter.values())
        {
            counters.set(counter, 1L + counter.ordinal());
            assertEquals(1L + counter.ordinal(), counters.get(counter));
        }
        for (int at = 0; at < line.capacity(); at += Long.BYTES)
        {
            if (line.getLong(at) != 0)
            {
                written.add(at - LinkDescriptor.LENGTH);
                assertEquals(written.size(), line.getLong(at));
            }
        }
        assertEquals(defined, written);
        assertEquals(0, LinkDescriptor.LENGTH % MailboxDescriptor.LINE_LENGTH);
    }

    @Test
    void shouldHoldPacketDiagramAndOffsetsTogether() throws IOException
    {
        final Map<String, int[]> rows = rows(PacketDescriptor.class);
        assertEquals(PacketDescriptor.TAG_OFFSET, offset(rows, "tag"));
        assertEquals(PacketDescriptor.PIGGYBACK_OFFSET, offset(rows, "credits that travel back"));
        assertEquals(PacketDescriptor.TOTAL_OFFSET, offset(rows, "length of the whole message"));
        assertEquals(PacketDescriptor.NUMBER_OFFSET, offset(rows, "number of the message"));
        assertEquals(0, offset(rows, "credits (credit packet"));
        assertEquals(PacketDescriptor.TAG_OFFSET + 4, PacketDescriptor.PIGGYBACK_OFFSET);
        assertEquals(PacketDescriptor.WORD_LENGTH, PacketDescriptor.PIGGYBACK_OFFSET + 4);
        assertEquals(PacketDescriptor.WORD_LENGTH, PacketDescriptor.TOTAL_OFFSET);
        assertEquals(PacketDescriptor.NUMBER_OFFSET, PacketDescriptor.TOTAL_OFFSET + 4);
        assertEquals(PacketDescriptor.FIRST_LENGTH, PacketDescriptor.TOTAL_OFFSET + 8);
        assertEquals(0x0700_0000, PacketDescriptor.furtherRun(7, 0));
        final int last = PacketDescriptor.furtherRun(0xFF, Endpoint.MAX_MESSAGE_LENGTH - 1);
        assertEquals(-1, last);
        assertEquals(0xFF, PacketDescriptor.number(last));
        assertEquals(Endpoint.MAX_MESSAGE_LENGTH - 1, PacketDescriptor.place(last));
        assertTrue(PacketDescriptor.MAX_OPEN_MESSAGES <= PacketDescriptor.NUMBER_MASK);
        assertEquals(Integer.BYTES, PacketDescriptor.CONTROL_LENGTH);
        assertEquals(0xFFFF, PacketDescriptor.MAX_PIGGYBACK);
        assertTrue(PacketDescriptor.PAIR_OWNER_OFFSET + Long.BYTES <= MailboxDescriptor.LINE_LENGTH);
        assertEquals(33, PacketDescriptor.RUN_SLOTS);
        assertEquals(PacketDescriptor.RUN_SLOTS, Endpoint.slots(Endpoint.MAX_RUN_LENGTH));
        assertTrue(PacketDescriptor.TYPE_RESPONSE <= MailboxDescriptor.TYPE_LAST);
    }

    @Test
    void shouldHoldRemoteDiagramAndOffsetsTogether() throws IOException
    {
        final Map<String, int[]> rows = rows(RemoteDescriptor.class);
        assertEquals(GroupDescriptor.VERSION_OFFSET, offset(rows, "layout version"));
        assertEquals(RemoteDescriptor.RANKS_OFFSET, offset(rows, "ranks P"));
        assertEquals(RemoteDescriptor.FILE_LENGTH_OFFSET, offset(rows, "file length"));
        assertEquals(RemoteDescriptor.NODE_OFFSET, offset(rows, "node "));
        assertEquals(RemoteDescriptor.NODES_OFFSET, offset(rows, "nodes N"));
        assertEquals(RemoteDescriptor.LOCALS_OFFSET, offset(rows, "ranks L"));
        assertEquals(RemoteDescriptor.EGRESS_SLOTS_OFFSET, offset(rows, "slots of an egress ring"));
        assertEquals(PacketDescriptor.PAIR_OWNER_OFFSET, offset(rows, "owner"));
        assertEquals(PacketDescriptor.AWAITED_OFFSET, offset(rows, "awaited"));
        assertEquals(RemoteDescriptor.SENT_OFFSET, offset(rows, "sent"));
        assertEquals(RemoteDescriptor.RECEIVED_OFFSET, offset(rows, "received"));
        assertEquals(RemoteDescriptor.NUDGES_OFFSET, offset(rows, "nudges handed on"));
        assertEquals(RemoteDescriptor.NUDGES_READ_OFFSET, offset(rows, "nudges read"));
        for (int nodes = 2; nodes < 5; nodes++)
        {
            for (int ranks = nodes; ranks < 3 * Long.SIZE; ranks += 7)
            {
                final int locals = ranks / nodes;
                assertEquals(128, RemoteDescriptor.marksOffset(ranks, 0, RemoteDescriptor.GRANT));
                assertEquals(RemoteDescriptor.marksOffset(ranks, 0, RemoteDescriptor.GRANT) +
                    RemoteDescriptor.marksLength(ranks), RemoteDescriptor.marksOffset(ranks, 0, RemoteDescriptor.REQUEST));
                assertTrue(RemoteDescriptor.marksLength(ranks) >= 128 + (ranks + 7) / 8);
                assertEquals(RemoteDescriptor.marksOffset(ranks, locals, RemoteDescriptor.GRANT),
                    RemoteDescriptor.pairLineOffset(ranks, locals, 0, 0));
                assertEquals(0, RemoteDescriptor.pairLineOffset(ranks, locals, 0, 1) % MailboxDescriptor.LINE_LENGTH);
                assertEquals(RemoteDescriptor.pairLineOffset(ranks, locals, 0, 0) + 128L * locals * ranks,
                    RemoteDescriptor.nodeOfRankOffset(ranks, locals, 0));
                assertEquals(4, RemoteDescriptor.nodeOfRankOffset(ranks, locals, 1) -
                    RemoteDescriptor.nodeOfRankOffset(ranks, locals, 0));
                assertTrue(RemoteDescriptor.nodeOfRankOffset(ranks, locals, ranks) <=
                    RemoteDescriptor.linkOffset(ranks, locals, 0));
                assertEquals(RemoteDescriptor.linkOffset(ranks, locals, 0) + nodes * LinkDescriptor.LENGTH,
                    RemoteDescriptor.fileLength(ranks, locals, nodes));
                assertEquals(0, RemoteDescriptor.fileLength(ranks, locals, nodes) % MailboxDescriptor.LINE_LENGTH);
            }
        }
    }

    @Test
    void shouldHoldBulkQueueDiagramAndOffsetsTogether() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(BulkQueueDescriptor.class);
        assertEquals(BulkQueueDescriptor.MAGIC_OFFSET, diagram.row("magic").offset);
        assertEquals(BulkQueueDescriptor.VERSION_OFFSET, diagram.row("layout version").offset);
        assertEquals(BulkQueueDescriptor.RANK_OFFSET, diagram.row("rank ").offset);
        assertEquals(BulkQueueDescriptor.EPOCH_OFFSET, diagram.row("epoch").offset);
        assertEquals(BulkQueueDescriptor.CLOSED_OFFSET, diagram.row("1 if the rank").offset);
        assertEquals(BulkQueueDescriptor.ASKED_OFFSET, diagram.row("operations asked").offset);
        assertEquals(BulkQueueDescriptor.START_OFFSET, diagram.row("first operation").offset);
        assertEquals(BulkQueueDescriptor.AGENTS_OFFSET, diagram.row("agents so far").offset);
        assertEquals(BulkQueueDescriptor.BEFORE_OFFSET, diagram.row("operations completed before").offset);
        assertEquals(BulkQueueDescriptor.COMPLETED_OFFSET, diagram.row("operations completed  ").offset);
        assertEquals(BulkQueueDescriptor.DROPPED_OFFSET, diagram.row("1 if the agent").offset);
        assertEquals(BulkQueueDescriptor.NUMBER_OFFSET, diagram.row("number of the operation ").offset);
        assertEquals(BulkQueueDescriptor.KIND_OFFSET, diagram.row("kind").offset);
        assertEquals(BulkQueueDescriptor.LENGTH_OFFSET, diagram.row("length of the bytes").offset);
        assertEquals(BulkQueueDescriptor.OWNER_OFFSET, diagram.row("owner of").offset);
        assertEquals(BulkQueueDescriptor.ENTRY_OFFSET, diagram.row("entry").offset);
        assertEquals(BulkQueueDescriptor.AT_OFFSET, diagram.row("offset in").offset);
        assertEquals(BulkQueueDescriptor.FIRST_OFFSET, diagram.row("first word").offset);
        assertEquals(BulkQueueDescriptor.SECOND_OFFSET, diagram.row("second word").offset);
        assertEquals(BulkQueueDescriptor.SLOT_OFFSET, diagram.row("slot of").offset);
        assertEquals(BulkQueueDescriptor.BYTES_OFFSET, diagram.row("bytes of a short put").offset);
        assertEquals(BulkQueueDescriptor.MAX_SHORT_LENGTH, diagram.row("bytes of a short put").length);
        assertEquals(BulkQueueDescriptor.DONE_OFFSET, diagram.row("number of the operation plus 1").offset);
        assertEquals(BulkQueueDescriptor.RESULT_OFFSET, diagram.row("result").offset);
        assertEquals(BulkQueueDescriptor.VALUE_OFFSET, diagram.row("value").offset);
        assertEquals(BulkQueueDescriptor.CELLS_OFFSET, BulkQueueDescriptor.cellOffset(0));
        assertEquals(BulkQueueDescriptor.CELLS_OFFSET, BulkQueueDescriptor.cellOffset(BulkQueueDescriptor.CELLS));
        assertTrue(BulkQueueDescriptor.cellOffset(-1) + BulkQueueDescriptor.CELL_LENGTH <= BulkQueueDescriptor.SLOTS_OFFSET);
        assertEquals(0, BulkQueueDescriptor.SLOTS_OFFSET % 4_096);
        assertEquals(BulkQueueDescriptor.LENGTH, BulkQueueDescriptor.slotOffset(BulkQueueDescriptor.SLOTS));
        assertTrue(RemoteDescriptor.QUEUES_OFFSET + Long.BYTES <= RemoteDescriptor.LINE_LENGTH);
    }

    @Test
    void shouldCountARunOnceAlsoIfItsAgentDiedBeforeItHadReadOn()
    {
        for (final long base : new long[]{0, 5, (1L << 32) - 4, (1L << 40) + 17})
        {
            final long fresh = RemoteDescriptor.sentWord(0, base - 1);
            assertFalse(RemoteDescriptor.isCounted(fresh, base, base));
            assertFalse(RemoteDescriptor.isCounted(fresh, base, base + 100));
            final long word = RemoteDescriptor.sentWord(-2, base + 6);
            assertEquals(-2, RemoteDescriptor.sentCount(word));
            assertTrue(RemoteDescriptor.isCounted(word, base, base));
            assertTrue(RemoteDescriptor.isCounted(word, base, base + 6));
            assertFalse(RemoteDescriptor.isCounted(word, base, base + 7));
            // what was counted long before the ring is read again
            assertFalse(RemoteDescriptor.isCounted(RemoteDescriptor.sentWord(9, base - 1000), base, base));
        }
    }
}
