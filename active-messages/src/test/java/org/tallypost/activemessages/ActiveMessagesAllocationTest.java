// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.Watchdog;

/** After the start nothing is allocated for a request and its answer. */
class ActiveMessagesAllocationTest extends ActiveMessagesFixture
{
    private static final int READ = 3;
    private static final int VALUE = 4;
    private static final int REQUESTS = 10_000;
    private static final int MAX_ROUNDS = 5;
    private static final int MAX_BYTES = 1_024;

    private final UnsafeBuffer block = new UnsafeBuffer(new byte[4_096]);
    private long answered;

    private void exchange(final int length)
    {
        for (int i = 0; i < REQUESTS; i++)
        {
            if (length < 0)
            {
                ranks[0].request(0, READ, i, 0, 0, 0, 0);
            }
            else
            {
                ranks[0].requestLong(0, READ, i, 0, block, 0, length);
            }
        }
        ranks[0].awaitReplies();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 40, 4_096})
    void shouldAllocateNothing(final int length)
    {
        launch(Flow.DYNAMIC, 1, 16, DEFAULTS);
        ranks[0].onRequest(READ, (token, a, b, c, d, e) -> token.reply(VALUE, a, 0, 0, 0, 0));
        ranks[0].onReply(VALUE, (source, a, b, c, d, e) -> answered++);
        ranks[0].onLongRequest(READ, (token, a, b, buffer, offset, count) -> token.replyLong(VALUE, a, b, buffer, offset, count));
        ranks[0].onLongReply(VALUE, (source, a, b, buffer, offset, count) -> answered++);
        final com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().getId();
        exchange(length);
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "requests");
        long allocated = Long.MAX_VALUE;
        for (int round = 1; round <= MAX_ROUNDS && allocated >= MAX_BYTES; round++)
        {
            final long before = threads.getThreadAllocatedBytes(thread);
            exchange(length);
            allocated = threads.getThreadAllocatedBytes(thread) - before;
            watchdog.check();
        }
        assertTrue(allocated < MAX_BYTES, "allocated " + allocated + " bytes in the last round, answered=" + answered);
    }
}
