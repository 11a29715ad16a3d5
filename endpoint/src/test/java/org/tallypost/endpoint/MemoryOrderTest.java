// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.mailbox.SharedAccesses;

/** As the mailbox's: kinds and order of the accesses of docs/design/memory-order.md. A change there is made here too. */
final class MemoryOrderTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "CreditWord | get | getLongVolatile offset",
        "CreditWord | set | putLongVolatile offset",
        "CreditWord | close | putLongVolatile offset",
        "CreditWord | tryWithdraw | compareAndSetLong offset",
        "CreditWord | take | compareAndSetLong offset",
        "CreditWord | add | compareAndSetLong offset",
        "CreditWord | grant | getAndAddLong offset",
        "CreditWord | repair | compareAndSetLong offset",
        "Peer | laneWord | getLongVolatile wordOffset",
        "Peer | holdLane | compareAndSetLong wordOffset",
        "Peer | returnLane | putLongVolatile wordOffset",
        "Peer | introduce | putLongVolatile wordOffset",
        "Peer | isAwaited | getLongVolatile wordOffset",
        "Peer | await | putLongVolatile wordOffset",
        "Wakeups | granted | getLongVolatile offset",
        "Wakeups | wakeSender | getAndSetLong offset",
        "ThreadHold | enter | setOpaque this, acquireFence",
        "ThreadHold | leave | setRelease this",
        "ThreadHold | shut | setVolatile this",
        "ThreadHold | shutAndWait | shut, await thread, getAcquire this",
        "LaneSender | end | refund by, settle, returnLane heldWord",
        "LaneCredits | refund | intend peer, refund, clear",
        "ClaimState | note | setRelease this",
        "ClaimState | isAt | getAcquire this",
        "ClaimState | settle | settle position, settle position, setRelease this",
        "LaneSender | open | putLong lane, openInLane owner, defer position",
        "RingWriter | open | putLong peer, open outbox, defer sender",
        "RingWriter | claimCredited | intend peer, withdraw word, clear, clear",
        "LaneGrants | grant | getLongVolatile, getLongVolatile wordOffset, putLongVolatile wordOffset",
        "LaneGrants | recall | getLongVolatile offset, compareAndSetLong offset, compareAndSetLong offset",
        "LaneGrants | tend | getLongVolatile offset, putLongVolatile offset, compareAndSetLong offset",
        "LaneGrants | release | getLongVolatile offset, compareAndSetLong offset, putLongVolatile offset",
        "RemoteNodes | mark | getLongVolatile at, compareAndSetLong at, getLongVolatile at, getLongVolatile offset, " +
            "putLongVolatile offset",
        "Group | rankWordAcquire | getLongAcquire GroupDescriptor",
        "Group | open | putLongRelease GroupDescriptor, putLongRelease GroupDescriptor",
        "Group | leave | compareAndSetLong GroupDescriptor"
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
