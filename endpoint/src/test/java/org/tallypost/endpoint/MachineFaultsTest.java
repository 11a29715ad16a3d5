// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.agrona.IoUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.mailbox.ForkedJvm;

/**
 * The machine fails a process: no room, no permission, no descriptors, files that are cut off or removed while they are mapped.
 * It is told what is wrong, and never ends the JVM. What this machine does not allow to be tried is printed.
 */
@Tag("once")
class MachineFaultsTest
{
    private static final int SLOTS = 16;
    /** Mailboxes of more than one MiB: two of them fit a file system of 8 MiB, eight do not. */
    private static final int MANY_SLOTS = 2048;
    /** Not the interpreter: its compare-and-set does not survive a missing page (docs/guide/security.md). */
    private static final List<String> FIRST_COMPILER = List.of("-XX:TieredStopAtLevel=1");
    private static final List<String> SECOND_COMPILER = List.of("-XX:TieredStopAtLevel=4");

    @TempDir
    private Path directory;

    private File node()
    {
        return new File(directory.toFile(), "node");
    }

    private static String ask(final ForkedJvm child, final String line)
    {
        child.writeLine(line);
        return child.readLine();
    }

    private static void expect(final String line, final String start, final Object... words)
    {
        assertTrue(line.startsWith(start), line);
        for (final Object word : words)
        {
            assertTrue(line.contains(word.toString()), "expected <" + word + "> in: " + line);
        }
    }

    private static void run(final ForkedJvm child)
    {
        assertEquals("ready", child.readLine());
        assertEquals("done", ask(child, "launch"));
        assertEquals("done", ask(child, "start"));
        awaitTraffic(child);
    }

    private static void awaitTraffic(final ForkedJvm child)
    {
        final long before = received(child);
        while (received(child) < before + 100_000)
        {
            Thread.yield();
        }
    }

    private static long received(final ForkedJvm child)
    {
        final String line = ask(child, "received");
        expect(line, "received ");
        return Long.parseLong(line.substring("received ".length()));
    }

    private static List<String> exit(final ForkedJvm child)
    {
        final List<String> told = new ArrayList<>();
        child.writeLine("exit");
        for (String line = child.readLine(); !"closed".equals(line); line = child.readLine())
        {
            told.add(line);
        }
        assertEquals(0, child.waitFor(), "exit code, after " + told);
        return told;
    }

    private void shouldSayThatAFileWasCutOff(final List<String> options, final String name, final long length)
        throws IOException
    {
        final File file = new File(node(), name);
        try (ForkedJvm child = ForkedJvm.startWith(options, FaultyProcess.class, node(), SLOTS))
        {
            run(child);
            final long before = file.length();
            try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.WRITE))
            {
                channel.truncate(Math.min(length, before - 1));
            }
            String line = child.readLine();
            final StringBuilder told = new StringBuilder(line);
            while (!line.contains("was truncated"))
            {
                line = child.readLine();
                told.append(" | ").append(line);
            }
            expect(line, "error file was truncated while it was mapped: file=" + file, "found=" +
                Math.min(length, before - 1) + ",", "expected=" + before, "launch all processes of the node anew");
            System.out.println("MachineFaultsTest: " + options + " " + name + ": " + told + ", then " + exit(child));
        }
        IoUtil.delete(node(), true);
    }

    @Test
    void shouldSayThatAFileWasCutOffUnderEitherCompiler() throws IOException
    {
        for (final List<String> options : List.of(FIRST_COMPILER, SECOND_COMPILER))
        {
            for (final String name : List.of("mailbox-1-1", Group.FILE_NAME, NodeFiles.REGISTRY_NAME))
            {
                shouldSayThatAFileWasCutOff(options, name, 0);
            }
        }
    }

    @Test
    void shouldSayThatAFileWasCutOffAfterItsFirstPage() throws IOException
    {
        shouldSayThatAFileWasCutOff(SECOND_COMPILER, "mailbox-1-1", 4096);
        shouldSayThatAFileWasCutOff(SECOND_COMPILER, "mailbox-1-1", 1L << 40);
    }

    @Test
    void shouldGoOnWithoutItsDirectoryAndSaySo()
    {
        try (ForkedJvm child = ForkedJvm.start(FaultyProcess.class, node(), SLOTS))
        {
            run(child);
            IoUtil.delete(node(), true);
            expect(child.readLine(), "error file was removed or replaced while it was mapped: file=" + node(), "can join");
            awaitTraffic(child);
            expect(ask(child, "open 3"), "error cannot create file: file=" + node(), "NoSuchFileException");
            awaitTraffic(child);
            System.out.println("MachineFaultsTest: directory removed: " + exit(child));
        }
    }

    @Test
    void shouldSayThatThereAreNoDescriptorsLeft()
    {
        try (ForkedJvm child = ForkedJvm.startFromShell(
            List.of(), "ulimit -n 80 && exec \"$@\"", FaultyProcess.class, node(), SLOTS))
        {
            run(child);
            // what is needed to fail is loaded before there are none left
            expect(ask(child, "open 1"), "error java.lang.IllegalStateException: rank is open already");
            assertEquals("done", ask(child, "open 4"));
            assertEquals("done", ask(child, "exhaust"));
            final String told = ask(child, "open 3");
            // at the lock, or at what comes after it if one descriptor came free meanwhile
            expect(told, "error cannot ", "file=" + node(), "Too many open files");
            awaitTraffic(child);
            assertEquals("done", ask(child, "relieve"));
            assertEquals("done", ask(child, "open 3"));
            assertEquals("done", ask(child, "park"));
            System.out.println("MachineFaultsTest: no descriptors: " + told + ", then " + exit(child));
        }
    }

    @Test
    void shouldSayThatItMayNotWriteThere() throws IOException
    {
        // the superuser may write everywhere, unless it gives that up
        final List<String> launcher = "root".equals(System.getProperty("user.name")) ?
            List.of("setpriv", "--bounding-set", "-dac_override,-dac_read_search") : List.of();
        final List<String> trial = new ArrayList<>(launcher);
        trial.add("true");
        if (!isPermitted(trial))
        {
            System.out.println("MachineFaultsTest: left out, no permission cannot be tried here: " + trial + " failed");
            return;
        }
        Files.createDirectory(node().toPath(), PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("r-x------")));
        try (ForkedJvm child = ForkedJvm.startFromShell(launcher, "exec \"$@\"", FaultyProcess.class, node(), SLOTS))
        {
            assertEquals("ready", child.readLine());
            expect(ask(child, "launch"), "error cannot lock file: file=" + new File(node(), "lock"), "AccessDeniedException");
            Files.setPosixFilePermissions(node().toPath(), PosixFilePermissions.fromString("rwx------"));
            assertEquals("done", ask(child, "launch"));
            Files.setPosixFilePermissions(node().toPath(), PosixFilePermissions.fromString("r-x------"));
            expect(ask(child, "open 0"), "error cannot create file: file=" + node(), "AccessDeniedException");
            Files.setPosixFilePermissions(node().toPath(), PosixFilePermissions.fromString("rwx------"));
            assertEquals("done", ask(child, "open 0"));
            exit(child);
        }
    }

    @Test
    void shouldSayThatTheFileSystemIsFullAndNeverFailLater() throws IOException
    {
        final Path small = Files.createDirectory(directory.resolve("small"));
        final String mount = "mount -t tmpfs -o size=8m,mode=700 tmpfs " + small;
        if (!isPermitted(List.of("unshare", "-m", "sh", "-c", mount)))
        {
            System.out.println("MachineFaultsTest: left out, a full file system cannot be tried here: " + mount + " failed");
            return;
        }
        final File node = new File(small.toFile(), "node");
        try (ForkedJvm child = ForkedJvm.startFromShell(
            List.of("unshare", "-m"), mount + " && exec \"$@\"", FaultyProcess.class, node, MANY_SLOTS))
        {
            run(child);
            String told = "done";
            for (int rank = 2; rank < 8 && told.equals("done"); rank++)
            {
                told = ask(child, "open " + rank);
            }
            expect(told, "error no room for file: file=" + node, "needed=", "written=", "free now=");
            // all pages of what could be created are there, though nothing else is free
            assertEquals("done", ask(child, "touch"));
            awaitTraffic(child);
            System.out.println("MachineFaultsTest: full: " + told + ", then " + exit(child));
        }
    }

    @Test
    void shouldKeepOthersOutWhateverTheUmask()
    {
        try (ForkedJvm child = ForkedJvm.startFromShell(
            List.of(), "umask 000 && exec \"$@\"", FaultyProcess.class, node(), SLOTS))
        {
            run(child);
            assertEquals("done", ask(child, "park"));
            final List<String> all = new ArrayList<>();
            child.writeLine("modes");
            for (String line = child.readLine(); !"done".equals(line); line = child.readLine())
            {
                all.add(line);
            }
            assertEquals("mode rwx------ ", all.remove(0), "the directory itself");
            assertTrue(all.size() >= 7, "bell, group, lock, mailboxes, registry: " + all);
            for (final String line : all)
            {
                expect(line, "mode rw------- ");
            }
            exit(child);
        }
    }

    private static boolean isPermitted(final List<String> command)
    {
        try
        {
            return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
        }
        catch (final IOException ex)
        {
            return false;
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
