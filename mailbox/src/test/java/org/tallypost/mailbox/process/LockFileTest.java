// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.OtherLoader;

/** A lock that is held for long, as that of the process that carries packets between nodes. */
class LockFileTest
{
    @TempDir
    private File directory;

    @Test
    void shouldBeClaimedOnceInAJvmWhateverTheClassLoader() throws Exception
    {
        final File file = new File(directory, "held");
        try (URLClassLoader loader = OtherLoader.create())
        {
            final Class<?> copy = loader.loadClass(LockFile.class.getName());
            final LockFile held = LockFile.claim(file, LockFile.TRANSPORT_PLACE);
            assertTrue(held.tryLock());
            assertNull(LockFile.claim(file, LockFile.TRANSPORT_PLACE));
            assertNull(LockFile.claim(new File(directory, "./held"), LockFile.TRANSPORT_PLACE));
            assertNull(copy.getMethod("claim", File.class, long.class).invoke(null, file, LockFile.TRANSPORT_PLACE));
            assertEquals("false", tried(file), "another process got the lock");
            assertEquals(7, NodeLock.locked(NodeLock.file(directory), () -> 7), "a lock with another place");
            held.close();
            assertEquals("true", tried(file));
            final AutoCloseable other =
                (AutoCloseable)copy.getMethod("claim", File.class, long.class).invoke(null, file, LockFile.TRANSPORT_PLACE);
            assertNotNull(other);
            other.close();
        }
    }

    @Test
    void shouldNotCountIfAnotherFileHasItsName() throws IOException
    {
        final File file = new File(directory, "held");
        try (LockFile held = LockFile.claim(file, LockFile.TRANSPORT_PLACE))
        {
            assertTrue(held.tryLockAny());
            assertTrue(file.delete() && file.createNewFile());
            assertFalse(held.isCurrent());
        }
        try (LockFile held = LockFile.claim(file, LockFile.TRANSPORT_PLACE))
        {
            assertTrue(held.tryLockAny());
            assertTrue(held.isCurrent());
        }
    }

    private static String tried(final File file)
    {
        try (ForkedJvm other = ForkedJvm.start(Trier.class, file))
        {
            return other.readLine();
        }
    }

    /** Says whether it gets the lock. */
    public static final class Trier
    {
        private Trier()
        {
        }

        /**
         * Entry point.
         *
         * @param args the file to lock.
         * @throws IOException if it cannot be tried.
         */
        public static void main(final String[] args) throws IOException
        {
            try (LockFile tried = LockFile.claim(new File(args[0]), LockFile.TRANSPORT_PLACE))
            {
                System.out.println(tried.tryLock());
            }
        }
    }
}
