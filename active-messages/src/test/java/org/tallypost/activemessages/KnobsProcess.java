// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import java.io.File;
import java.nio.file.Path;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/** A process that sets a knob of another one's rank again and again, or a slow rank that waits to be killed. */
public final class KnobsProcess
{
    static final int RANKS = 2;
    static final int SLOTS = 64;
    static final int READ = 3;
    static final int SETS = 20_000;
    static final String SLOW = "slow";

    private KnobsProcess()
    {
    }

    /**
     * Starts it.
     *
     * @param directory of the test.
     * @param what      the knob to set, or {@link #SLOW}.
     * @return the process.
     */
    static ForkedJvm start(final Path directory, final String what)
    {
        return ForkedJvm.start(KnobsProcess.class, directory, what);
    }

    /**
     * Runs in the process.
     *
     * @param args directory of the test, and what to do.
     */
    public static void main(final String[] args)
    {
        final Path directory = Path.of(args[0]);
        if (SLOW.equals(args[1]))
        {
            slow(directory);
            return;
        }
        final LoggpKnobs knobs = LoggpKnobs.find(new File(directory.toFile(), "node")).get(0);
        System.out.println("found");
        for (int i = 1; i <= SETS; i++)
        {
            knobs.set(Knob.valueOf(args[1]), i);
        }
    }

    private static void slow(final Path directory)
    {
        try (Node node = Node.launch(ActiveMessagesFixture.context(directory, Flow.DYNAMIC, RANKS, SLOTS));
            Endpoint endpoint = node.open(1);
            LoggpKnobs knobs = LoggpKnobs.open(node, 1))
        {
            final ActiveMessages messages =
                ActiveMessages.launch(new ActiveMessagesContext().endpoint(endpoint).rankCount(RANKS).knobs(knobs));
            messages.onRequest(READ, (token, a, b, c, d, e) -> System.out.println("answered"));
            // so rank 0 has messages of this rank that are not due for a second
            for (int i = 0; i < 2; i++)
            {
                while (messages.tryRequest(0, READ, 0, 0, 0, 0, 0) != 0)
                {
                    messages.doWork();
                }
                knobs.set(Knob.GAP, LoggpKnobs.MAX_NS);
            }
            System.out.println("open");
            while (true)
            {
                messages.doWork();
                Thread.yield();
            }
        }
    }
}
