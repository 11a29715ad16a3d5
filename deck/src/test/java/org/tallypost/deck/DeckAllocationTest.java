// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** After the start nothing is allocated for a message that finds a buffer, by the thread that packs, posts and retrieves it. */
class DeckAllocationTest extends DeckFixture
{
    private static final int MAX_ROUNDS = 5;
    private static final int MAX_BYTES = 1_024;

    private final com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
    private MailBox box;
    private MailBoxReference to;
    private Message sent;
    private Message got;
    private long[] values;

    /** By one thread that works for all decks. A long message has to go to the own rank then: a post waits for its owner. */
    @ParameterizedTest
    @CsvSource({"1, 1", "200, 1", "1, 0", "10000, 0"})
    void shouldAllocateNothing(final int longs, final int owner)
    {
        launch(2, (context) -> context.ownThread(false));
        final String name = nameOf(owner, "box");
        box = decks[owner].createMailBox(name);
        final AtomicReference<MailBoxReference> found = new AtomicReference<>();
        decks[0].start("clones", () -> found.set(decks[0].cloneMailBox(name)));
        drive("a clone", () ->
        {
            decks[1].doWork();
            return found.get() != null;
        });
        to = found.get();
        sent = decks[0].newMessage(8 * longs + 5);
        got = decks[owner].newMessage(0);
        values = new long[longs];
        final int count = 4_000_000 / (1_000 + longs);
        long used = Long.MAX_VALUE;
        for (int round = 0; round <= MAX_ROUNDS && (round == 0 || used >= MAX_BYTES); round++)
        {
            final long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            exchange(count);
            used = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        }
        System.out.println("DeckAllocationTest: " + used + " bytes in the last round of " + count);
        assertTrue(used < MAX_BYTES, "allocated " + used + " bytes in the last round");
    }

    private void exchange(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            sent.clear();
            values[0] = i;
            to.post(sent.pack(values, 0, values.length));
            while (!box.retrieve(got, 0))
            {
                decks[0].doWork();
            }
            got.unpack(values, 0, values.length);
            if (values[0] != i)
            {
                assertEquals(i, values[0]);
            }
            got.clear();
            decks[1].doWork();
            decks[0].doWork();
        }
    }
}
