// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.files.NoRoomException;

/** A child process that shares files of a node as its input says, a command in each line. */
final class SharedFileProcess
{
    private SharedFileProcess()
    {
    }

    static ForkedJvm start(final Path directory)
    {
        return ForkedJvm.start(SharedFileProcess.class, directory);
    }

    /**
     * Obeys.
     *
     * @param arguments directory.
     * @throws IOException if the input fails.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        SharedFile file = null;
        try (Node node = Node.launch(Fixtures.context(Path.of(arguments[0]), Flow.DYNAMIC, CreditReturn.DIRECT, 2, 16)
            .deleteOnClose(true)))
        {
            for (String line = input.readLine(); line != null && !"exit".equals(line); line = input.readLine())
            {
                final String[] words = line.split(" ");
                switch (words[0])
                {
                    case "create":
                        file = create(node, words[1], Long.parseLong(words[2]), Long.parseLong(words[3]));
                        break;
                    case "attach":
                        file = node.attachShared(words[1]);
                        System.out.println(file.length());
                        break;
                    case "add":
                        System.out.println(file.buffer().getAndAddLong(Integer.parseInt(words[1]), 1));
                        break;
                    default:
                        System.out.println(grow(file, Long.parseLong(words[1])));
                        break;
                }
            }
        }
    }

    private static SharedFile create(final Node node, final String name, final long length, final long maxLength)
    {
        try
        {
            final SharedFile file = node.createShared(name, length, maxLength);
            System.out.println(file.length());
            return file;
        }
        catch (final NoRoomException ex)
        {
            System.out.println(ex.getMessage());
            return null;
        }
    }

    private static String grow(final SharedFile file, final long length)
    {
        try
        {
            return Long.toString(file.grow(length));
        }
        catch (final NoRoomException ex)
        {
            return ex.getMessage();
        }
    }
}
