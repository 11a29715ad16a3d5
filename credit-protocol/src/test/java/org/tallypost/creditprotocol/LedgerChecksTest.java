// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That damage is found: state is altered behind the ledger's back. */
class LedgerChecksTest
{
    private final DynamicLedger ledger = new DynamicLedger(3, 2, 8, new RecordingActions());

    private static Object field(final Object of, final String name) throws ReflectiveOperationException
    {
        final Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    private static void setInt(final Object of, final String name, final int value) throws ReflectiveOperationException
    {
        final Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        field.setInt(of, value);
    }

    private void damage(final int sender, final int column, final int by) throws ReflectiveOperationException
    {
        final SenderRows rows = (SenderRows)field(ledger, "rows");
        rows.cells[sender * rows.stride + column] += by;
    }

    private String violation()
    {
        return assertThrows(IllegalStateException.class, ledger::checkInvariants).getMessage();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "2 | 1 | sum of thresholds, sender=1, found=4, expected=3",
        "0 | 1 | 1, conservation, found=17, expected=18",
        "0 | 3 | 2, ledger: currentCredits, retrieved=3, sender=1, found=-1, expected=0",
        "0 | -1 | 2, ledger: currentCredits, retrieved=-1, sender=1, found=3, expected=0",
        "1 | 1 | next decision, sender=1, found=2, expected=1",
        "3 | -3 | next decision, sender=1, found=1, expected=0",
        "11 | -2 | threshold at least 1, sender=1, found=-1, expected=1",
        "7 | 1 | threshold of the intended quota, sender=1, found=4, expected=3",
        "8 | 2 | 2, ledger: currentCredits, retrieved=0, sender=1, found=2, expected=0",
        "8 | 4 | slots that senders wait for, found=0, expected=2",
        "6 | -5 | 4, intendedQuota at least k, sender=1, found=1, expected=2",
        "6 | 1 | 4, sum of intendedQuota, found=19, expected=18"})
    void shouldNameInvariantSenderFoundAndExpected(final int column, final int by, final String message)
        throws ReflectiveOperationException
    {
        damage(1, column, by);
        assertEquals("invariant violated: " + message, violation());
    }

    @Test
    void shouldFindLossAndDebt() throws ReflectiveOperationException
    {
        setInt(ledger, "available", 13);
        assertEquals("invariant violated: 1, conservation, found=19, expected=18", violation());
        setInt(ledger, "available", -1);
        assertTrue(violation().startsWith("invariant violated: 1, conservation, found=5"));
    }

    @Test
    void shouldFindBrokenLists() throws ReflectiveOperationException
    {
        final Object lists = field(ledger, "lists");
        final int[] previous = (int[])field(lists, "previous");
        previous[1]++;
        assertEquals("invariant violated: previous in activity list 0, sender=1, found=1, expected=0", violation());
        previous[1]--;
        final int[] next = (int[])field(lists, "next");
        next[2] = 0;
        assertEquals("invariant violated: previous in activity list 0, sender=0, found=-1, expected=2", violation());
        next[1] = -1;
        assertEquals("invariant violated: last of activity list 0, found=2, expected=1", violation());
        ((int[])field(lists, "back"))[0] = 1;
        assertEquals("invariant violated: senders in activity lists, found=2, expected=3", violation());
    }

    @Test
    void shouldCheckAfterEachCallOnlyIfSwitchedOn() throws ReflectiveOperationException
    {
        damage(2, SenderRows.INTENDED, 1);
        final List<Consumer<Ledger>> calls = List.of(
            (it) -> it.onRetrieved(0, 1),
            (it) -> it.onRequestRetrieved(0),
            (it) -> it.onResponseRetrieved(0, 0),
            (it) -> it.onRevoked(0, 0),
            (it) -> it.piggyback(0, 1),
            (it) -> it.reclaim(1),
            (it) -> it.rejoin(1));
        for (final Consumer<Ledger> call : calls)
        {
            ledger.checkInvariants(false);
            assertDoesNotThrow(() -> call.accept(ledger));
            ledger.checkInvariants(true);
            assertThrows(IllegalStateException.class, () -> call.accept(ledger));
        }
    }

    /** A sender that is blocked for as long as it likes: its count stays where it can be read. */
    @Test
    void shouldCountNoFurtherThanAllSlotsThatAMailboxMayHave() throws ReflectiveOperationException
    {
        damage(1, SenderRows.FLAGS, SenderRows.BLOCKED);
        damage(1, SenderRows.MONITOR, -Ledger.MAX_SLOTS - 100);
        assertTrue(ledger.onRetrieved(1, 1));
        assertEquals(Ledger.MAX_SLOTS, ledger.sinceMonitor(1));
    }

    @Test
    void shouldCheckStaticLedger() throws ReflectiveOperationException
    {
        final StaticLedger fixed = new StaticLedger(2, 2, 8, new RecordingActions());
        fixed.reclaim(0);
        fixed.onRetrieved(1, 1);
        fixed.checkInvariants();
        ((int[])field(fixed, "retrieved"))[1] = 4;
        assertEquals("invariant violated: slots freed below the threshold, sender=1, found=4, expected=2",
            assertThrows(IllegalStateException.class, fixed::checkInvariants).getMessage());
    }
}
