// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.util.concurrent.CountDownLatch;
import org.tallypost.node.Node;

/** A child process that opens rank 1 with a high ring, says "ready", and never polls. */
public final class CompletionProcess
{
    private CompletionProcess()
    {
    }

    /**
     * Opens the rank, and waits until it is killed.
     *
     * @param arguments directory, ranks, slots of the high ring for each sender.
     * @throws InterruptedException never.
     */
    public static void main(final String[] arguments) throws InterruptedException
    {
        final Node node = Node.launch(PrioritiesTest.context(
            new File(arguments[0]).toPath(), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2])));
        node.open(1);
        System.out.println("ready");
        new CountDownLatch(1).await();
    }
}
