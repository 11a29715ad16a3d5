// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That a benchmark ends when the other side has, whatever the reason. */
@Timeout(value = 1800, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartnerTest
{
    /** Nothing ever comes of this stream. */
    private static final class Silent extends RateBenchmark.Stream
    {
        private final RuntimeException reason;
        private File directory;

        Silent(final RuntimeException reason)
        {
            this.reason = reason;
            producers = 1;
        }

        @Override
        void open(final File in)
        {
            directory = in;
        }

        @Override
        boolean send(final int producer)
        {
            if (reason != null)
            {
                throw reason;
            }
            return false;
        }

        @Override
        int poll(final int limit)
        {
            return 0;
        }
    }

    @Test
    void shouldNotWaitForSenderThatFailed()
    {
        final RuntimeException reason = new IllegalArgumentException("refused");
        final Silent stream = new Silent(reason);
        stream.setUp();
        assertTrue(stream.directory.isDirectory());
        assertSame(reason, assertThrows(IllegalStateException.class, stream::receive).getCause());
        assertThrows(Exception.class, stream::tearDown);
        assertFalse(stream.directory.exists());
    }

    @Test
    void shouldNotWaitWhenInterrupted()
    {
        final Silent stream = new Silent(null);
        stream.setUp();
        Thread.currentThread().interrupt();
        final IllegalStateException found = assertThrows(IllegalStateException.class, stream::receive);
        assertTrue(Thread.interrupted());
        assertEquals("interrupted while waiting for the other side", found.getMessage());
        stream.tearDown();
        assertFalse(stream.directory.exists());
    }
}
