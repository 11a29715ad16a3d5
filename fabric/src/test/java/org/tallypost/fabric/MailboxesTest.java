// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MailboxesTest
{
    @Test
    void shouldGiveItemsByArrivalAndEqualOnesInTheOrderInWhichTheyWereSent()
    {
        final Mailboxes boxes = new Mailboxes(2);
        final Random random = new Random(3);
        for (int i = 0; i < 1_000; i++)
        {
            final int item = boxes.add(1, random.nextInt(20));
            boxes.set(item, Mailboxes.CREDIT, 0, i);
        }
        long last = -1;
        int lastValue = -1;
        for (int i = 0; i < 1_000; i++)
        {
            final long time = boxes.headTime(1);
            final int value = boxes.value(boxes.head(1));
            assertTrue(time > last || time == last && value > lastValue, "item " + i);
            last = time;
            lastValue = value;
            boxes.pop(1);
        }
        assertEquals(Long.MAX_VALUE, boxes.headTime(1));
        assertEquals(Long.MAX_VALUE, boxes.headTime(0));
    }

    @Test
    void shouldPutWhatIsLeftOfTheFirstItemBehindWhatComesBefore()
    {
        final Mailboxes boxes = new Mailboxes(1);
        final int one = boxes.add(0, 10);
        final int two = boxes.add(0, 20);
        boxes.delayHead(0, 0, 30);
        assertEquals(two, boxes.head(0));
        boxes.pop(0);
        assertEquals(one, boxes.head(0));
        assertEquals(30, boxes.headTime(0));
    }
}
