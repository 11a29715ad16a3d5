// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds the accesses of docs/design/memory-order.md: their kinds and their order. A change there is made here too. */
final class MemoryOrderTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "ClaimMark | intend | putLongRelease positionOffset, putLongRelease claimOffset",
        "ClaimMark | claimed | putLongRelease positionOffset, storeStoreFence",
        "ClaimMark | clear | putLongRelease claimOffset, setRelease this",
        "ClaimMark | repair | getAcquire this, getLongVolatile claimOffset, getAcquire this, compareAndSetLong claimOffset",
        "Mailbox | claim | getAndAddLong WRITE_POSITION_OFFSET, claimed position",
        "Mailbox | claimWithin | getLongVolatile WRITE_POSITION_OFFSET, " +
            "compareAndSetLong WRITE_POSITION_OFFSET, claimed position",
        "Mailbox | publish | settle mark, finish mark",
        "Mailbox | settle | settle position, putLongRelease slotOffset",
        "Mailbox | finish | clear, wakeIfArmed",
        "Mailbox | isArmed | getIntVolatile ARMED_OFFSET",
        "Mailbox | arm | getAndSetInt ARMED_OFFSET",
        "MailboxPoller | poll | getLongAcquire offset, putLongRelease READ_POSITION_OFFSET",
        "Registry | findClaim | getLongAcquire offset, getLongAcquire offset",
        "Lane | close | closeSlot, wakeForSlot",
        "Lane | closeSlot | putLongRelease at",
        "Lane | wakeForSlot | fullFence, wakeIfArmed",
        "Lane | claimSlow | closeSlot, claimFree n, wakeForSlot",
        "Lane | claimFree | getLongAcquire readPositionOffset",
        "Lane | takeGiven | getLongAcquire givenOffset, getLongAcquire paidPositionOffset",
        "Lane | publish | stampBehind end, closeSlot, putLongRelease, wakeIfArmed",
        "Lane | publishShort | putLong next, putLongRelease at",
        "LaneReturns | publish | putLongRelease givenOffset, putLongRelease readPositionOffset",
        "LanePoller | deliverLong | getLongAcquire slotsAddress",
        "LaneLookAhead | count | getLongAcquire base"
    })
    void shouldKeepOrders(final String owner, final String method, final String accesses) throws Exception
    {
        final Class<?> type = Class.forName("org.tallypost.mailbox." + owner);
        assertEquals(accesses, String.join(", ", SharedAccesses.of(type, method)));
    }
}
