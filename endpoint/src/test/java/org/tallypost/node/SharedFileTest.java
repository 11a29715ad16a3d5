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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.internal.layout.SharedFileDescriptor;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.LayoutDiagram;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;

/** Files that processes of a node share by name: made, found, grown, left behind, damaged. */
class SharedFileTest
{
    private static final int MIB = 1 << 20;

    @TempDir
    private Path directory;

    private Node launch()
    {
        return Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 16).deleteOnClose(true));
    }

    private File fileOf(final String name)
    {
        return new File(new File(directory.toFile(), "node"), "shared-" + name);
    }

    private void assertNothingIsLeft()
    {
        assertFalse(new File(directory.toFile(), "node").exists(), "the directory is left");
    }

    @Test
    void shouldHoldDiagramAndOffsetsTogether() throws IOException
    {
        final LayoutDiagram diagram = LayoutDiagram.read(SharedFileDescriptor.class);
        int end = 0;
        for (final LayoutDiagram.Row row : diagram.rows())
        {
            assertEquals(end, row.offset, row.toString());
            end += row.length;
        }
        assertEquals(SharedFileDescriptor.CONTENTS_OFFSET, end);
        assertEquals(SharedFileDescriptor.MAGIC_OFFSET, diagram.row("magic").offset);
        assertEquals(SharedFileDescriptor.VERSION_OFFSET, diagram.row("layout version").offset);
        assertEquals(SharedFileDescriptor.NAME_LENGTH_OFFSET, diagram.row("length of the name").offset);
        assertEquals(SharedFileDescriptor.FILE_LENGTH_OFFSET, diagram.row("file length").offset);
        assertEquals(SharedFileDescriptor.PROCESS_OFFSET, diagram.row("owner's index").offset);
        assertEquals(SharedFileDescriptor.INCARNATION_OFFSET, diagram.row("owner's incarnation").offset);
        assertEquals(SharedFileDescriptor.PID_OFFSET, diagram.row("owner's pid").offset);
        assertEquals(SharedFileDescriptor.START_TIME_OFFSET, diagram.row("owner's start time").offset);
        assertEquals(SharedFileDescriptor.NAMESPACE_OFFSET, diagram.row("owner's namespaces").offset);
        assertEquals(SharedFileDescriptor.NUMBER_OFFSET, diagram.row("number by which").offset);
        assertEquals(SharedFileDescriptor.NAME_OFFSET, diagram.row("the name").offset);
        assertEquals(SharedFileDescriptor.MAX_NAME_LENGTH, diagram.row("the name").length);
        assertEquals(SharedFileDescriptor.RESERVED_OFFSET, diagram.row("length of the contents").offset);
        assertEquals(SharedFileDescriptor.CLOSED_OFFSET, diagram.row("1 if the owner").offset);
        assertTrue(SharedFileDescriptor.fileLength(SharedFileDescriptor.MAX_LENGTH) <= Integer.MAX_VALUE);
    }

    @Test
    void shouldShareWithAnotherProcess()
    {
        try (Node node = launch(); ForkedJvm child = SharedFileProcess.start(directory))
        {
            final SharedFile file = node.createShared("numbers.of-2", 10_000);
            assertTrue(file.isOwner());
            assertTrue(file.isOwnerLive());
            assertEquals(10_000, file.length());
            assertEquals(10_000, file.buffer().capacity());
            assertEquals(ProcessHandle.current().pid(), file.ownerPid());
            file.buffer().putLong(16, 7);
            child.writeLine("attach numbers.of-2");
            assertEquals("10000", child.readLine());
            child.writeLine("add 16");
            assertEquals("7", child.readLine());
            assertEquals(8, file.buffer().getLongVolatile(16));
            child.writeLine("exit");
            assertEquals(0, child.waitFor());
            assertTrue(fileOf("numbers.of-2").exists(), "an attached process removed the file");
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldBeClosedToOthers() throws IOException
    {
        try (Node node = launch(); SharedFile file = node.createShared("mode", 1))
        {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.file().toPath())));
            assertEquals(fileOf("mode"), file.file());
        }
    }

    @Test
    void shouldRemoveTheFileOfAKilledOwnerAndKeepItsMapping()
    {
        try (Node node = launch(); ForkedJvm child = SharedFileProcess.start(directory))
        {
            child.writeLine("create left 5000000 5000000");
            assertEquals("5000000", child.readLine());
            child.writeLine("add 4999984");
            assertEquals("0", child.readLine());
            final SharedFile file = node.attachShared("left");
            assertFalse(file.isOwner());
            assertTrue(file.isOwnerLive());
            assertEquals(child.pid(), file.ownerPid());
            final MailboxException ex = assertThrows(MailboxException.class, () -> node.createShared("left", 8));
            assertTrue(ex.getMessage().contains("owner pid=" + child.pid()), ex.getMessage());
            child.kill();
            // at once, whether or not the liveness thread has looked
            assertFalse(file.isOwnerLive());
            assertNull(node.tryAttachShared("left"));
            Watchdog.await("removal of the file of a dead owner", () -> !fileOf("left").exists());
            assertEquals(1, file.buffer().getLong(4_999_984));
            file.buffer().setMemory(0, 5_000_000, (byte)1);
            file.close();
            assertThrows(IllegalStateException.class, file::buffer);
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldReplaceTheFileOfADeadOwner()
    {
        try (Node node = launch(); ForkedJvm child = SharedFileProcess.start(directory))
        {
            child.writeLine("create taken 64 64");
            assertEquals("64", child.readLine());
            final SharedFile old = node.attachShared("taken");
            child.kill();
            final SharedFile file = node.createShared("taken", 128);
            file.buffer().putLong(0, 5);
            assertEquals(0, old.buffer().getLong(0));
            old.close();
            assertTrue(fileOf("taken").exists(), "the former file's mapping removed the new one");
            assertEquals(128, node.attachShared("taken").length());
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldRefuseTheNameOfALiveOwner()
    {
        try (Node node = launch())
        {
            final SharedFile first = node.createShared("one", 8);
            final MailboxException ex = assertThrows(MailboxException.class, () -> node.createShared("one", 8));
            assertTrue(ex.getMessage().contains("owner pid=" + ProcessHandle.current().pid()), ex.getMessage());
            final SharedFile attached = node.attachShared("one");
            first.close();
            first.close();
            assertTrue(first.isClosed());
            assertFalse(attached.isOwnerLive(), "closed");
            assertFalse(fileOf("one").exists());
            try (SharedFile second = node.createShared("one", 8))
            {
                second.buffer().putLong(0, 1);
                assertEquals(0, attached.buffer().getLong(0));
            }
            assertThrows(MailboxException.class, () -> node.attachShared("one"));
        }
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", ".hidden", "-option", "a/b", "../up", "/root", "Upper", "a b", "a\n", "a\u0000b", "ö",
        "a_b", "a\\b",
        "a1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"})
    void shouldRefuseNamesThatCouldLeadElsewhere(final String name) throws IOException
    {
        try (Node node = launch())
        {
            assertThrows(IllegalArgumentException.class, () -> node.createShared(name, 8));
            assertThrows(IllegalArgumentException.class, () -> node.attachShared(name));
            try (var files = Files.list(directory))
            {
                assertEquals(1, files.count(), "beside the node's directory");
            }
        }
    }

    @Test
    void shouldTakeTheLongestName()
    {
        final String name = "a.-9".repeat(25);
        try (Node node = launch(); SharedFile file = node.createShared(name, 8))
        {
            assertEquals(name, node.attachShared(name).name());
            assertThrows(IllegalArgumentException.class, () -> node.createShared(null, 8));
            assertTrue(file.toString().contains(name));
        }
    }

    @Test
    void shouldRefuseLengthsOutOfRange()
    {
        try (Node node = launch())
        {
            assertThrows(IllegalArgumentException.class, () -> node.createShared("length", 0));
            assertThrows(IllegalArgumentException.class, () -> node.createShared("length", -1));
            assertThrows(IllegalArgumentException.class, () -> node.createShared("length", 9, 8));
            assertThrows(IllegalArgumentException.class, () -> node.createShared("length", 1, SharedFile.MAX_LENGTH + 1));
            assertFalse(fileOf("length").exists());
        }
    }

    @ParameterizedTest
    @CsvSource({"0,magic", "8,version", "12,length", "16,length", "64,fit", "256,fit"})
    void shouldRefuseADamagedHeader(final int offset, final String expected) throws IOException
    {
        try (Node node = launch(); SharedFile file = node.createShared("damaged", 4_096))
        {
            try (RandomAccessFile raw = new RandomAccessFile(file.file(), "rw"))
            {
                raw.seek(offset);
                raw.writeLong(offset == 256 ? 0 : 0xFFFF_FFFF_FFFF_FFFFL);
            }
            final MailboxException ex = assertThrows(MailboxException.class, () -> node.attachShared("damaged"));
            assertTrue(ex.getMessage().contains(expected), ex.getMessage());
            assertTrue(ex.getMessage().contains(file.file().toString()), ex.getMessage());
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldNeverShowMoreThanIsMapped() throws IOException
    {
        try (Node node = launch(); SharedFile file = node.createShared("forged", 4_096, MIB))
        {
            try (RandomAccessFile raw = new RandomAccessFile(file.file(), "rw"))
            {
                raw.seek(SharedFileDescriptor.RESERVED_OFFSET);
                raw.write(ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(Long.MAX_VALUE).array());
            }
            assertEquals(MIB, node.attachShared("forged").length());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 4_095, 4_096, 5_000})
    void shouldRefuseAFileThatIsTooShort(final int length) throws IOException
    {
        try (Node node = launch(); SharedFile file = node.createShared("short", 4_096))
        {
            final byte[] bytes = Files.readAllBytes(file.file().toPath());
            Files.write(fileOf("cut").toPath(), Arrays.copyOf(bytes, length));
            final MailboxException ex = assertThrows(MailboxException.class, () -> node.attachShared("cut"));
            assertTrue(ex.getMessage().contains("length"), ex.getMessage());
            // what nobody owns is no reason not to make one of the name
            try (SharedFile other = node.createShared("cut.2", 8))
            {
                assertNotNull(other);
            }
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldRefuseAFileUnderAnotherName() throws IOException
    {
        try (Node node = launch(); SharedFile file = node.createShared("original", 8))
        {
            Files.copy(file.file().toPath(), fileOf("copy").toPath());
            final MailboxException ex = assertThrows(MailboxException.class, () -> node.attachShared("copy"));
            assertTrue(ex.getMessage().contains("found name=original"), ex.getMessage());
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldGrowInSteps()
    {
        try (Node node = launch())
        {
            final SharedFile file = node.createShared("grows", 100, 5L * MIB + 100);
            final SharedFile attached = node.attachShared("grows");
            assertEquals(100, attached.length());
            assertEquals(5L * MIB + 100, attached.maxLength());
            assertEquals(100, file.grow(50));
            assertEquals(2L * MIB, file.grow(101));
            file.buffer().setMemory(0, 2 * MIB, (byte)3);
            assertEquals(2L * MIB, attached.length());
            assertEquals(3, attached.buffer().getByte(2 * MIB - 1));
            assertEquals(4L * MIB, file.grow(2L * MIB + 1));
            assertEquals(3, file.buffer().getByte(100), "growing changed what was there");
            assertEquals(0, file.buffer().getByte(2 * MIB));
            assertEquals(5L * MIB + 100, file.grow(5L * MIB + 100));
            assertThrows(IllegalArgumentException.class, () -> file.grow(5L * MIB + 101));
            assertThrows(IllegalStateException.class, () -> attached.grow(200));
            file.close();
            assertThrows(IllegalStateException.class, () -> file.grow(5L * MIB));
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldNotWriteIntoAnotherFileOfTheNameWhenItGrows() throws IOException
    {
        try (Node node = launch())
        {
            final SharedFile file = node.createShared("moved", 100, 4L * MIB);
            final byte[] other = new byte[5 * MIB];
            Arrays.fill(other, (byte)1);
            Files.delete(file.file().toPath());
            assertThrows(MailboxException.class, () -> file.grow(101));
            Files.write(file.file().toPath(), other);
            assertThrows(MailboxException.class, () -> file.grow(101));
            assertTrue(Arrays.equals(other, Files.readAllBytes(file.file().toPath())));
            assertEquals(100, file.length());
            file.close();
            assertTrue(fileOf("moved").exists(), "a file that is another's was removed");
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldSayThatThereIsNoRoom()
    {
        // a limit on the length of files stands for a full file system
        try (ForkedJvm child = ForkedJvm.startFromShell(
            List.of(), "ulimit -f 8192 && exec \"$@\"", SharedFileProcess.class, directory))
        {
            child.writeLine("create large 16777216 16777216");
            final String message = child.readLine();
            assertTrue(message.startsWith("no room for file: file=" + fileOf("large")), message);
            assertTrue(message.contains("needed=" + (16777216 + 4096) + " bytes, written="), message);
            assertTrue(message.contains("free now="), message);
            assertFalse(fileOf("large").exists());
            child.writeLine("create small 1000 1000");
            assertEquals("1000", child.readLine());
            child.writeLine("exit");
            assertEquals(0, child.waitFor());
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldStayUsableWhenThereIsNoRoomToGrow() throws IOException, InterruptedException
    {
        final File node = new File(directory.toFile(), "node");
        final String mount = "mkdir -m 700 " + node + " && mount -t tmpfs -o size=24m,mode=700 tmpfs " + node;
        if (new ProcessBuilder("unshare", "-m", "sh", "-c", mount).start().waitFor() != 0)
        {
            System.out.println("SharedFileTest: mounting a small file system is not permitted here");
            return;
        }
        Files.deleteIfExists(node.toPath());
        try (ForkedJvm child = ForkedJvm.startFromShell(
            List.of("unshare", "-m"), mount + " && exec \"$@\"", SharedFileProcess.class, directory))
        {
            child.writeLine("create grows 1000 100000000");
            assertEquals("1000", child.readLine());
            child.writeLine("grow 99000000");
            final String message = child.readLine();
            assertTrue(message.startsWith("no room for file: file=" + fileOf("grows")), message);
            assertFalse(message.contains("free now=0"), message);
            child.writeLine("add 0");
            assertEquals("0", child.readLine());
            child.writeLine("grow 1000");
            assertEquals("1000", child.readLine());
            // the attempt has kept nothing: another file has room, and this one grows as far as there is room
            child.writeLine("create other 8000000 8000000");
            assertEquals("8000000", child.readLine());
            child.writeLine("attach grows");
            assertEquals("1000", child.readLine());
            child.writeLine("add 0");
            assertEquals("1", child.readLine(), "giving back took a page that is in use");
            child.writeLine("create next 1000 100000000");
            assertEquals("1000", child.readLine());
            child.writeLine("grow 99000000");
            assertTrue(child.readLine().startsWith("no room for file: file=" + fileOf("next")));
            child.writeLine("grow 2000000");
            assertEquals("2097152", child.readLine());
            child.writeLine("exit");
            assertEquals(0, child.waitFor());
        }
    }

    @Test
    void shouldCloseFilesWithTheNode()
    {
        final SharedFile file;
        try (Node other = launch())
        {
            try (Node node = launch())
            {
                file = node.createShared("forgotten", 8);
                assertEquals(8, other.attachShared("forgotten").length());
            }
            assertTrue(file.isClosed());
            assertFalse(fileOf("forgotten").exists());
            assertThrows(IllegalStateException.class, file::buffer);
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldRefuseWhenTheNodeIsClosed()
    {
        final Node node = launch();
        node.close();
        assertThrows(IllegalStateException.class, () -> node.createShared("late", 8));
        assertThrows(IllegalStateException.class, () -> node.attachShared("late"));
    }
}
