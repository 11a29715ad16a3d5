// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.LanesFixture;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** What a receiver gives by a lane, and what by the word of the pair. */
class CreditDeskTest extends LanesFixture
{
    private static int inWord(final Endpoint receiver)
    {
        return CreditWord.credits(local(receiver).mailbox().buffer().getLongVolatile(MailboxDescriptor.sourceLineOffset(1)));
    }

    @Test
    void shouldGiveByTheLaneWhatItMayTakeAndTheRestByTheWord()
    {
        try (Node node = node(Flow.STATIC, 3, 64, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, receiver);
            drain(receiver);
            final CreditDesk desk = local(receiver).inbox().desk();
            final Ledger ledger = desk.ledger();
            final int threshold = Ledger.threshold(ledger.intendedQuota(1), node.context().creditSlots());
            assertTrue(threshold > 8 && ledger.retrieved(1) == 1, "threshold=" + threshold);
            final int before = inWord(receiver);

            // below the threshold: one slot of before is given as well
            desk.onLaneFreed(1, 3, 100);
            assertEquals(4, desk.takeByLane());
            assertEquals(0, desk.takeByLane(), "taken once");
            desk.onLaneFreed(1, 3, 2);
            assertEquals(2, desk.takeByLane());
            assertEquals(1, ledger.retrieved(1));
            desk.onLaneFreed(1, 3, 0);
            assertEquals(0, desk.takeByLane());
            assertEquals(4, ledger.retrieved(1));
            assertEquals(before, inWord(receiver));

            // across it
            desk.onLaneFreed(1, threshold - 4, 5);
            assertEquals(5, desk.takeByLane());
            assertEquals(before + threshold - 5, inWord(receiver));
            assertEquals(0, ledger.retrieved(1));

            // by the ring nothing goes by a lane
            desk.onRetrieved(1, threshold, 0);
            assertEquals(0, desk.takeByLane());
            assertEquals(before + 2 * threshold - 5, inWord(receiver));
        }
    }

    @ParameterizedTest
    @EnumSource(Flow.class)
    void shouldGiveNoMoreThanMayGoByTheLaneWhateverTheLedgerGrants(final Flow flow)
    {
        try (Node node = node(flow, 3, 64, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, receiver);
            drain(receiver);
            final CreditDesk desk = local(receiver).inbox().desk();
            for (int most = 0; most < 20; most++)
            {
                final int held = desk.ledger() == null ? 0 : desk.ledger().currentCredits(1);
                final int word = inWord(receiver);
                final int slots = Math.min(held, 1 + most % 7);
                desk.onLaneFreed(1, slots, most);
                final int byLane = desk.takeByLane();
                assertTrue(byLane >= 0 && byLane <= most, "most=" + most + ", by the lane=" + byLane);
                if (desk.ledger() != null)
                {
                    assertEquals(
                        desk.ledger().currentCredits(1) - held + slots, byLane + inWord(receiver) - word, "most=" + most);
                }
            }
        }
    }

    @Test
    void shouldKeepWhatWasBookedForALaneBeforeAnErrorHasEndedIt()
    {
        try (Node node = node(Flow.STATIC, 3, 64, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, receiver);
            drain(receiver);
            final CreditDesk desk = new CreditDesk(local(node).runtime(), local(node).wakeups(), local(receiver).mailbox(), null);
            // nothing has said which ranks are there: the first question for that ends the booking
            assertThrows(NullPointerException.class, () -> desk.onLaneFreed(1, 3, 2));
            final int before = inWord(receiver);
            assertEquals(2, desk.takeByLane());
            assertEquals(0, desk.takeByLane());
            // what is granted between two bookings goes by the word
            desk.grant(1, 1);
            assertEquals(0, desk.takeByLane());
            assertEquals(before + 1, inWord(receiver));
        }
    }
}
