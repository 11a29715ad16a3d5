// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.nio.file.Path;
import java.util.Random;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/** A child process: rank 1 exchanges messages with rank 0 until it is killed, or until its parent is gone. */
public final class TrafficProcess
{
    static final int RANKS = 2;
    static final int SLOTS = 64;
    static final int MAX_LENGTH = 60_000;

    private TrafficProcess()
    {
    }

    static ForkedJvm start(final Path directory, final long seed)
    {
        return ForkedJvm.start(TrafficProcess.class, directory, seed);
    }

    /**
     * Exchanges messages.
     *
     * @param arguments directory, seed.
     */
    public static void main(final String[] arguments)
    {
        try (Node node = Node.launch(MessengerFixture.context(Path.of(arguments[0]), Flow.DYNAMIC, RANKS, SLOTS));
            Endpoint endpoint = node.open(1);
            Messenger messenger = Messenger.launch(new MessengerContext().endpoint(endpoint).rankCount(RANKS)))
        {
            final Traffic traffic = new Traffic(messenger, new Random(Long.parseLong(arguments[1])), MAX_LENGTH);
            final ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
            for (int round = 0; round % 100_000 != 0 || parent.isAlive(); round++)
            {
                traffic.step(0);
                messenger.doWork();
            }
        }
    }
}
