// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.mailbox.FuzzCorpus;
import org.tallypost.mailbox.FuzzInput;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;
import org.tallypost.node.NodeStat;
import org.tallypost.node.SharedFile;

/**
 * A node's directory in which a live process holds rank 1, with files of other contents and lengths: it is read from outside,
 * joined, and left. Either an exception says what is wrong, as documented, or all works.
 */
public final class NodeAttachFuzz
{
    private static final int RANKS = 3;
    private static final int RANK = 1;
    private static final String SHARED = "fuzz";
    private static File scratch;
    private static Map<String, byte[]> sound;

    private NodeAttachFuzz()
    {
    }

    /**
     * Entry for the fuzzer.
     *
     * @param bytes of the input.
     */
    public static void fuzzerTestOneInput(final byte[] bytes)
    {
        if (scratch == null)
        {
            scratch = FuzzCorpus.scratch();
        }
        run(new File(scratch, "node"), bytes);
    }

    /** The files of a node as this process, which lives, leaves them without leaving the node. */
    private static synchronized Map<String, byte[]> files(final File directory) throws IOException
    {
        if (sound == null)
        {
            sound = made(directory);
        }
        final Map<String, byte[]> files = new HashMap<>();
        sound.forEach((name, bytes) -> files.put(name, bytes.clone()));
        return files;
    }

    private static Map<String, byte[]> made(final File directory) throws IOException
    {
        final Map<String, byte[]> files = new HashMap<>();
        try (Node node = Node.launch(EndpointFuzz.context(directory)); Endpoint endpoint = node.open(RANK);
            SharedFile shared = node.createShared(SHARED, 8_192))
        {
            shared.buffer().putLong(0, 1);
            for (final File file : directory.listFiles())
            {
                files.put(file.getName(), Files.readAllBytes(file.toPath()));
            }
            endpoint.counters();
        }
        return files;
    }

    static void run(final File directory, final byte[] bytes)
    {
        final FuzzInput input = new FuzzInput(bytes);
        try
        {
            final Map<String, byte[]> files = files(directory);
            final String[] names = {
                Group.FILE_NAME, NodeFiles.REGISTRY_NAME, NodeFiles.mailbox(directory, RANK, 1).getName(), "bell-x-y",
                "shared-" + SHARED};
            for (int harms = 1 + input.next(6); harms > 0; harms--)
            {
                final String name = names[input.next(names.length)];
                files.put(name, harmed(files.getOrDefault(name, new byte[8]), input));
            }
            IoUtil.delete(directory, true);
            org.tallypost.mailbox.files.MappedFiles.ensureDirectory(directory);
            for (final Map.Entry<String, byte[]> file : files.entrySet())
            {
                Files.write(new File(directory, file.getKey()).toPath(), file.getValue());
            }
            read(directory);
            join(directory);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            IoUtil.delete(directory, true);
        }
    }

    private static byte[] harmed(final byte[] bytes, final FuzzInput input)
    {
        final int way = input.nextByte() % 8;
        if (way == 0)
        {
            return Arrays.copyOf(bytes, input.next(bytes.length + 64));
        }
        if (way == 1)
        {
            return input.nextBytes(64);
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        final int words = Math.max(1, Math.min(way < 5 ? 64 : 1024, bytes.length / Integer.BYTES));
        final int at = input.next(words) * Integer.BYTES;
        if (at + Integer.BYTES <= bytes.length)
        {
            buffer.putInt(at, (int)input.nextHarm(buffer.getInt(at)));
        }
        return bytes;
    }

    private static void read(final File directory)
    {
        try
        {
            final NodeStat stat = NodeStat.attach(directory);
            stat.read().forEach((each) -> each.counters().received());
            stat.groupName();
            stat.slotsPerSender();
            stat.flow();
            stat.creditReturn();
        }
        catch (final MailboxException ignore)
        {
            // as documented
        }
    }

    private static void join(final File directory)
    {
        try (Node node = Node.launch(EndpointFuzz.context(directory)))
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[2048]);
            for (int rank = 0; rank < RANKS; rank += 2)
            {
                final Endpoint endpoint = node.open(rank);
                for (int i = 0; i < 8; i++)
                {
                    endpoint.offer(RANK, 1, message, 0, 2048 >> i);
                    endpoint.offer(0, 1, message, 0, 8);
                    endpoint.poll(Fixtures.NOTHING, 10);
                }
            }
            share(node);
            node.checkLiveness();
        }
        catch (final MailboxException | IllegalStateException ignore)
        {
            // as documented; a rank may have a living holder, as the files say
        }
    }

    private static void share(final Node node)
    {
        try (SharedFile shared = node.tryAttachShared(SHARED))
        {
            if (shared != null)
            {
                shared.buffer().setMemory(0, (int)shared.length(), (byte)1);
                shared.isOwnerLive();
                shared.ownerPid();
            }
        }
        catch (final MailboxException ignore)
        {
            // as documented
        }
        try (SharedFile shared = node.createShared(SHARED, 100))
        {
            shared.buffer().putLong(0, 1);
        }
        catch (final MailboxException ignore)
        {
            // the owner lives
        }
    }
}
