// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccountTest
{
    private final int[] store = new int[2];
    private final List<String> packets = new ArrayList<>();
    private final Account account = new Account(2, 2, new CreditStore()
    {
        @Override
        public int credits(final int receiver)
        {
            return store[receiver];
        }

        @Override
        public int takeAll(final int receiver)
        {
            final int all = store[receiver];
            store[receiver] = 0;
            return all;
        }

        @Override
        public void add(final int receiver, final int credits)
        {
            assertTrue(credits >= 0, "negative");
            store[receiver] += credits;
        }
    }, new ControlPackets()
    {
        @Override
        public void sendRequest(final int receiver)
        {
            assertEquals(0, store[receiver], "another thread could withdraw meanwhile");
            packets.add("request to " + receiver);
            fail();
        }

        @Override
        public void sendResponse(final int receiver, final int credits)
        {
            assertEquals(0, store[receiver], "another thread could withdraw meanwhile");
            packets.add("response to " + receiver + " with " + credits);
            fail();
        }

        @Override
        public boolean isCommitted()
        {
            return isCommitted;
        }
    });
    private boolean isFailing;
    private boolean isCommitted;

    private void fail()
    {
        if (isFailing)
        {
            throw new StackOverflowError("of the test");
        }
    }

    @Test
    void shouldKeepWhatAnErrorKeptFromGoingOut()
    {
        isFailing = true;
        store[0] = 9;
        assertThrows(StackOverflowError.class, () -> account.request(0));
        assertEquals(9, store[0], "what the request would have cost");
        assertTrue(account.requestPending(0));
        assertThrows(StackOverflowError.class, () -> account.onRequest(0));
        assertEquals(9, store[0]);
        assertTrue(account.responsePending(0));
        isFailing = false;
        packets.clear();
        account.onCredits(0, 1);
        assertEquals(List.of("request to 0", "response to 0 with 7"), packets);
        assertEquals(1, store[0]);
    }

    @Test
    void shouldNotSendAgainWhatGoesOutDespiteAnError()
    {
        isFailing = true;
        isCommitted = true;
        store[0] = 9;
        assertThrows(StackOverflowError.class, () -> account.request(0));
        assertEquals(8, store[0]);
        assertFalse(account.requestPending(0));
        assertThrows(StackOverflowError.class, () -> account.onRequest(0));
        assertEquals(1, store[0]);
        assertFalse(account.responsePending(0));
        isFailing = false;
        account.onCredits(0, 1);
        assertEquals(List.of("request to 0", "response to 0 with 6"), packets);
        assertEquals(2, store[0]);
    }

    @Test
    void shouldAddCreditsWhenNothingIsPending()
    {
        account.onCredits(1, 5);
        account.onCredits(1, 0);
        assertEquals(5, store[1]);
        assertEquals(0, store[0]);
        assertEquals(List.of(), packets);
    }

    @Test
    void shouldSendRequestAtOnceOrWhenThereIsCredit()
    {
        store[0] = 3;
        account.request(0);
        assertEquals(List.of("request to 0"), packets);
        assertEquals(2, store[0]);
        assertFalse(account.requestPending(0));

        account.request(1);
        assertTrue(account.requestPending(1));
        assertFalse(account.requestPending(0));
        account.onCredits(1, 0);
        assertTrue(account.requestPending(1));
        account.onCredits(1, 1);
        assertEquals(List.of("request to 0", "request to 1"), packets);
        assertFalse(account.requestPending(1));
        assertEquals(0, store[1]);
    }

    @Test
    void shouldRespondWithWhatExceedsStaticSlots()
    {
        // the response leaves k - 1 credits, since it costs one of the k (thesis, section 6.5.4)
        store[0] = 9;
        account.onRequest(0);
        assertEquals(List.of("response to 0 with 7"), packets);
        assertEquals(1, store[0]);
        assertFalse(account.responsePending(0));
    }

    @Test
    void shouldRespondWithNothingRatherThanNotAtAll()
    {
        store[0] = 2;
        account.onRequest(0);
        store[1] = 1;
        account.onRequest(1);
        assertEquals(List.of("response to 0 with 0", "response to 1 with 0"), packets);
        assertEquals(1, store[0]);
        assertEquals(0, store[1]);
    }

    @Test
    void shouldSendPendingRequestBeforePendingResponse()
    {
        account.onRequest(0);
        account.request(0);
        assertTrue(account.responsePending(0));
        assertTrue(account.requestPending(0));
        account.onCredits(0, 1);
        assertEquals(List.of("request to 0"), packets);
        assertTrue(account.responsePending(0));
        account.onCredits(0, 6);
        assertEquals(List.of("request to 0", "response to 0 with 4"), packets);
        assertFalse(account.responsePending(0));
        assertEquals(1, store[0]);
    }

    @Test
    void shouldForgetWhatWasPending()
    {
        account.onRequest(0);
        account.request(0);
        account.request(1);
        account.forget(0);
        assertFalse(account.requestPending(0));
        assertFalse(account.responsePending(0));
        assertTrue(account.requestPending(1));
        account.onCredits(0, 2);
        assertEquals(List.of(), packets);
        assertEquals(2, store[0]);
    }

    @Test
    void shouldTakeAllThatANumberHoldsAndNoMore()
    {
        assertTrue(account.onCredits(0, 0));
        assertEquals(0, store[0]);
        store[0] = 5;
        assertFalse(account.onCredits(0, -1));
        assertFalse(account.onCredits(0, Integer.MAX_VALUE - 4));
        assertEquals(5, store[0]);
        assertTrue(account.onCredits(0, Integer.MAX_VALUE - 5));
        assertEquals(Integer.MAX_VALUE, store[0]);
    }

    @Test
    void shouldRejectSizesThatCannotBe()
    {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new Account(0, 1, null, null)).getMessage()
            .contains("receivers=0"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new Account(1, 0, null, null)).getMessage()
            .contains("creditSlots=0"));
    }
}
