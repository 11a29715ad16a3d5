// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.LayoutDiagram;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptorTest;

class RegistryDescriptorTest
{
    @Test
    void shouldHoldDiagramAndOffsetsTogether() throws IOException
    {
        final Map<String, Integer> offsets = new LinkedHashMap<>();
        offsets.put("magic", MailboxDescriptor.MAGIC_OFFSET);
        offsets.put("layout version", MailboxDescriptor.VERSION_OFFSET);
        offsets.put("process entries P", RegistryDescriptor.PROCESSES_OFFSET);
        offsets.put("file length", RegistryDescriptor.FILE_LENGTH_OFFSET);
        offsets.put("mark lines M", RegistryDescriptor.MARKS_OFFSET);
        offsets.put("last incarnation", RegistryDescriptor.LAST_INCARNATION_OFFSET);
        offsets.put("membership version", RegistryDescriptor.MEMBERSHIP_OFFSET);
        offsets.put("state", RegistryDescriptor.STATE_OFFSET);
        offsets.put("incarnation", RegistryDescriptor.INCARNATION_OFFSET);
        offsets.put("pid", RegistryDescriptor.PID_OFFSET);
        offsets.put("start time", RegistryDescriptor.START_TIME_OFFSET);
        offsets.put("namespaces", RegistryDescriptor.NAMESPACE_OFFSET);
        offsets.put("heartbeat", RegistryDescriptor.HEARTBEAT_OFFSET);
        final LayoutDiagram diagram = LayoutDiagram.read(RegistryDescriptor.class);
        offsets.forEach((field, offset) -> assertEquals(offset, diagram.row(field).offset, field));
        final LayoutDiagram.Row state = diagram.row("state");
        final List<LayoutDiagram.Row> header = diagram.rows().subList(0, diagram.rows().indexOf(state));
        MailboxDescriptorTest.shouldBeGapless(header, RegistryDescriptor.ENTRIES_OFFSET);
        MailboxDescriptorTest.shouldBeGapless(
            diagram.rows("state", "namespaces"), RegistryDescriptor.NAMESPACE_OFFSET + 8);
    }

    @Test
    void shouldHoldDiagramOfAMarkAndItsOffsetsTogether() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(ClaimMark.class);
        assertEquals(ClaimMark.CLAIM_OFFSET, diagram.row("claim").offset);
        assertEquals(ClaimMark.POSITION_OFFSET, diagram.row("position").offset);
        assertEquals(16, ClaimMark.PROCESS_OFFSET);
        assertEquals(20, ClaimMark.INCARNATION_OFFSET);
        assertEquals(0, RegistryDescriptor.markOffset(1, 1) % 8, "the owner is one aligned word");
        assertTrue(ClaimMark.INCARNATION_OFFSET + 4 <= 64, "a mark is one cache line");
    }

    @Test
    void shouldKeepStateAndIncarnationInOneAlignedWord()
    {
        assertEquals(0, RegistryDescriptor.entryOffset(5) % 8);
        assertEquals(0, RegistryDescriptor.STATE_OFFSET % 8);
        assertEquals(RegistryDescriptor.STATE_OFFSET + 4, RegistryDescriptor.INCARNATION_OFFSET);
    }

    @Test
    void shouldKeepWritersOnLinesOfTheirOwn()
    {
        final int line = MailboxDescriptor.LINE_LENGTH;
        assertEquals(line, RegistryDescriptor.entryOffset(1) - RegistryDescriptor.entryOffset(0));
        assertEquals(RegistryDescriptor.entryOffset(3), RegistryDescriptor.markOffset(3, 0));
        assertEquals(line, RegistryDescriptor.markOffset(3, 8) - RegistryDescriptor.markOffset(3, 7));
        assertEquals(RegistryDescriptor.fileLength(3, 9), RegistryDescriptor.markOffset(3, 8) + line);
        assertEquals(0, RegistryDescriptor.entryOffset(0) % line);
        assertTrue(RegistryDescriptor.HEARTBEAT_OFFSET >= 64, "the heartbeat's line is not the identity's");
    }
}
