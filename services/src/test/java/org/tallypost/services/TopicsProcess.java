// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** A rank in a process of its own that publishes or subscribes as its input says. */
final class TopicsProcess
{
    private TopicsProcess()
    {
    }

    /**
     * Obeys until it is killed.
     *
     * @param arguments directory and rank.
     * @throws IOException if the input fails.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Node node = Node.launch(RanksFixture.nodeContext(Path.of(arguments[0]), 3, 64));
            Endpoint endpoint = node.open(Integer.parseInt(arguments[1]));
            Topics topics = Topics.launch(new TopicsContext().node(node).endpoint(endpoint)))
        {
            Publication publication = null;
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a command or work");
            while (true)
            {
                if (input.ready())
                {
                    final String[] words = input.readLine().split(" ");
                    switch (words[0])
                    {
                        case "publish":
                            publication = topics.publish("a", new PublicationContext());
                            break;
                        case "subscribe":
                            topics.subscribe("a", new TopicsFixture.Heard());
                            break;
                        default:
                            for (int i = 0; i < Integer.parseInt(words[1]); i++)
                            {
                                TopicsFixture.offer(publication, Integer.toString(i));
                            }
                            System.out.println("sent");
                            break;
                    }
                }
                if (topics.doWork() == 0)
                {
                    watchdog.idle();
                }
            }
        }
    }
}
