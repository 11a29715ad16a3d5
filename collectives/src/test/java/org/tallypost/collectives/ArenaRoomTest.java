// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.node.Node;

/** Arenas and memory that do not fit where the node's files are: an error says so, and the node and the team go on. */
@Tag("once")
class ArenaRoomTest
{
    private static final int ROOM = 8 << 20;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(170);

    @TempDir
    private Path directory;

    /** Two ranks of which one wants an arena that has no room, while the other one waits for it. */
    static final class Ranks
    {
        private Ranks()
        {
        }

        private static CollectivesContext fitting()
        {
            return new CollectivesContext().joinTimeoutNs(LIMIT_NS).window(4).blockLength(1_024);
        }

        private static void go(final Team world)
        {
            final long[] results = {world.barrier(), 0};
            String refusal = "none";
            try
            {
                world.allocate(ROOM);
            }
            catch (final MailboxException ex)
            {
                refusal = ex.getClass().getSimpleName();
            }
            results[1] = world.barrier();
            System.out.println(
                "rank " + world.member() + " " + results[0] + " " + refusal + " " + Team.errorString(results[1]));
        }

        /**
         * Does that.
         *
         * @param arguments directory.
         * @throws InterruptedException never.
         */
        public static void main(final String[] arguments) throws InterruptedException
        {
            final File directory = new File(arguments[0]);
            try (Node node = Node.launch(CollectivesTest.context(directory.toPath(), 2));
                Endpoint first = node.open(0);
                Endpoint second = node.open(1))
            {
                final Thread other = new Thread(() ->
                {
                    try (Collectives collectives = Collectives.attach(node, second, fitting()))
                    {
                        go(collectives.world());
                    }
                });
                other.start();
                try (Collectives collectives =
                    Collectives.attach(node, first, new CollectivesContext().window(4).blockLength(ROOM / 4)))
                {
                    collectives.world();
                }
                catch (final NoRoomException ex)
                {
                    System.out.println(ex.getMessage());
                }
                try (Collectives collectives = Collectives.attach(node, first, fitting()))
                {
                    go(collectives.world());
                    other.join();
                }
            }
            System.out.println("left " + String.join(" ", directory.list()));
        }
    }

    private void shouldGoOn(final ForkedJvm child)
    {
        final String message = child.readLine();
        System.out.println("ArenaRoomTest: " + message);
        assertTrue(message.contains("no room for the blocks of a team"), message);
        assertTrue(message.contains("CollectivesContext.window"), message);
        for (int i = 0; i < 2; i++)
        {
            final String rank = child.readLine();
            assertTrue(rank.matches("rank [01] [0-9]+ (NoRoom|Mailbox)Exception DONE"), rank);
        }
        assertEquals("left ", child.readLine());
        assertEquals(0, child.waitFor());
    }

    private static boolean isPermitted(final String mount)
    {
        try
        {
            return new ProcessBuilder("unshare", "-m", "sh", "-c", mount).redirectErrorStream(true).start().waitFor() == 0;
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

    /** The mount is in a name space that ends with the child. */
    @Test
    void shouldGoOnInAFileSystemThatIsTooSmall()
    {
        final String mount = "mount -t tmpfs -o size=" + ROOM + ",mode=700 tmpfs " + directory;
        if (isPermitted(mount))
        {
            try (ForkedJvm child = ForkedJvm.startFromShell(
                List.of("unshare", "-m"), mount + " && exec \"$@\"", Ranks.class, directory))
            {
                shouldGoOn(child);
            }
        }
        else
        {
            System.out.println("ArenaRoomTest: mounting a small file system is not permitted here; the limit on the length of " +
                "files stands for it");
        }
    }

    @Test
    void shouldGoOnWhereFilesMayNotBecomeThatLong()
    {
        try (ForkedJvm child = ForkedJvm.startFromShell(
            List.of(), "ulimit -f " + ROOM / 1_024 + " && exec \"$@\"", Ranks.class, directory))
        {
            shouldGoOn(child);
        }
    }
}
