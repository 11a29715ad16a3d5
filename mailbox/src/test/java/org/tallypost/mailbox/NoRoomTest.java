// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** A file system without room, or a limit on the length of files, is an error at creation. */
class NoRoomTest
{
    private static final String CREATED = "created";

    @TempDir
    private File directory;

    /** The child: creates a mailbox of 16 MiB, says how that went, and touches all of the mapping if it went well. */
    static final class Creator
    {
        private Creator()
        {
        }

        /**
         * Creates the mailbox.
         *
         * @param arguments directory.
         */
        public static void main(final String[] arguments)
        {
            final File node = new File(arguments[0]);
            try
            {
                final Mailbox box = Mailbox.create(new File(node, "box"), 0, 1, 4, 1 << 18, 64);
                box.buffer().setMemory(0, box.buffer().capacity(), (byte)1);
                System.out.println(CREATED);
            }
            catch (final MailboxException ex)
            {
                System.out.println(ex.getMessage());
            }
            System.out.println(String.join(",", node.list()));
        }
    }

    private void shouldFailWithTheNumbers(final ForkedJvm child)
    {
        final String message = child.readLine();
        System.out.println("NoRoomTest: " + message);
        final long length = MailboxDescriptor.fileLength(4, 1 << 18, 64, 0, 0);
        assertTrue(message.startsWith("no room for file: file=" + new File(directory, "box")), message);
        assertTrue(message.contains("needed=" + length + " bytes, written="), message);
        assertTrue(message.contains("free now="), message);
        assertEquals("", child.readLine(), "nothing is left behind");
        assertEquals(0, child.waitFor());
    }

    @Test
    void shouldSayThatAFileSystemIsFull()
    {
        final String mount = "mount -t tmpfs -o size=8m,mode=700 tmpfs " + directory;
        if (!isPermitted("unshare", "-m", "sh", "-c", mount))
        {
            System.out.println("NoRoomTest: mounting a small file system is not permitted here; the limit on the length " +
                "of files stands for it");
            return;
        }
        // the mount ends with the name space, and that with the child
        try (ForkedJvm child = ForkedJvm.startFromShell(
            List.of("unshare", "-m"), mount + " && exec \"$@\"", Creator.class, directory))
        {
            shouldFailWithTheNumbers(child);
        }
    }

    private static boolean isPermitted(final String... command)
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

    @Test
    void shouldSayThatAFileMayNotBecomeThatLong()
    {
        try (ForkedJvm child = ForkedJvm.startFromShell(
            List.of(), "ulimit -f 8192 && exec \"$@\"", Creator.class, directory))
        {
            shouldFailWithTheNumbers(child);
        }
    }

    @Test
    void shouldCreateWhereThereIsRoom()
    {
        try (ForkedJvm child = ForkedJvm.start(Creator.class, directory))
        {
            assertEquals(CREATED, child.readLine());
            assertEquals("box", child.readLine());
            assertEquals(0, child.waitFor());
        }
    }
}
