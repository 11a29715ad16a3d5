// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/**
 * A child process with rank 1 that borrows and lends as its input says. It keeps every third loan that it gets until there are
 * three more, and releases the others at once.
 */
final class LoanProcess
{
    private LoanProcess()
    {
    }

    static ForkedJvm start(final Path directory)
    {
        return ForkedJvm.start(LoanProcess.class, directory);
    }

    /** Whether all bytes of a message are the same. */
    static boolean isWhole(final DirectBuffer message)
    {
        for (int at = 1; at < message.capacity(); at++)
        {
            if (message.getByte(at) != message.getByte(0))
            {
                return false;
            }
        }
        return true;
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
            final List<LoanedMessage> kept = new ArrayList<>();
            int count = 0;
            for (String line = input.readLine(); line != null && !"exit".equals(line); line = input.readLine())
            {
                final String[] words = line.split(" ");
                if ("lend".equals(words[0]))
                {
                    final Loan loan = new Loan();
                    memory.tryLoan(Integer.parseInt(words[1]), loan);
                    loan.buffer().setMemory(0, loan.buffer().capacity(), (byte)9);
                    loan.lend(0);
                    System.out.println(RegionProcess.hex(loan.key(new RegionKey())));
                    continue;
                }
                final LoanedMessage message = new LoanedMessage();
                final long length = message.attach(memory, RegionProcess.key(words[1]));
                final boolean isWhole = length > 0 && isWhole(message.buffer());
                if (++count % 3 == 0)
                {
                    kept.add(message);
                }
                else
                {
                    message.release();
                }
                if (kept.size() > 3)
                {
                    kept.remove(0).release();
                }
                System.out.println(isWhole ? "whole" : "broken " + length);
            }
        }
    }
}
