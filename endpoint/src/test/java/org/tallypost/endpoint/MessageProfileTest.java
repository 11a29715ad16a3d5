// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.node.Node;

/** Files with message profiles, good and bad; and which profile a node has. */
@Tag("once")
class MessageProfileTest
{
    private static final MessageProfile MEASURED = MessageProfile.of(512, 4_096, MessageProfile.NEVER);

    @TempDir
    private Path directory;

    private Path file(final String text) throws IOException
    {
        return Files.write(directory.resolve("profile"), text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private NodeContext context()
    {
        return new NodeContext().directory(directory.resolve("node").toFile()).rankCount(1).deleteOnClose(true);
    }

    private static MessageProfile launched(final NodeContext context)
    {
        try (Node node = Node.launch(context); Endpoint endpoint = node.open(0))
        {
            assertSame(context.messageProfile(), endpoint.messageProfile());
            return endpoint.messageProfile();
        }
    }

    @Test
    void shouldReadWhatWasWritten() throws IOException
    {
        final Path file = directory.resolve("written");
        MEASURED.write(file.toFile());
        final MessageProfile read = MessageProfile.read(file.toFile());
        assertEquals(MEASURED.toText(), read.toText());
        assertEquals(512, read.eagerLimit());
        assertEquals(4_096, read.regionLength());
        assertEquals(MessageProfile.NEVER, read.crossLength());
        assertTrue(MessageProfile.NEVER > Endpoint.MAX_MESSAGE_LENGTH);
    }

    @Test
    void shouldRefuseBadForeignAndOldFiles() throws IOException
    {
        final String sound = MEASURED.toText();
        refuse(sound.replace("processors=", "processors=1"), "processors");
        refuse(sound.replace("machine=", "machine=another "), "machine=another");
        refuse(sound.replace(MessageProfile.HEADING, "# tallypost message profile 0"), "another first line");
        refuse(sound.replace("eagerLimit=512", "eagerLimit=many"), "eagerLimit=many");
        refuse(sound.replace("eagerLimit=512", ""), "eagerLimit=null");
        refuse(sound.replace("eagerLimit=512", "eagerLimit=2049"), "eagerLimit out of range: found=2049");
        refuse(sound.replace("eagerLimit=512", "eagerLimit=1.5"), "eagerLimit out of range: found=1.5");
        refuse(sound.replace("regionLength=4096", "regionLength=-1"), "regionLength out of range: found=-1");
        refuse(sound.replace("regionLength=4096", "regionLength=NaN"), "regionLength out of range: found=NaN");
        refuse(sound.replace("regionLength=4096", "regionLength=1e99"), "regionLength out of range: found=1.0E99");
        refuse("", "another first line");
        refuse(MessageProfile.HEADING + "\n\\u00zz", "cannot be read");
        refuse("#".repeat(300_000), "length=300000");
        assertTrue(assertThrows(IllegalArgumentException.class,
            () -> MessageProfile.read(directory.resolve("none").toFile())).getMessage().contains("cannot be read"));
        assertThrows(IllegalArgumentException.class, () -> MessageProfile.of(-1, 0, 0));
    }

    private void refuse(final String text, final String expected) throws IOException
    {
        final Path file = file(text);
        final String message =
            assertThrows(IllegalArgumentException.class, () -> MessageProfile.read(file.toFile())).getMessage();
        assertTrue(message.contains(expected) && message.contains(file.toString()), message);
    }

    /** Whatever a file holds: a profile within its ranges, or an error that names the file. */
    @Test
    void shouldReadOrRefuseADamagedFile() throws IOException
    {
        final byte[] sound = MEASURED.toText().getBytes(StandardCharsets.ISO_8859_1);
        final long seed = System.nanoTime();
        System.out.println("MessageProfileTest: seed=" + seed);
        final Random random = new Random(seed);
        final Path file = directory.resolve("damaged");
        int refused = 0;
        int read = 0;
        for (int round = 0; round < 3_000 || refused == 0 || read == 0; round++)
        {
            final int length = random.nextInt(4) == 0 ? random.nextInt(sound.length) : sound.length;
            final byte[] damaged = Arrays.copyOf(sound, length);
            for (int i = random.nextInt(3); i >= 0 && length > 0; i--)
            {
                damaged[random.nextInt(length)] = (byte)random.nextInt();
            }
            Files.write(file, damaged);
            try
            {
                final MessageProfile found = MessageProfile.read(file.toFile());
                assertEquals(found.toText(),
                    MessageProfile.of(found.eagerLimit(), found.regionLength(), found.crossLength()).toText());
                read++;
            }
            catch (final IllegalArgumentException e)
            {
                assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
                refused++;
            }
        }
    }

    @Test
    void shouldTakeThatOfTheContextThenThatOfThePropertyThenTheUsualOne() throws IOException
    {
        final MessageProfile other = MessageProfile.of(0, 0, 0);
        assertSame(MessageProfile.usual(), launched(context()));
        assertSame(other, launched(context().messageProfile(other)));
        final String before = System.setProperty(MessageProfile.FILE_PROPERTY, file(MEASURED.toText()).toString());
        try
        {
            assertEquals(MEASURED.toText(), launched(context()).toText());
            assertSame(other, launched(context().messageProfile(other)));
            file("damaged");
            final String message = assertThrows(IllegalArgumentException.class, () -> Node.launch(context())).getMessage();
            assertTrue(message.contains("another first line") && message.contains("calibrate bulk"), message);
            assertSame(other, launched(context().messageProfile(other)), "the file of the property is not read");
        }
        finally
        {
            if (before == null)
            {
                System.clearProperty(MessageProfile.FILE_PROPERTY);
            }
            else
            {
                System.setProperty(MessageProfile.FILE_PROPERTY, before);
            }
        }
    }
}
