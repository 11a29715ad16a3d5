// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.endpoint.transport.LinkCounters;

/** Times of a link by a clock of the test, counts that outlive an agent, and those of a media driver. */
class LinkCountsTest
{
    private static final int TYPE = 19;

    private final LinkCounters shared = new LinkCounters(new UnsafeBuffer(ByteBuffer.allocateDirect(256)), 0);

    private void assertTimes(final long isUp, final long ups, final long stateNs, final long upNs, final long downNs)
    {
        assertEquals(isUp, shared.get(LinkCounter.UP));
        assertEquals(ups, shared.get(LinkCounter.UPS));
        assertEquals(stateNs, shared.get(LinkCounter.STATE_TIME));
        assertEquals(upNs, shared.get(LinkCounter.UP_TIME));
        assertEquals(downNs, shared.get(LinkCounter.DOWN_TIME));
    }

    @Test
    void shouldTellTimesUpAndDownAndGoOnWithTheNextAgent()
    {
        final LinkCounts first = new LinkCounts(shared, -5);
        assertTrue(first.isDue(-5));
        first.write(10);
        assertFalse(first.isDue(11));
        assertTimes(0, 0, 15, 0, 15);
        first.onChange(true, 1, 20);
        first.write(50);
        assertTimes(1, 1, 30, 30, 25);
        first.onChange(false, 0, 60);
        first.set(LinkCounter.BYTES_SENT, 7);
        first.write(61);
        assertTimes(0, 1, 1, 40, 26);
        first.onChange(true, 1, 70);
        first.write(80);
        assertTimes(1, 2, 10, 50, 35);

        final LinkCounts second = new LinkCounts(shared, 1_000);
        second.write(1_001);
        assertTimes(0, 2, 1, 50, 36);
        second.onChange(true, 1, 1_002);
        second.set(LinkCounter.BYTES_SENT, 5);
        second.write(1_010);
        assertTimes(1, 3, 8, 58, 37);
        assertEquals(12, shared.get(LinkCounter.BYTES_SENT));
    }

    @Test
    void shouldCountStallsAndTheirTime()
    {
        final Stalls stalls = new Stalls();
        stalls.endCycle(10, true, 0);
        stalls.endCycle(20, true, 3);
        stalls.endCycle(30, true, 4);
        stalls.endCycle(45, true, 4);
        assertEquals(1, stalls.count());
        assertEquals(25, stalls.timeNs());
        stalls.endCycle(50, true, 5);
        stalls.endCycle(60, false, 6);
        stalls.endCycle(70, false, 7);
        assertEquals(2, stalls.count());
        assertEquals(35, stalls.timeNs());
    }

    @Test
    void shouldAddUpWhatTheDriverCountsOfStreamsThatFollowOneAnother()
    {
        final UnsafeBuffer values = new UnsafeBuffer(ByteBuffer.allocateDirect(8 * CountersReader.COUNTER_LENGTH));
        final CountersManager driver = new CountersManager(
            new UnsafeBuffer(ByteBuffer.allocateDirect(8 * CountersReader.METADATA_LENGTH)), values);
        final DriverCount count = new DriverCount(TYPE);
        count.read(driver, 1);
        assertEquals(0, count.total(), "no such counter yet");
        final int first = driver.allocate("of stream 1", TYPE);
        driver.setCounterRegistrationId(first, 1);
        driver.setCounterValue(first, 3);
        count.read(driver, 1);
        count.read(driver, 1);
        assertEquals(3, count.total());
        driver.free(first);
        final int second = driver.allocate("of stream 2", TYPE);
        driver.setCounterRegistrationId(second, 2);
        driver.setCounterValue(second, 10);
        count.read(driver, 1);
        assertEquals(3, count.total(), "the counter is another stream's now");
        count.read(driver, 2);
        assertEquals(13, count.total());
    }
}
