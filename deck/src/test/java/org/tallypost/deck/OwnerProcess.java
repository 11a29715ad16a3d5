// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.nio.file.Path;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/**
 * A child process: rank 1 has a mail box, and posts each message that comes there back to another one. It
 * says "ready" when it has its box.
 */
public final class OwnerProcess
{
    static final int MAX_LENGTH = 1_000_000;

    private OwnerProcess()
    {
    }

    static ForkedJvm start(final Path directory, final String own, final String other)
    {
        return ForkedJvm.start(OwnerProcess.class, directory, own, other);
    }

    /**
     * Returns messages until it is killed.
     *
     * @param arguments directory, names of the box and of the other one.
     */
    public static void main(final String[] arguments)
    {
        try (Node node = Node.launch(DeckFixture.context(Path.of(arguments[0]), 2));
            Endpoint endpoint = node.open(1);
            Deck deck = Deck.launch(new DeckContext().endpoint(endpoint).rankCount(2).timeoutNs(DeckFixture.LONG_NS)))
        {
            final MailBox box = deck.createMailBox(arguments[1]);
            System.out.println("ready");
            final MailBoxReference to = deck.cloneMailBox(arguments[2]);
            final Message got = deck.newMessage(MAX_LENGTH);
            final byte[] bytes = new byte[MAX_LENGTH];
            while (true)
            {
                box.retrieve(got);
                final int length = got.nextCount();
                got.unpack(bytes, 0, length);
                got.clear();
                to.post(got.pack(bytes, 0, length));
                got.awaitPosted(Deck.FOREVER);
            }
        }
    }
}
