// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/** A child process with rank 1 that shares regions as its input says, a command in each line; keys are in hexadecimal. */
final class RegionProcess
{
    private RegionProcess()
    {
    }

    static ForkedJvm start(final Path directory)
    {
        return ForkedJvm.start(RegionProcess.class, directory);
    }

    static String hex(final RegionKey key)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RegionKey.LENGTH]);
        key.encode(buffer, 0);
        return HexFormat.of().formatHex(buffer.byteArray());
    }

    static RegionKey key(final String hex)
    {
        return new RegionKey().decode(new UnsafeBuffer(HexFormat.of().parseHex(hex)), 0);
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
        try (Node node = Node.launch(RegionFixture.context(Path.of(arguments[0]), 3)); Endpoint endpoint = node.open(1);
            RegionMemory memory = RegionMemory.open(node, endpoint))
        {
            final RemoteRegion remote = new RemoteRegion();
            for (String line = input.readLine(); line != null && !"exit".equals(line); line = input.readLine())
            {
                final String[] words = line.split(" ");
                switch (words[0])
                {
                    case "register":
                        System.out.println(hex(memory.register(Integer.parseInt(words[1]), Region.ALL).key(new RegionKey())));
                        break;
                    case "attach":
                        System.out.println(remote.attach(memory, key(words[1])));
                        break;
                    case "add":
                        for (int i = Integer.parseInt(words[2]); i > 0; i--)
                        {
                            remote.getAndAdd(Long.parseLong(words[1]), 1);
                        }
                        System.out.println(remote.value());
                        break;
                    default:
                        write(remote);
                        break;
                }
            }
        }
    }

    /** Puts without end, each value in all words, and a counter behind. */
    private static void write(final RemoteRegion remote)
    {
        System.out.println("writing");
        final UnsafeBuffer words = new UnsafeBuffer(new byte[1024]);
        for (long value = 1; remote.flush() == 0; value++)
        {
            for (int at = 0; at < 1024; at += 8)
            {
                words.putLong(at, value);
            }
            remote.putNotify(0, words, 0, 1024, 1024);
        }
        System.out.println("ended");
    }
}
