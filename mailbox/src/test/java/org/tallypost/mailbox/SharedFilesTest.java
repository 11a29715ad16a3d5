// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.mailbox.process.RegistryDescriptor;

/** Whatever is wrong with a file, the error names it, what was found and what was expected. */
class SharedFilesTest
{
    @TempDir
    private File directory;

    private File boxFile()
    {
        return Rig.boxFile(directory);
    }

    private Mailbox create()
    {
        return Mailbox.create(boxFile(), 3, 1, 4, 16, 4);
    }

    private void shouldRefuse(final Executable executable, final File file, final Object... words)
    {
        final MailboxException ex = assertThrows(MailboxException.class, executable);
        assertTrue(ex.getMessage().contains("file=" + file), ex.getMessage());
        for (final Object word : words)
        {
            assertTrue(ex.getMessage().contains(word.toString()), "expected <" + word + "> in: " + ex.getMessage());
        }
    }

    private void shouldRefuseBox(final Object... words)
    {
        shouldRefuse(() -> Mailbox.attach(boxFile()), boxFile(), words);
    }

    private void damage(final Consumer<UnsafeBuffer> change)
    {
        create();
        change.accept(MappedFiles.map(boxFile(), MailboxDescriptor.SOURCE_LINES_OFFSET, "mailbox"));
    }

    @Test
    void shouldAttachWhatWasCreated()
    {
        final Mailbox created = create();
        final Mailbox attached = Mailbox.attach(boxFile());
        assertEquals(3, attached.id());
        assertEquals(1, attached.incarnation());
        assertEquals(4, attached.sources());
        assertEquals(16, attached.ringSlots());
        assertEquals(4, attached.runSlots());
        assertEquals(created.claimKey(), attached.claimKey());
        assertEquals(boxFile(), attached.file());
        assertEquals(boxFile().length(), MailboxDescriptor.fileLength(4, 16, 4, 0, 0));
    }

    @Test
    void shouldNameAMissingFile()
    {
        shouldRefuseBox("no mailbox file", "found=nothing", "expected=a mailbox");
        final File registry = Rig.registryFile(directory);
        shouldRefuse(() -> Registry.attach(registry), registry, "no registry file");
    }

    @Test
    void shouldNameAFileOfZeroLengthAndAShortOne() throws IOException
    {
        Files.createFile(boxFile().toPath());
        shouldRefuseBox("found=0", "expected=" + MailboxDescriptor.SOURCE_LINES_OFFSET);
        Files.write(boxFile().toPath(), new byte[100]);
        shouldRefuseBox("found=100", "expected=" + MailboxDescriptor.SOURCE_LINES_OFFSET);
    }

    @Test
    void shouldNameATruncatedFileAndALongerOne() throws IOException
    {
        create();
        final byte[] bytes = Files.readAllBytes(boxFile().toPath());
        for (final int length : new int[]{384, 4096, bytes.length - 1, bytes.length + 1, bytes.length + 4096})
        {
            Files.write(boxFile().toPath(), Arrays.copyOf(bytes, length));
            shouldRefuseBox("found=" + length, "expected=" + bytes.length);
        }
    }

    @Test
    void shouldNameAHalfCreatedFileAndAnotherVersion()
    {
        damage((buffer) -> buffer.putInt(MailboxDescriptor.VERSION_OFFSET, 0));
        shouldRefuseBox("not finished", "found=0", "expected=" + MailboxDescriptor.VERSION);
        damage((buffer) -> buffer.putInt(MailboxDescriptor.VERSION_OFFSET, 99));
        shouldRefuseBox("another version", "found=99", "expected=" + MailboxDescriptor.VERSION);
    }

    @Test
    void shouldNameAFileOfAnotherKind()
    {
        damage((buffer) -> buffer.putLong(MailboxDescriptor.MAGIC_OFFSET, RegistryDescriptor.MAGIC));
        shouldRefuseBox("not a mailbox", Long.toHexString(RegistryDescriptor.MAGIC), Long.toHexString(MailboxDescriptor.MAGIC));
        final File registry = Rig.registryFile(directory);
        create();
        shouldRefuse(() -> Registry.attach(boxFile()), boxFile(), "not a registry");
        Registry.create(registry, 2, 2);
        shouldRefuse(() -> Mailbox.attach(registry), registry, "not a mailbox");
    }

    @Test
    void shouldNameAHeaderThatDoesNotFitTheFile()
    {
        damage((buffer) -> buffer.putInt(MailboxDescriptor.RING_SLOTS_OFFSET, 1024));
        shouldRefuseBox("found=" + boxFile().length(), "expected=" + MailboxDescriptor.fileLength(4, 1024, 4, 0, 0));
        damage((buffer) -> buffer.putInt(MailboxDescriptor.RING_SLOTS_OFFSET, 17));
        shouldRefuseBox("no power of two", "found=17");
        damage((buffer) -> buffer.putInt(MailboxDescriptor.RING_SLOTS_OFFSET, Integer.MIN_VALUE));
        shouldRefuseBox("ring slots", "found=" + Integer.MIN_VALUE);
        damage((buffer) -> buffer.putInt(MailboxDescriptor.SOURCES_OFFSET, (1 << 20) + 1));
        shouldRefuseBox("sources", "found=1048577", "1048576");
        damage((buffer) -> buffer.putInt(MailboxDescriptor.SOURCES_OFFSET, -1));
        shouldRefuseBox("sources", "found=-1");
        damage((buffer) -> buffer.putInt(MailboxDescriptor.RUN_SLOTS_OFFSET, 65));
        shouldRefuseBox("run slots", "found=65");
        damage((buffer) -> buffer.putInt(MailboxDescriptor.ID_OFFSET, 1 << 20));
        shouldRefuseBox("mailbox id", "found=1048576");
    }

    @Test
    void shouldNameARegistryHeaderThatDoesNotFitTheFile()
    {
        final File file = Rig.registryFile(directory);
        Registry.create(file, 2, 2);
        final UnsafeBuffer buffer = MappedFiles.map(file, RegistryDescriptor.ENTRIES_OFFSET, "registry");
        buffer.putInt(RegistryDescriptor.MARKS_OFFSET, Integer.MAX_VALUE);
        shouldRefuse(() -> Registry.attach(file), file, "marks=" + Integer.MAX_VALUE);
        buffer.putInt(RegistryDescriptor.MARKS_OFFSET, 2);
        buffer.putInt(RegistryDescriptor.PROCESSES_OFFSET, -1);
        shouldRefuse(() -> Registry.attach(file), file, "processes=-1");
    }

    private void shouldRefuseArguments(
        final String word, final int id, final int sources, final int ringSlots, final int runSlots)
    {
        final IllegalArgumentException ex = assertThrows(
            IllegalArgumentException.class, () -> Mailbox.create(boxFile(), id, 1, sources, ringSlots, runSlots));
        assertTrue(ex.getMessage().contains(word), ex.getMessage());
        assertEquals(0, directory.list().length);
    }

    @Test
    void shouldRefuseArgumentsOutOfRange()
    {
        shouldRefuseArguments("found=1048577, expected=1 to 1048576", 0, (1 << 20) + 1, 16, 4);
        shouldRefuseArguments("found=0, expected=1 to 1048576", 0, 0, 16, 4);
        shouldRefuseArguments("found=33554432, expected=4 to 16777216", 0, 1, 1 << 25, 4);
        shouldRefuseArguments("found=48", 0, 1, 48, 4);
        shouldRefuseArguments("expected=1 to 64", 0, 1, 128, 65);
        shouldRefuseArguments("expected=1 to 16", 0, 1, 16, 17);
        shouldRefuseArguments("mailbox id", 1 << 20, 1, 16, 4);
        assertThrows(IllegalArgumentException.class, () -> Registry.create(boxFile(), 0, 1));
        assertThrows(IllegalArgumentException.class, () -> Registry.create(boxFile(), 1 << 24, 1 << 24));
    }

    @Test
    void shouldHoldTwoToTheTwentySources()
    {
        final Mailbox box = Mailbox.create(boxFile(), 0, 1, 1 << 20, 16, 4);
        final int last = MailboxDescriptor.sourceLineOffset((1 << 20) - 1);
        box.buffer().putLong(last + 120, -1);
        final Rig rig = new Rig(directory, 1, 16, 4);
        final ClaimMark mark = rig.takeMark(rig.process);
        for (int i = 0; i < 100; i++)
        {
            mark.intend(box.claimKey(), 4);
            final long position = box.claim(mark, 4);
            box.buffer().setMemory(box.payloadOffset(position), 248, (byte)-1);
            box.publish(mark, position, 3, 0, 248, (1 << 20) - 1);
        }
        assertEquals(-1, box.buffer().getLong(last + 120));
    }

    @Test
    void shouldMakePrivateFilesInAPrivateDirectory() throws IOException
    {
        final File node = new File(directory, "a/node");
        MappedFiles.ensureDirectory(node);
        MappedFiles.ensureDirectory(node);
        assertEquals("rwx------", mode(node));
        assertEquals("rwx------", mode(node.getParentFile()), "whatever the umask says");
        final Rig rig = new Rig(node, 2, 16, 4);
        assertEquals("rw-------", mode(rig.box.file()));
        assertEquals("rw-------", mode(Rig.registryFile(node)));
        assertEquals("rw-------", mode(NodeLock.file(node)));
        assertEquals(List.of("box", "lock", "registry"), sorted(node.list()), "nothing temporary stays");
    }

    @Test
    void shouldFollowNoSymbolicLinkOfAnotherUser() throws IOException
    {
        final Path link = directory.toPath().resolve("link");
        final File target = new File(directory, "target");
        MappedFiles.ensureDirectory(target);
        Files.createSymbolicLink(link, target.toPath());
        MappedFiles.ensureDirectory(link.toFile());
        // only root can make a link of another user
        Assumptions.assumeTrue((Integer)Files.getAttribute(link, "unix:uid", LinkOption.NOFOLLOW_LINKS) == 0);
        Files.setAttribute(link, "unix:uid", 1, LinkOption.NOFOLLOW_LINKS);
        for (final File file : List.of(link.toFile(), new File(link.toFile(), "node")))
        {
            final MailboxException refused = assertThrows(MailboxException.class, () -> MappedFiles.ensureDirectory(file));
            assertTrue(refused.getMessage().contains("symbolic link"), refused.getMessage());
            assertTrue(refused.getMessage().contains("found uid=1"), refused.getMessage());
        }
    }

    private static List<String> sorted(final String[] names)
    {
        Arrays.sort(names);
        return Arrays.asList(names);
    }

    private static String mode(final File file) throws IOException
    {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath()));
    }

    @Test
    void shouldRefuseADirectoryThatOthersMayWriteTo() throws IOException
    {
        final File node = new File(directory, "open");
        assertTrue(node.mkdir());
        Files.setPosixFilePermissions(node.toPath(), PosixFilePermissions.fromString("rwxrwxrwx"));
        shouldRefuse(() -> MappedFiles.ensureDirectory(node), node, "found=rwxrwxrwx", "expected=rwx------");
        final File file = new File(directory, "file");
        assertTrue(file.createNewFile());
        shouldRefuse(() -> MappedFiles.ensureDirectory(file), file, "not a directory");
    }

    /** As characters are that the locale of the JVM does not have; but no system has a name with this one. */
    @Test
    void shouldRefuseANameThatTheJvmCannotGiveToTheSystem()
    {
        final File node = new File(directory, "a\0b");
        shouldRefuse(() -> MappedFiles.ensureDirectory(node), node, "cannot give to the system", "LC_ALL=C.UTF-8");
    }

    @Test
    void shouldRefuseADirectoryOfAnotherUser() throws IOException
    {
        final File node = new File(directory, "theirs");
        MappedFiles.ensureDirectory(node);
        final Object own = Files.getAttribute(node.toPath(), "unix:uid");
        try
        {
            Files.setAttribute(node.toPath(), "unix:uid", 65_534);
        }
        catch (final IOException ex)
        {
            System.out.println("SharedFilesTest: left out, a directory cannot be given away here: " + ex);
            return;
        }
        shouldRefuse(() -> MappedFiles.ensureDirectory(node), node, "belongs to another user", "found uid=65534", "expected=" +
            own);
    }

    @Test
    void shouldNameTheFileThatCannotBeCreated()
    {
        final File file = new File(directory, "missing/box");
        shouldRefuse(() -> Mailbox.create(file, 0, 1, 1, 16, 4), file, "cannot create");
    }

    @Test
    void shouldReplaceAnOlderFileInOneStep()
    {
        final Mailbox old = create();
        final Mailbox next = Mailbox.create(boxFile(), 3, 2, 8, 32, 4);
        old.buffer().putLong(MailboxDescriptor.WRITE_POSITION_OFFSET, 99);
        assertEquals(0, next.writePosition());
        assertEquals(2, Mailbox.attach(boxFile()).incarnation());
        assertEquals(99, old.writePosition());
    }
}
