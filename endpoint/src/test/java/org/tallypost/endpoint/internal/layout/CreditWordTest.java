// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** What is done to a pair's credit word, one operation behind the other; the races are in jcstress. */
class CreditWordTest
{
    private static final int OFFSET = 16;
    private static final int EPOCH = 7;
    private static final int CREDITS = 5;
    private static final int LIMIT = 64;

    private final UnsafeBuffer words = new UnsafeBuffer(new byte[3 * OFFSET]);

    private void put(final int epoch, final int credits)
    {
        CreditWord.set(words, OFFSET, epoch, credits);
    }

    private void shouldBe(final int epoch, final int credits)
    {
        assertEquals(CreditWord.of(epoch, credits), CreditWord.get(words, OFFSET));
        assertEquals(0, words.getLong(OFFSET - Long.BYTES));
        assertEquals(0, words.getLong(OFFSET + Long.BYTES));
    }

    /** The word as it is now. */
    private long word()
    {
        return CreditWord.get(words, OFFSET);
    }

    /** As a sender does it. */
    private int withdraw(final int credits)
    {
        final long seen = word();
        final int refusal = CreditWord.refusal(seen, EPOCH, LIMIT, credits);
        return refusal < 0 ? refusal : CreditWord.withdraw(words, OFFSET, EPOCH, seen, LIMIT, credits);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, EPOCH, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
    void shouldHoldEpochAndCreditsApart(final int epoch)
    {
        for (final int credits : new int[]{0, 1, CREDITS, 1 << 24, Integer.MAX_VALUE})
        {
            final long word = CreditWord.of(epoch, credits);
            assertEquals(epoch, CreditWord.epoch(word));
            assertEquals(credits, CreditWord.credits(word));
            put(epoch, credits);
            assertEquals((long)epoch << 32 | credits, words.getLong(OFFSET));
        }
    }

    @Test
    void shouldBelieveNoMoreCreditsThanThereCanBe()
    {
        assertEquals(LIMIT, CreditWord.credits(CreditWord.of(EPOCH, LIMIT), LIMIT));
        assertEquals(0, CreditWord.credits(CreditWord.of(EPOCH, LIMIT + 1), LIMIT));
        put(EPOCH, LIMIT + 1);
        assertEquals(CreditWord.TOO_FEW, withdraw(1));
        assertEquals(0, CreditWord.takeAll(words, OFFSET, EPOCH, LIMIT));
        shouldBe(EPOCH, LIMIT + 1);
    }

    @Test
    void shouldWithdrawWhatIsThere()
    {
        put(EPOCH, CREDITS);
        assertEquals(2, withdraw(2));
        shouldBe(EPOCH, CREDITS - 2);
        assertEquals(CreditWord.TOO_FEW, withdraw(CREDITS - 1));
        assertEquals(CREDITS - 2, withdraw(CREDITS - 2));
        shouldBe(EPOCH, 0);
        assertEquals(CreditWord.TOO_FEW, withdraw(1));
    }

    /** The word has changed since it was seen: what counts is what it has become. */
    @Test
    void shouldWithdrawFromAWordThatHasChanged()
    {
        put(EPOCH, CREDITS);
        final long seen = word();
        CreditWord.grant(words, OFFSET, 1);
        assertFalse(CreditWord.tryWithdraw(words, OFFSET, seen, 1));
        assertEquals(CREDITS, CreditWord.withdraw(words, OFFSET, EPOCH, seen, LIMIT, CREDITS));
        shouldBe(EPOCH, 1);
        assertEquals(CreditWord.TOO_FEW, CreditWord.withdraw(words, OFFSET, EPOCH, seen, LIMIT, CREDITS));
        CreditWord.close(words, OFFSET);
        assertEquals(CreditWord.CLOSED, CreditWord.withdraw(words, OFFSET, EPOCH, seen, LIMIT, 1));
        put(EPOCH + 1, CREDITS);
        assertEquals(CreditWord.CLOSED, CreditWord.withdraw(words, OFFSET, EPOCH, seen, LIMIT, 1));
        shouldBe(EPOCH + 1, CREDITS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, EPOCH - 1, EPOCH + 1, -EPOCH})
    void shouldTakeAndAddNothingInTheWordOfAnotherIncarnation(final int other)
    {
        put(other, CREDITS);
        assertEquals(CreditWord.CLOSED, withdraw(1));
        assertEquals(0, CreditWord.takeAll(words, OFFSET, EPOCH, LIMIT));
        assertEquals(0, CreditWord.take(words, OFFSET, EPOCH, LIMIT, 0));
        assertFalse(CreditWord.add(words, OFFSET, EPOCH, 1));
        shouldBe(other, CREDITS);
    }

    @Test
    void shouldAddAndGrant()
    {
        put(EPOCH, 0);
        assertTrue(CreditWord.add(words, OFFSET, EPOCH, CREDITS));
        CreditWord.grant(words, OFFSET, 2);
        shouldBe(EPOCH, CREDITS + 2);
        assertEquals(CREDITS + 2, CreditWord.takeAll(words, OFFSET, EPOCH, LIMIT));
        shouldBe(EPOCH, 0);
        assertEquals(0, CreditWord.takeAll(words, OFFSET, EPOCH, LIMIT));
    }

    @Test
    void shouldTakeWhatIsBeyondThoseThatAreKept()
    {
        put(EPOCH, CREDITS);
        assertEquals(0, CreditWord.take(words, OFFSET, EPOCH, Integer.MAX_VALUE, CREDITS));
        assertEquals(0, CreditWord.take(words, OFFSET, EPOCH, Integer.MAX_VALUE, CREDITS + 1));
        assertEquals(0, CreditWord.take(words, OFFSET, EPOCH, 0, 0));
        assertEquals(1, CreditWord.take(words, OFFSET, EPOCH, 1, 0));
        shouldBe(EPOCH, CREDITS - 1);
        assertEquals(2, CreditWord.take(words, OFFSET, EPOCH, 3, 1));
        shouldBe(EPOCH, CREDITS - 3);
        assertEquals(1, CreditWord.take(words, OFFSET, EPOCH, Integer.MAX_VALUE, 1));
        shouldBe(EPOCH, 1);
    }

    @Test
    void shouldNotOpenWhatIsClosed()
    {
        put(EPOCH, CREDITS);
        CreditWord.close(words, OFFSET);
        assertEquals(0, word());
        assertFalse(CreditWord.add(words, OFFSET, EPOCH, CREDITS));
        assertEquals(0, CreditWord.take(words, OFFSET, EPOCH, LIMIT, 0));
        assertEquals(0, word());
    }

    @Test
    void shouldRepairAWordThatIsStillAsItWasFound()
    {
        put(EPOCH + 1, CREDITS);
        final long damaged = word();
        assertTrue(CreditWord.repair(words, OFFSET, damaged, EPOCH, 2));
        shouldBe(EPOCH, 2);
        assertFalse(CreditWord.repair(words, OFFSET, damaged, EPOCH, 1));
        shouldBe(EPOCH, 2);
    }

    /** The greatest mailbox has 2^24 slots: no sum of credits carries into the epoch. */
    @Test
    void shouldNotCarryIntoTheEpoch()
    {
        final int most = MailboxDescriptor.MAX_RING_SLOTS;
        put(-1, most);
        CreditWord.grant(words, OFFSET, most);
        assertTrue(CreditWord.add(words, OFFSET, -1, most));
        shouldBe(-1, 3 * most);
        assertEquals(3 * most, CreditWord.take(words, OFFSET, -1, Integer.MAX_VALUE, 0));
        shouldBe(-1, 0);
    }
}
