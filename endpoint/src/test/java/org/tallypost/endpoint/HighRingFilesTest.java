// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** What high rings take of files and numbers, and nothing where there are none. */
class HighRingFilesTest
{
    private static final int HIGH_SLOTS = 4;

    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);

    private NodeContext context(final int ranks, final int highSlots)
    {
        return PrioritiesTest.context(directory, ranks, highSlots);
    }

    private Node launch(final int ranks)
    {
        return Node.launch(context(ranks, HIGH_SLOTS).livenessThread(false));
    }

    @Test
    void shouldCostNothingWhereThereAreNoPriorities()
    {
        try (Node node = Node.launch(context(2, 0)); Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            final File files = node.context().directory();
            assertFalse(NodeFiles.high(files, 0, 1).exists());
            final File group = new File(files, Group.FILE_NAME);
            assertEquals((GroupDescriptor.fileLength(2) + 4095) / 4096, (group.length() + 4095) / 4096);
            assertNull(Group.attach(group).highCounters(0));
            assertEquals(to.counters().mailboxBytes(), NodeFiles.mailbox(files, 1, 1).length());
            assertTrue(assertThrows(IllegalStateException.class, () -> from.offer(1, 0, Priority.HIGH, message, 0, 8))
                .getMessage().contains("highSlots"));
            assertThrows(IllegalStateException.class, () -> from.sendTokens(1, Priority.HIGH));
            assertThrows(IllegalStateException.class, () -> from.isHighTaken(1, 0));
            assertFalse(from.takesHigh(1));
            Fixtures.awaitOffer(from, 1, message, 8, Fixtures.NOTHING, to);
            assertEquals(0, from.counters().highSent());
        }
    }

    @Test
    void shouldLieInAFileOfItsOwnWithNumbersAndCountersOfItsOwn()
    {
        final int ranks = 3;
        assertEquals(0, (GroupDescriptor.highCountersOffset(ranks, 0)) % 128);
        assertEquals(GroupDescriptor.fileLength(ranks), GroupDescriptor.highCountersOffset(ranks, 0));
        assertEquals(GroupDescriptor.fileLength(ranks, 0), GroupDescriptor.fileLength(ranks));
        assertEquals(GroupDescriptor.fileLength(ranks, HIGH_SLOTS),
            GroupDescriptor.highCountersOffset(ranks, ranks - 1) + CountersDescriptor.LENGTH);
        try (Node node = launch(ranks); Endpoint to = node.open(1))
        {
            final File file = NodeFiles.high(node.context().directory(), 1, 1);
            final Mailbox box = Mailbox.attach(file);
            assertEquals(ranks + 1 + 1, box.id());
            assertEquals(ranks, box.sources());
            assertEquals(0, box.lanes());
            assertEquals(16, box.ringSlots());
            assertEquals(file.length(), MailboxDescriptor.fileLength(ranks, 16, box.runSlots(), 0, 0));
            assertEquals(file.length() + NodeFiles.mailbox(node.context().directory(), 1, 1).length(),
                to.counters().mailboxBytes());
            local(to).close();
            assertFalse(file.exists(), "the file of a closed rank is left");
        }
    }

    @Test
    void shouldRefuseSlotsThatDoNotFit()
    {
        assertThrows(IllegalArgumentException.class, () -> context(2, 1).conclude());
        assertThrows(IllegalArgumentException.class, () -> context(2, -1).conclude());
        assertThrows(IllegalArgumentException.class, () -> context(2, MailboxDescriptor.MAX_RING_SLOTS).conclude());
        final int many = MailboxDescriptor.MAX_SOURCES / 2;
        assertThrows(IllegalArgumentException.class, () -> context(many, 2).conclude());
        try (Node node = launch(2))
        {
            final MailboxException thrown = assertThrows(MailboxException.class, () ->
                Node.launch(context(2, 2 * HIGH_SLOTS)));
            assertTrue(thrown.getMessage().contains("highSlots"), thrown::getMessage);
            assertEquals(HIGH_SLOTS, node.context().highSlots());
        }
    }
}
