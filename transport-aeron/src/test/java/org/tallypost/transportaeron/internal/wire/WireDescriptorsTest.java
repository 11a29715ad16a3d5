// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** What the diagrams of the wire format say is what the constants say. */
class WireDescriptorsTest
{
    private static final Pattern ROW = Pattern.compile("^ \\*\\s+(\\d+)\\s+(?:(\\d+)\\s{3})?\\s*([a-zA-Z].*)$");

    /** A row "offset length field": fields follow one another without gaps. */
    private record Row(int offset, int length, String field)
    {
    }

    private static List<Row> rows(final Class<?> descriptor) throws IOException
    {
        final List<Row> rows = new ArrayList<>();
        final Path source = Path.of("src/main/java", descriptor.getName().replace('.', '/') + ".java");
        for (final String line : Files.readAllLines(source))
        {
            final Matcher matcher = ROW.matcher(line);
            if (matcher.matches())
            {
                final int length = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
                rows.add(new Row(Integer.parseInt(matcher.group(1)), length, matcher.group(3)));
            }
        }
        for (int i = 1; i < rows.size(); i++)
        {
            assertEquals(rows.get(i - 1).offset + rows.get(i - 1).length, rows.get(i).offset, "gap before " + rows.get(i));
        }
        return rows;
    }

    private static int offset(final List<Row> rows, final String field)
    {
        return rows.stream().filter((row) -> row.field.startsWith(field)).findFirst()
            .orElseThrow(() -> new AssertionError("no row " + field + " in " + rows)).offset;
    }

    @Test
    void shouldHoldBatchDiagramAndOffsetsTogether() throws IOException
    {
        final List<Row> rows = rows(BatchDescriptor.class);
        assertEquals(BatchDescriptor.VERSION_OFFSET, offset(rows, "version"));
        assertEquals(BatchDescriptor.KIND_OFFSET, offset(rows, "kind:"));
        assertEquals(BatchDescriptor.SOURCE_NODE_OFFSET, offset(rows, "index of the node that sends"));
        assertEquals(BatchDescriptor.GROUP_HASH_OFFSET, offset(rows, "group hash"));
        assertEquals(BatchDescriptor.RECEIVER_EPOCH_OFFSET, offset(rows, "link epoch that the receiving"));
        assertEquals(BatchDescriptor.SENDER_EPOCH_OFFSET, offset(rows, "link epoch that the sending"));
        assertEquals(BatchDescriptor.SEQUENCE_OFFSET, offset(rows, "sequence"));
        assertEquals(BatchDescriptor.DEST_NODE_OFFSET, offset(rows, "index of the node that receives"));
        assertEquals(BatchDescriptor.ZERO_OFFSET, offset(rows, "zero"));
        assertEquals(BatchDescriptor.HEADER_LENGTH, offset(rows, "kind BULK"));
        assertEquals(BatchDescriptor.BEHIND_OFFSET, offset(rows, "kind BATCH"));
        assertEquals(BatchDescriptor.BATCH_HEADER_LENGTH, offset(rows, "frames"));
        assertEquals(0, BatchDescriptor.BATCH_HEADER_LENGTH % FrameDescriptor.ALIGNMENT);
    }

    @Test
    void shouldHoldHandshakeDiagramAndOffsetsTogether() throws IOException
    {
        final List<Row> rows = rows(HandshakeDescriptor.class);
        assertEquals(HandshakeDescriptor.SESSION_OFFSET, offset(rows, "Aeron session"));
        assertEquals(HandshakeDescriptor.BULK_SESSION_OFFSET, offset(rows, "session of its bulk"));
        assertEquals(HandshakeDescriptor.INITIATOR_NONCE_OFFSET, offset(rows, "nonce of the initiator"));
        assertEquals(HandshakeDescriptor.RESPONDER_NONCE_OFFSET, offset(rows, "nonce of the responder"));
        assertEquals(HandshakeDescriptor.PROOF_OFFSET, offset(rows, "proof"));
        assertEquals(HandshakeDescriptor.TEXT_LENGTH_OFFSET, offset(rows, "length of the text"));
        assertEquals(HandshakeDescriptor.ZERO_OFFSET, offset(rows, "zero"));
        assertEquals(HandshakeDescriptor.HIGH_SESSION_OFFSET, offset(rows, "session of its high"));
        assertEquals(HandshakeDescriptor.TEXT_OFFSET, offset(rows, "text, UTF-8"));
    }

    @Test
    void shouldHoldBulkDiagramAndOffsetsTogether() throws IOException
    {
        final List<Row> rows = rows(BulkDescriptor.class);
        assertEquals(BatchDescriptor.HEADER_LENGTH, offset(rows, "type"));
        assertEquals(BulkDescriptor.TYPE_OFFSET, offset(rows, "type"));
        assertEquals(BulkDescriptor.FLAGS_OFFSET, offset(rows, "flags"));
        assertEquals(BulkDescriptor.ZERO_OFFSET, offset(rows, "zero"));
        assertEquals(BulkDescriptor.LENGTH_OFFSET, offset(rows, "bytes that follow"));
        assertEquals(BulkDescriptor.NUMBER_OFFSET, offset(rows, "number of"));
        assertEquals(BulkDescriptor.OWNER_OFFSET, offset(rows, "owner"));
        assertEquals(BulkDescriptor.ENTRY_OFFSET, offset(rows, "entry"));
        assertEquals(BulkDescriptor.AT_OFFSET, offset(rows, "offset"));
        assertEquals(BulkDescriptor.FIRST_OFFSET, offset(rows, "first"));
        assertEquals(BulkDescriptor.SECOND_OFFSET, offset(rows, "second"));
        assertEquals(BulkDescriptor.HEADER_LENGTH, offset(rows, "bytes  "));
        assertTrue(BulkDescriptor.TYPE_ACK > BulkOperation.LOOK_UP, "requests and answers have types of their own");
    }

    @Property
    void shouldKeepTheFieldsOfAFrameHeaderApart(
        @ForAll @IntRange(max = 15) final int type,
        @ForAll @IntRange(max = 15) final int flags,
        @ForAll @IntRange(max = MailboxDescriptor.MAX_SOURCES - 1) final int source,
        @ForAll @IntRange(max = MailboxDescriptor.MAX_SOURCES - 1) final int dest,
        @ForAll @IntRange(max = 4095) final int length)
    {
        final long header = FrameDescriptor.header(type, flags, source, dest, length);
        assertEquals(type, FrameDescriptor.type(header));
        assertEquals(flags, FrameDescriptor.flags(header));
        assertEquals(source, FrameDescriptor.source(header));
        assertEquals(dest, FrameDescriptor.dest(header));
        assertEquals(length, FrameDescriptor.length(header));
        assertEquals(0, FrameDescriptor.zero(header));
    }

    @Property
    void shouldKeepTheFieldsOfANextFrameApart(
        @ForAll final int tag,
        @ForAll @IntRange(min = 1, max = FrameDescriptor.MAX_NEXT) final int count,
        @ForAll @IntRange(max = 4095) final int length)
    {
        final long header = FrameDescriptor.next(length, tag) + (count - 1) * FrameDescriptor.NEXT_ONE;
        assertEquals(FrameDescriptor.TYPE_NEXT, FrameDescriptor.type(header));
        assertEquals(tag, FrameDescriptor.nextTag(header));
        assertEquals(count, FrameDescriptor.nextCount(header));
        assertEquals(length, FrameDescriptor.length(header));
        assertEquals(0, FrameDescriptor.nextZero(header));
    }

    @Property
    void shouldKeepTheFieldsOfAFrameWordApart(
        @ForAll final int value, @ForAll final int sourceEpoch, @ForAll final int destEpoch)
    {
        final long word = FrameDescriptor.word(value, sourceEpoch, destEpoch);
        assertEquals(value, FrameDescriptor.value(word));
        assertEquals(sourceEpoch & 0xFFFF, FrameDescriptor.sourceEpoch(word));
        assertEquals(destEpoch & 0xFFFF, FrameDescriptor.destEpoch(word));
    }

    @Property
    void shouldTakeNoMoreBytesThanInAMailbox(@ForAll @IntRange(max = Endpoint.MAX_RUN_LENGTH) final int length)
    {
        assertEquals(Endpoint.slots(length), FrameDescriptor.slots(FrameDescriptor.TYPE_DATA, 0, length));
        assertTrue(FrameDescriptor.frameLength(length) <= Endpoint.slots(length) * MailboxDescriptor.SLOT_LENGTH);
        assertTrue(length <= FrameDescriptor.MAX_LENGTH);
    }
}
