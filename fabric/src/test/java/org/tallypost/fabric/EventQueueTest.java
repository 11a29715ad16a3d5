// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EventQueueTest
{
    @Test
    void shouldKeepTheEarliestFirstWhateverIsMovedOrRemoved()
    {
        final int processes = 37;
        final EventQueue queue = new EventQueue(processes);
        final TreeMap<Integer, Long> model = new TreeMap<>();
        final Random random = new Random(7);
        for (int step = 0; step < 20_000; step++)
        {
            final int process = random.nextInt(processes);
            if (random.nextInt(3) > 0)
            {
                final long time = random.nextInt(50);
                queue.put(process, time);
                model.put(process, time);
            }
            else if (queue.contains(process))
            {
                queue.remove(process);
                model.remove(process);
            }
            assertEquals(model.isEmpty(), queue.isEmpty());
            if (!model.isEmpty())
            {
                final int first = model.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
                assertEquals(first, queue.first(), "step " + step);
                assertEquals(model.get(first), queue.time(first));
            }
        }
        assertTrue(model.size() > 0);
    }
}
