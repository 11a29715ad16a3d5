// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.deck.Deck;
import org.tallypost.deck.DeckContext;
import org.tallypost.deck.DeckException;
import org.tallypost.deck.DeckFailure;
import org.tallypost.deck.MailBox;
import org.tallypost.deck.MailBoxReference;
import org.tallypost.deck.Message;

/** Names are known, and messages come, in mail boxes of another node; a node that goes is an owner that goes. */
class MailBoxesBetweenNodesTest
{
    private static final long LONG_NS = 150_000_000_000L;
    /** Doubles for which no mail box has a buffer. */
    private static final int LARGE = 17_000;

    @TempDir
    private File directory;

    private static Deck launch(final NodesRig rig, final int rank)
    {
        return Deck.launch(new DeckContext().endpoint(rig.endpoint(rank)).rankCount(2).timeoutNs(LONG_NS).ownThread(rank == 1));
    }

    private static void exchange(
        final MailBoxReference to, final MailBox box, final Message sent, final Message got, final int count)
    {
        final double[] values = new double[count];
        java.util.Arrays.setAll(values, (i) -> i / 3.0);
        sent.clear();
        to.post(sent.pack(values, 0, count).pack(count));
        assertTrue(sent.awaitPosted(LONG_NS));
        assertTrue(box.retrieve(got, LONG_NS), "a message of " + count);
        final double[] found = new double[count];
        got.unpack(found, 0, count);
        assertArrayEquals(values, found);
        assertEquals(count, got.unpackInt());
    }

    @Test
    void shouldPostToAnotherNode()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll();
            Deck here = launch(rig, 0);
            Deck there = launch(rig, 1))
        {
            // rank 1 keeps the first one, rank 0 the other
            final String[] names = {"north", "depot"};
            final Message sent = here.newMessage(150_000);
            final Message got = there.newMessage(0);
            MailBoxReference last = null;
            MailBox box = null;
            for (final String name : names)
            {
                final MailBox[] made = new MailBox[1];
                final Thread creation = there.start("creation", () -> made[0] = there.createMailBox(name));
                final MailBoxReference to = here.cloneMailBox(name);
                assertEquals(1, to.rank());
                while (creation.isAlive())
                {
                    here.doWork();
                }
                final DeckException ex = assertThrows(DeckException.class, () -> here.createMailBox(name));
                assertEquals(DeckFailure.DUPLICATE_NAME, ex.failure());
                exchange(to, made[0], sent, got, 1);
                exchange(to, made[0], sent, got, 1_000);
                last = to;
                box = made[0];
            }
            final MailBoxReference to = last;
            exchange(to, box, sent, got, LARGE);
            rig.endpoint(1).close();
            sent.clear();
            final DeckException gone = assertThrows(DeckException.class, () ->
            {
                while (true)
                {
                    to.post(sent);
                }
            });
            assertEquals(DeckFailure.OWNER_GONE, gone.failure(), gone.getMessage());
        }
    }
}
