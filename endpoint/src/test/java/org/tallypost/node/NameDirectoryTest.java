// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.internal.layout.NameTableDescriptor;
import org.tallypost.mailbox.LayoutDiagram;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.node.NameDirectory.NamedRank;

/** Names of ranks: entered, found, taken, gone with their ranks, damaged. */
class NameDirectoryTest
{
    private static final int RANKS = 3;

    @TempDir
    private Path directory;

    private Node launch()
    {
        return Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, 16).deleteOnClose(true));
    }

    private void assertNothingIsLeft()
    {
        assertFalse(new File(directory.toFile(), "node").exists(), "the directory is left");
    }

    @Test
    void shouldHoldDiagramAndOffsetsTogether() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(NameTableDescriptor.class);
        assertEquals(NameTableDescriptor.MAGIC_OFFSET, diagram.row("magic").offset);
        assertEquals(NameTableDescriptor.VERSION_OFFSET, diagram.row("layout version").offset);
        assertEquals(NameTableDescriptor.ENTRIES_OFFSET, diagram.row("number of entries").offset);
        assertEquals(NameTableDescriptor.FILE_LENGTH_OFFSET, diagram.row("file length").offset);
        int end = 0;
        for (final LayoutDiagram.Row row : diagram.rows().subList(5, diagram.rows().size()))
        {
            assertEquals(end, row.offset, row.toString());
            end += row.length;
        }
        assertEquals(NameTableDescriptor.ENTRY_LENGTH, end);
        assertEquals(NameTableDescriptor.SEQUENCE_OFFSET, diagram.row("sequence").offset);
        assertEquals(NameTableDescriptor.NAME_LENGTH_OFFSET, diagram.row("length of the name").offset);
        assertEquals(NameTableDescriptor.RANK_OFFSET, diagram.row("rank").offset);
        assertEquals(NameTableDescriptor.EPOCH_OFFSET, diagram.row("epoch").offset);
        assertEquals(NameTableDescriptor.NUMBER_OFFSET, diagram.rows().get(9).offset);
        assertEquals(NameTableDescriptor.NAME_OFFSET, diagram.row("the name").offset);
        assertEquals(NameTableDescriptor.MAX_NAME_LENGTH, diagram.row("the name").length);
    }

    @Test
    void shouldFindWhatAnotherProcessEntered()
    {
        try (Node node = launch(); Node other = launch(); Endpoint first = node.open(0); Endpoint second = other.open(1))
        {
            node.names().enter("prices", first.rank(), 7);
            node.names().enter("prices and more", first.rank(), 8);
            other.names().enter("Grüße", second.rank(), -1);
            assertEquals(new NamedRank(0, 1, 7), other.names().find("prices"));
            assertEquals(new NamedRank(0, 1, 8), other.names().find("prices and more"));
            assertEquals(new NamedRank(1, 1, -1), node.names().find("Grüße"));
            assertNull(node.names().find("price"));
            node.names().enter("prices", first.rank(), 9);
            assertEquals(9, other.names().find("prices").number());
            final MailboxException ex = assertThrows(MailboxException.class, () -> other.names().enter("prices", 1, 1));
            assertTrue(ex.getMessage().contains("found rank=0"), ex.getMessage());
            assertFalse(other.names().tryEnter("prices", 1, 1));
            assertTrue(node.names().tryEnter("prices", first.rank(), 9), "its own name");
            assertThrows(IllegalStateException.class, () -> other.names().enter("mine", 0, 1));
            assertFalse(other.names().remove("prices", 0), "of a rank of another process");
            assertFalse(node.names().remove("prices", 1));
            assertTrue(node.names().remove("prices", 0));
            assertFalse(node.names().remove("prices", 0));
            assertNull(other.names().find("prices"));
            assertTrue(other.names().tryEnter("prices", 1, 1));
            assertEquals(1, node.names().find("prices").rank());
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldForgetTheNamesOfAClosedRank()
    {
        try (Node node = launch())
        {
            final NameDirectory names = node.names();
            try (Endpoint endpoint = node.open(0))
            {
                names.enter("brief", endpoint.rank(), 1);
            }
            assertNull(names.find("brief"));
            try (Endpoint endpoint = node.open(0))
            {
                assertNull(names.find("brief"), "of a former incarnation");
                names.enter("brief", endpoint.rank(), 2);
                assertEquals(new NamedRank(0, 2, 2), names.find("brief"));
            }
            assertThrows(IllegalArgumentException.class, () -> names.find(""));
            assertThrows(IllegalArgumentException.class, () -> names.find(null));
            assertThrows(IllegalArgumentException.class, () -> names.find("ä".repeat(51)));
            assertThrows(IllegalArgumentException.class, () -> names.enter("x", RANKS, 0));
            assertNull(names.find("ä".repeat(50)));
        }
        assertNothingIsLeft();
    }

    /** All of them would be one name in UTF-8. */
    @Test
    void shouldRefuseHalfAPairOfSurrogates()
    {
        try (Node node = launch(); Endpoint endpoint = node.open(0))
        {
            final NameDirectory names = node.names();
            names.enter("?", endpoint.rank(), 1);
            for (final String half : new String[]{"\ud800", "\udc00", "a\ud801", "\udc00\ud800"})
            {
                assertThrows(IllegalArgumentException.class, () -> names.enter(half, 0, 2));
                assertThrows(IllegalArgumentException.class, () -> names.find(half));
                assertThrows(IllegalArgumentException.class, () -> names.remove(half, 0));
            }
            names.enter("\ud83d\ude00", 0, 3);
            assertEquals(3, names.find("\ud83d\ude00").number());
            assertEquals(1, names.find("?").number());
        }
    }

    @Test
    void shouldSayThatThereAreTooManyNames()
    {
        try (Node node = launch(); Endpoint endpoint = node.open(0))
        {
            for (int i = 0; i < NameDirectory.MAX_NAMES; i++)
            {
                node.names().enter("name " + i, endpoint.rank(), i);
            }
            assertThrows(MailboxException.class, () -> node.names().enter("one more", 0, 0));
            assertTrue(node.names().remove("name 500", 0));
            node.names().enter("one more", 0, 0);
            assertEquals(1_023, node.names().find("name 1023").number());
        }
    }

    /** Numbers that do not belong together would be half of one entry and half of the next. */
    @Test
    void shouldNeverFindHalfAnEntry() throws InterruptedException
    {
        try (Node node = launch(); Endpoint first = node.open(0); Endpoint second = node.open(1))
        {
            final NameDirectory names = node.names();
            final AtomicBoolean isDone = new AtomicBoolean();
            final AtomicReference<Object> wrong = new AtomicReference<>();
            final Thread reader = new Thread(() ->
            {
                while (!isDone.get())
                {
                    final NamedRank found = names.find("swapped");
                    if (found != null && found.rank() != found.number())
                    {
                        wrong.set(found);
                    }
                }
            });
            reader.start();
            for (int i = 0; i < 300; i++)
            {
                final int rank = i % 2 == 0 ? first.rank() : second.rank();
                names.enter("swapped", rank, rank);
                assertTrue(names.remove("swapped", rank));
            }
            isDone.set(true);
            reader.join();
            assertNull(wrong.get());
        }
    }

    @Test
    void shouldEnterUnderACondition()
    {
        try (Node node = launch(); Node other = launch(); Endpoint first = node.open(0); Endpoint second = other.open(1))
        {
            assertFalse(node.names().tryEnter("guarded", first.rank(), 1, () -> other.names().find("open") != null));
            assertNull(node.names().find("guarded"));
            other.names().enter("open", second.rank(), 1);
            assertTrue(node.names().tryEnter("guarded", first.rank(), 2, () -> other.names().find("open") != null));
            assertFalse(other.names().tryEnter("guarded", second.rank(), 3, () -> true), "of another rank");
            assertThrows(IllegalArgumentException.class, () -> node.names().tryEnter("guarded", RANKS, 3, () -> true));
            assertEquals(new NamedRank(0, 1, 2), other.names().find("guarded"));
        }
        assertNothingIsLeft();
    }

    /** A writer that has lost its processor keeps the lock: what it writes is there, and only late. */
    @Test
    void shouldWaitForAWriterThatIsLate() throws Exception
    {
        try (Node node = launch(); Endpoint endpoint = node.open(0))
        {
            final NameDirectory names = node.names();
            names.enter("target", endpoint.rank(), 5);
            final File file = new File(node.context().directory(), "names");
            final AtomicReference<NamedRank> found = new AtomicReference<>();
            final Thread reader = new Thread(() -> found.set(names.find("target")));
            try (RandomAccessFile raw = new RandomAccessFile(file, "rw"))
            {
                NodeLock.locked(NodeLock.file(node.context().directory()), () ->
                {
                    write(raw, 0, NameTableDescriptor.SEQUENCE_OFFSET, 3);
                    reader.start();
                    Watchdog.await("a reader that waits, or has ended", () ->
                        reader.getState() == Thread.State.TIMED_WAITING || !reader.isAlive());
                    return write(raw, 0, NameTableDescriptor.SEQUENCE_OFFSET, 4);
                });
                reader.join();
                assertEquals(new NamedRank(0, 1, 5), found.get());
                // and one that died while it wrote
                write(raw, 0, NameTableDescriptor.SEQUENCE_OFFSET, 5);
                assertNull(names.find("target"));
                names.enter("target", 0, 6);
                assertEquals(6, names.find("target").number());
            }
        }
        assertNothingIsLeft();
    }

    private static int write(final RandomAccessFile file, final int entry, final int offset, final int value)
    {
        try
        {
            file.seek(NameTableDescriptor.entryOffset(entry) + offset);
            file.write(ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(value).array());
            return value;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Test
    void shouldStandAFileThatIsDamaged() throws IOException
    {
        final Random random = new Random(Long.getLong("tallypost.seed", 1));
        try (Node node = launch(); Endpoint endpoint = node.open(0))
        {
            node.names().enter("target", endpoint.rank(), 5);
            final File file = new File(node.context().directory(), "names");
            try (RandomAccessFile raw = new RandomAccessFile(file, "rw"))
            {
                for (int i = 0; i < 2_000; i++)
                {
                    raw.seek(NameTableDescriptor.entryOffset(0) + 4L * random.nextInt(8));
                    raw.write(ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(
                        random.nextBoolean() ? random.nextInt() : random.nextInt(3) - 1).array());
                    final NamedRank found = node.names().find("target");
                    assertTrue(found == null || found.rank() >= 0 && found.rank() < RANKS);
                }
                node.names().enter("target", 0, 6);
                assertEquals(6, node.names().find("target").number());
                raw.seek(0);
                raw.writeLong(0);
            }
            try (Node other = launch())
            {
                assertThrows(MailboxException.class, other::names);
            }
            assertNotNull(node.names().find("target"));
        }
        assertNothingIsLeft();
    }
}
