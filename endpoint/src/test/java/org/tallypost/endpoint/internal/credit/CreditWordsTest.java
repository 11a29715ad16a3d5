// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.LanesFixture;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** Credits in a word are those of one incarnation: nobody takes or adds any for another one. */
class CreditWordsTest extends LanesFixture
{
    private static final int CREDITS = 5;

    @Test
    void shouldRevokeOnlyFromTheIncarnationThatIsCounted()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 64, 0); Endpoint to = node.open(0); Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
            drain(to);
            final UnsafeBuffer buffer = local(to).mailbox().buffer();
            final int line = MailboxDescriptor.sourceLineOffset(1);
            final long word = buffer.getLongVolatile(line);
            final int credits = CreditWord.credits(word);
            assertTrue(credits > 1, () -> "credits=" + credits);
            for (final int other : new int[]{0, from.epoch() + 1, -1})
            {
                final long others = CreditWord.of(other, credits);
                buffer.putLongVolatile(line, others);
                assertEquals(0, local(to).inbox().desk().revoke(1, 0));
                assertEquals(others, buffer.getLongVolatile(line));
            }
            buffer.putLongVolatile(line, word);
            assertEquals(credits - 1, local(to).inbox().desk().revoke(1, 1));
            assertEquals(CreditWord.of(from.epoch(), 1), buffer.getLongVolatile(line));
            // as it was
            buffer.putLongVolatile(line, word);
            assertBalanced(to);
        }
    }

    @Test
    void shouldAddAndTakeNothingOnceThePairIsAnothers()
    {
        try (Node node = node(Flow.STATIC, 2, 64, 0); Endpoint to = node.open(0); Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
            final Peer peer = local(from).outbox().peers()[0];
            final UnsafeBuffer buffer = local(to).mailbox().buffer();
            final int line = MailboxDescriptor.sourceLineOffset(1);
            final long word = buffer.getLongVolatile(line);
            for (final long others : new long[]{0, CreditWord.of(from.epoch() + 1, CREDITS)})
            {
                buffer.putLongVolatile(line, others);
                peer.add(1);
                assertEquals(others, buffer.getLongVolatile(line));
                assertEquals(0, peer.takeAll());
                assertEquals(others, buffer.getLongVolatile(line));
            }
            buffer.putLongVolatile(line, word);
            peer.add(1);
            assertEquals(word + 1, buffer.getLongVolatile(line));
            assertEquals(CreditWord.credits(word) + 1, peer.takeAll());
            assertEquals(CreditWord.of(from.epoch(), 0), buffer.getLongVolatile(line));
            buffer.putLongVolatile(line, word);
        }
    }
}
