// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.LayoutDiagram;
import org.tallypost.messaging.rma.RegionKey;

/** The diagram, the offsets and the lengths of the heads say the same. */
class HeadDescriptorTest
{
    private static void check(final LayoutDiagram diagram, final String field, final int offset, final int end)
    {
        final LayoutDiagram.Row row = diagram.row(field);
        assertEquals(offset, row.offset, field);
        assertEquals(end, row.offset + row.length, field);
    }

    @Test
    void shouldBeLaidOutAsTheDiagramShows() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(HeadDescriptor.class);
        check(diagram, "context", HeadDescriptor.CONTEXT_OFFSET, HeadDescriptor.TAG_OFFSET);
        check(diagram, "message tag", HeadDescriptor.TAG_OFFSET, HeadDescriptor.EXTENDED_LENGTH);
        check(diagram, "send id", HeadDescriptor.SEND_ID_OFFSET, HeadDescriptor.SYNC_LENGTH);
        check(diagram, "message length", HeadDescriptor.MESSAGE_LENGTH_OFFSET, HeadDescriptor.RTS_LENGTH);
        check(diagram, "place key", HeadDescriptor.PLACE_KEY_OFFSET, HeadDescriptor.PLACE_POSITION_OFFSET);
        check(diagram, "place position", HeadDescriptor.PLACE_POSITION_OFFSET, HeadDescriptor.PLACED_LENGTH);
        assertEquals(RegionKey.LENGTH, HeadDescriptor.PLACE_POSITION_OFFSET - HeadDescriptor.PLACE_KEY_OFFSET);
        check(diagram, "memory address", HeadDescriptor.PLACE_ADDRESS_OFFSET, HeadDescriptor.PROOF_ADDRESS_OFFSET);
        check(diagram, "address of the proof", HeadDescriptor.PROOF_ADDRESS_OFFSET, HeadDescriptor.PROOF_OFFSET);
        check(diagram, "proof", HeadDescriptor.PROOF_OFFSET, HeadDescriptor.PLACED_LENGTH);
        check(diagram, "answered send id", HeadDescriptor.ANSWERED_ID_OFFSET, HeadDescriptor.DONE_LENGTH);
        check(diagram, "receive id", HeadDescriptor.RECEIVE_ID_OFFSET, HeadDescriptor.WANTED_OFFSET);
        check(diagram, "wanted length", HeadDescriptor.WANTED_OFFSET, HeadDescriptor.CTS_LENGTH);
        check(diagram, "staging key", HeadDescriptor.STAGING_KEY_OFFSET, HeadDescriptor.STAGING_LENGTH_OFFSET);
        check(diagram, "staging length", HeadDescriptor.STAGING_LENGTH_OFFSET, HeadDescriptor.CTS_STAGED_LENGTH);
        assertEquals(RegionKey.LENGTH, HeadDescriptor.STAGING_LENGTH_OFFSET - HeadDescriptor.STAGING_KEY_OFFSET);
        check(diagram, "asking receive id", HeadDescriptor.ASKING_ID_OFFSET, HeadDescriptor.POSITION_OFFSET);
        check(diagram, "data position", HeadDescriptor.POSITION_OFFSET, HeadDescriptor.DATA_LENGTH);
        check(diagram, "session", HeadDescriptor.SESSION_OFFSET, HeadDescriptor.BYTES_LIMIT_OFFSET);
        check(diagram, "bytes limit", HeadDescriptor.BYTES_LIMIT_OFFSET, HeadDescriptor.ANNOUNCEMENTS_LIMIT_OFFSET);
        check(diagram, "announcements limit", HeadDescriptor.ANNOUNCEMENTS_LIMIT_OFFSET, HeadDescriptor.WINDOW_LENGTH);
        check(diagram, "new session", HeadDescriptor.SESSION_OFFSET, HeadDescriptor.VERSION_OFFSET);
        check(diagram, "version", HeadDescriptor.VERSION_OFFSET, HeadDescriptor.HELLO_LENGTH);
        check(diagram, "left session", HeadDescriptor.LEFT_SESSION_OFFSET, HeadDescriptor.HEARD_SESSION_OFFSET);
        check(diagram, "heard session", HeadDescriptor.HEARD_SESSION_OFFSET, HeadDescriptor.GOODBYE_LENGTH);
        assertEquals(23, diagram.rows().size());
        assertTrue(HeadDescriptor.MAX_LENGTH <= 48, "one slot");
    }

    @Test
    void shouldKeepContextAndTagInTwentyFourBits()
    {
        final int compact = MessageKind.compact(MessageKind.MAX_COMPACT_CONTEXT, MessageKind.MAX_COMPACT_TAG);
        assertEquals(0xFF_FFFF, compact);
        assertEquals(MessageKind.MAX_COMPACT_CONTEXT, MessageKind.context(compact));
        assertEquals(MessageKind.MAX_COMPACT_TAG, MessageKind.tag(compact));
        assertTrue(MessageKind.isCompact(255, 65_535));
        assertTrue(!MessageKind.isCompact(256, 0) && !MessageKind.isCompact(0, 65_536));
    }
}
