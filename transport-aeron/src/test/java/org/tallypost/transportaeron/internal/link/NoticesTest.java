// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What strangers can bring about is told a few times, then seldom. */
class NoticesTest
{
    @Test
    void shouldTellAFewAndThenOnceInAnInterval()
    {
        final Notices notices = new Notices();
        final long startNs = Long.MAX_VALUE - 10;
        for (int i = 0; i < Notices.BURST; i++)
        {
            assertTrue(notices.isDue(startNs + i));
            assertEquals("", notices.untold());
        }
        for (int i = 0; i < 300; i++)
        {
            assertFalse(notices.isDue(startNs + Notices.BURST + i));
        }
        assertTrue(notices.isDue(startNs + Notices.BURST + Notices.INTERVAL_NS));
        assertEquals(" (and 300 more since the last time)", notices.untold());
        assertFalse(notices.isDue(startNs + Notices.BURST + Notices.INTERVAL_NS + 1));
    }
}
