// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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
        "LanePayment | takeGiven | getLongAcquire givenOffset, getLongAcquire paidPositionOffset",
        "Lane | publish | stampBehind end, closeSlot, putLongRelease, wakeIfArmed",
        "Lane | defer | stampBehind end, closeSlot, putLongRelease slotsAddress",
        "Lane | settle | getLong address, putLongRelease, wakeIfArmed",
        "Lane | publishShort | putLong next, putLongRelease at",
        "LaneReturns | publish | putLongRelease givenOffset, putLongRelease readPositionOffset",
        "LaneRuns | deliverLong | getLongAcquire slotsAddress",
        "LaneLookAhead | count | getLongAcquire base",
        "LaneLookAhead | header | getLongAcquire slotsAddress"
    })
    void shouldKeepOrders(final String owner, final String method, final String accesses) throws Exception
    {
        final Class<?> type = type(owner);
        assertEquals(accesses, String.join(", ", SharedAccesses.of(type, method)));
    }

    /** The class of a name, whichever package it is in: no name is there twice. */
    private static Class<?> type(final String name) throws IOException, ClassNotFoundException
    {
        final Path root = Path.of("src/main/java");
        try (Stream<Path> files = Files.walk(root))
        {
            final List<Path> found = files.filter((file) -> file.endsWith(name + ".java")).toList();
            assertEquals(1, found.size(), () -> name + ": " + found);
            final String path = root.relativize(found.get(0)).toString();
            return Class.forName(path.substring(0, path.length() - ".java".length()).replace(File.separatorChar, '.'));
        }
    }
}
