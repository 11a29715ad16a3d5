// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.ForkedJvm;

/** A directory that is gone at the end, and in a process that is asked to end. */
class TemporaryDirectoryTest
{
    @TempDir
    private Path parent;

    /** A child that has one with a file in it, and waits. */
    static final class Child
    {
        private Child()
        {
        }

        /**
         * Says "ready", and waits until the process is ended.
         *
         * @param arguments the parent directory.
         * @throws IOException if there is no room.
         */
        public static void main(final String[] arguments) throws IOException
        {
            final TemporaryDirectory directory = TemporaryDirectory.create(new File(arguments[0]), "child-");
            Files.createFile(directory.file().toPath().resolve("file"));
            System.out.println("ready");
            while (System.in.read() >= 0)
            {
                // until it is ended
            }
            Runtime.getRuntime().halt(1);
        }
    }

    /** A child that makes one when it is ending already. */
    static final class LateChild
    {
        private LateChild()
        {
        }

        /**
         * Ends.
         *
         * @param arguments the parent directory.
         */
        public static void main(final String[] arguments)
        {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> assertThrows(IllegalStateException.class, () ->
            {
                TemporaryDirectory.create(new File(arguments[0]), "late-");
            })));
            System.out.println("ready");
        }
    }

    private String[] left()
    {
        return parent.toFile().list();
    }

    @Test
    void shouldBeGoneWhenItIsClosed() throws IOException
    {
        try (TemporaryDirectory directory = TemporaryDirectory.create(parent.toFile(), "run-"))
        {
            Files.createFile(directory.file().toPath().resolve("file"));
            assertArrayEquals(new String[]{directory.file().getName()}, left());
        }
        assertEquals(0, left().length);
    }

    @Test
    void shouldBeGoneWhenTheProcessIsEnded() throws Exception
    {
        try (ForkedJvm child = ForkedJvm.start(Child.class, parent))
        {
            assertEquals("ready", child.readLine());
            assertEquals(1, left().length);
            // SIGTERM
            assertTrue(ProcessHandle.of(child.pid()).orElseThrow().destroy());
            child.waitFor();
            assertEquals(0, left().length);
        }
    }

    @Test
    void shouldBeGoneWhenItIsMadeTooLate() throws Exception
    {
        try (ForkedJvm child = ForkedJvm.start(LateChild.class, parent))
        {
            assertEquals("ready", child.readLine());
            child.waitFor();
            assertArrayEquals(new String[0], left());
        }
    }
}
