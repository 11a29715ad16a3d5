// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The head of a log, which subscribers of the node may find before it is whole. */
class TopicLogTest
{
    private static final long PUBLICATION = 0x0102_0304_0506_0708L;
    private static final int LENGTH = 1 << 13;
    private static final int RANKS = 5;
    private static final long POSITION = 4_096;

    /** Another process looks before each store. */
    private static final class LookedAt extends UnsafeBuffer
    {
        private int stores;

        LookedAt()
        {
            super(new byte[TopicLogDescriptor.LINES_OFFSET]);
        }

        private void look()
        {
            assertFalse(TopicLog.isOf(this, PUBLICATION), () -> "found behind " + stores + " stores");
            stores++;
        }

        @Override
        public void putInt(final int index, final int value, final ByteOrder order)
        {
            look();
            super.putInt(index, value, order);
        }

        @Override
        public void putLong(final int index, final long value)
        {
            look();
            super.putLong(index, value);
        }

        @Override
        public void putLong(final int index, final long value, final ByteOrder order)
        {
            look();
            super.putLong(index, value, order);
        }

        @Override
        public void putLongRelease(final int index, final long value)
        {
            look();
            super.putLongRelease(index, value);
        }
    }

    @Test
    void shouldNotBeFoundBeforeItIsWhole()
    {
        final LookedAt head = new LookedAt();
        TopicLog.initialise(head, LENGTH, RANKS, true, WhenSlow.DROP, POSITION, PUBLICATION);
        assertTrue(TopicLog.isOf(head, PUBLICATION) && head.stores > 7, "stores=" + head.stores);
        assertEquals(TopicLogDescriptor.VERSION, head.getLong(TopicLogDescriptor.VERSION_OFFSET));
        assertEquals(LENGTH, head.getInt(TopicLogDescriptor.LENGTH_OFFSET, LITTLE_ENDIAN));
        assertEquals(RANKS, head.getInt(TopicLogDescriptor.RANKS_OFFSET, LITTLE_ENDIAN));
        assertEquals(POSITION, head.getLong(TopicLogDescriptor.TAIL_OFFSET));
    }
}
