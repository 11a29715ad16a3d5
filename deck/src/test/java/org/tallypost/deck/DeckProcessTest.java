// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/**
 * Mail boxes of two processes, and what a killed owner leaves: a code for each post, and its name for the next owner.
 * {@code -Dtallypost.kills=50} makes it longer.
 */
@Tag("once")
class DeckProcessTest extends DeckFixture
{
    private static final int KILLS = Integer.getInteger("tallypost.kills", 2);
    private static final int[] LENGTHS = {8, 2_000, 50_000, 200_000};
    private static final int MAX_MESSAGES = 60;

    private final Random random = new Random(seed());

    private static long seed()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("DeckProcessTest: -Dtallypost.seed=" + seed + ", kills=" + KILLS);
        return seed;
    }

    private void exchange(final MailBoxReference to, final MailBox box, final Message message, final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        message.clear();
        to.post(message.pack(bytes, 0, length));
        assertTrue(message.awaitPosted(LONG_NS));
        assertTrue(box.retrieve(message, LONG_NS), "a message that was returned");
        assertEquals(1, message.source());
        final byte[] found = new byte[length];
        message.unpack(found, 0, length);
        assertArrayEquals(bytes, found);
        message.clear();
    }

    @Test
    void shouldSayThatAKilledOwnerIsGone()
    {
        node = Node.launch(context(directory, 2));
        endpoints = new Endpoint[2];
        decks = new Deck[2];
        open(0, DEFAULTS);
        final MailBox box = decks[0].createMailBox(nameOf(0, "returned"));
        final String name = nameOf(0, "owned");
        final Message message = decks[0].newMessage(OwnerProcess.MAX_LENGTH);
        for (int kill = 0; kill < KILLS; kill++)
        {
            MailBoxReference to;
            try (ForkedJvm child = OwnerProcess.start(directory, name, box.name()))
            {
                to = decks[0].cloneMailBox(name);
                for (final int length : LENGTHS)
                {
                    exchange(to, box, message, length);
                }
                for (int i = random.nextInt(MAX_MESSAGES); i > 0; i--)
                {
                    exchange(to, box, message, LENGTHS[i % LENGTHS.length]);
                }
                child.kill();
            }
            final MailBoxReference gone = to;
            for (final int length : LENGTHS)
            {
                message.clear();
                message.pack(new byte[length], 0, length);
                failsAs(DeckFailure.OWNER_GONE, "'" + name + "' of rank 1", () ->
                {
                    while (true)
                    {
                        gone.post(message);
                        message.awaitPosted(LONG_NS);
                    }
                });
            }
        }
    }
}
