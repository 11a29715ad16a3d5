// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.messaging.rma.CrossMemory;
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.node.Node;

/**
 * A child process: rank 1 sends each message of rank 0 back from a region, until one has the tag 0. It asks for a loan each
 * second time. It says "ready" at its start.
 */
public final class EchoProcess
{
    static final int RANKS = 2;
    static final int SLOTS = 64;
    static final int MAX_LENGTH = 100_000;

    private EchoProcess()
    {
    }

    static ForkedJvm start(final Path directory)
    {
        return ForkedJvm.start(EchoProcess.class, directory);
    }

    /**
     * Echoes.
     *
     * @param arguments directory.
     */
    public static void main(final String[] arguments)
    {
        try (Node node = Node.launch(MessengerFixture.context(Path.of(arguments[0]), Flow.DYNAMIC, RANKS, SLOTS));
            Endpoint endpoint = node.open(1);
            RegionMemory memory = RegionMemory.open(node, endpoint);
            Messenger messenger = Messenger.launch(
                new MessengerContext().endpoint(endpoint).rankCount(RANKS).regionMemory(memory)
                    .crossMemory(CrossMemory.whyNot() == null)))
        {
            System.out.println("ready");
            final ReceiveRequest receive = new ReceiveRequest();
            final SendRequest send = new SendRequest();
            final UnsafeBuffer buffer = memory.register(MAX_LENGTH, Region.READ).buffer();
            final LoanedMessage message = new LoanedMessage();
            boolean isLoanWanted = false;
            do
            {
                isLoanWanted = !isLoanWanted;
                if (isLoanWanted)
                {
                    messenger.receiveLoaned(receive, messenger.world(), 0, Communicator.ANY_TAG, message);
                }
                else
                {
                    messenger.receive(receive, messenger.world(), 0, Communicator.ANY_TAG, buffer, 0, MAX_LENGTH);
                }
                messenger.await(receive, Messenger.FOREVER);
                if (message.isHeld())
                {
                    buffer.putBytes(0, message.buffer(), 0, receive.length());
                    message.release();
                }
                if (receive.result() != RequestResult.SUCCESS)
                {
                    throw new IllegalStateException("receive: " + receive.result());
                }
                messenger.send(send, messenger.world(), 0, receive.tag(), buffer, 0, receive.length());
                messenger.await(send, Messenger.FOREVER);
            }
            while (receive.tag() != 0);
            // the last one is at its receiver when that says so
            messenger.receive(receive, messenger.world(), 0, Communicator.ANY_TAG, buffer, 0, MAX_LENGTH);
            messenger.await(receive, Messenger.FOREVER);
            System.out.println("done");
        }
    }
}
