// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** A file that is refused is not mapped any more: attempts at a damaged file take no address space. */
class RefusedMappingTest
{
    @TempDir
    private File directory;

    private static long mappings(final File file) throws IOException
    {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps")))
        {
            return maps.filter((line) -> line.endsWith(file.getPath())).count();
        }
    }

    @Test
    void shouldNotKeepARefusedMailboxMapped() throws IOException
    {
        final File file = new File(directory, "mailbox");
        final Mailbox created = Mailbox.create(file, 1, 1, 2, 16, 4);
        assertEquals(1, mappings(file), "its creator's, made under another name");
        created.buffer().putInt(MailboxDescriptor.VERSION_OFFSET, 0);
        for (int i = 0; i < 10; i++)
        {
            assertThrows(MailboxException.class, () -> Mailbox.attach(file));
        }
        created.buffer().putInt(MailboxDescriptor.VERSION_OFFSET, MailboxDescriptor.VERSION);
        created.buffer().putInt(MailboxDescriptor.RING_SLOTS_OFFSET, 17);
        for (int i = 0; i < 10; i++)
        {
            assertThrows(MailboxException.class, () -> Mailbox.attach(file), "by its shape");
        }
        assertEquals(1, mappings(file));
        created.buffer().putInt(MailboxDescriptor.RING_SLOTS_OFFSET, 16);
        final Mailbox attached = Mailbox.attach(file);
        assertEquals(2, mappings(file));
        assertEquals(created.ringSlots(), attached.ringSlots());
    }

    @Test
    void shouldUnmapWhateverEndsTheAttempt() throws IOException
    {
        final File file = new File(directory, "other");
        Files.write(file.toPath(), new byte[4096]);
        assertThrows(StackOverflowError.class, () -> MappedFiles.attach(file, 8, "other", RefusedMappingTest::fail));
        assertEquals(0, mappings(file));
    }

    private static Object fail(final UnsafeBuffer buffer)
    {
        throw new StackOverflowError("of " + buffer.capacity());
    }
}
