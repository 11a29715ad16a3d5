// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Chunks against a plain list of what is taken. */
class ChunkAllocatorTest
{
    private static final int LENGTH = 1 << 16;

    private record Taken(int offset, int chunkLength)
    {
    }

    @Property
    void shouldGiveChunksThatDoNotOverlap(
        @ForAll @Size(min = 1, max = 300) final List<@IntRange(min = -40, max = 70_000) Integer> steps)
    {
        final ChunkAllocator allocator = new ChunkAllocator(LENGTH);
        final List<Taken> model = new ArrayList<>();
        long sum = 0;
        for (final int step : steps)
        {
            if (step <= 0)
            {
                if (!model.isEmpty())
                {
                    final Taken given = model.remove(-step % model.size());
                    allocator.give(given.offset);
                    sum -= given.chunkLength;
                }
                continue;
            }
            final int offset = allocator.take(step);
            final int chunkLength = allocator.chunkLength(step);
            if (offset == ChunkAllocator.NONE)
            {
                assertTrue(chunkLength == 0 || !isFree(model, chunkLength), "a free chunk of " + chunkLength + " was not given");
                continue;
            }
            assertTrue(chunkLength >= step && (chunkLength < 2 * step || chunkLength == ChunkAllocator.UNIT_LENGTH));
            assertEquals(0, offset % chunkLength);
            assertTrue(offset + chunkLength <= LENGTH);
            for (final Taken each : model)
            {
                assertTrue(offset + chunkLength <= each.offset || each.offset + each.chunkLength <= offset, "overlap");
            }
            model.add(new Taken(offset, chunkLength));
            sum += chunkLength;
            assertEquals(sum, allocator.takenLength());
        }
        model.forEach((each) -> allocator.give(each.offset));
        assertEquals(0, allocator.takenLength());
        // all halves have become one again
        assertEquals(0, allocator.take(LENGTH));
    }

    /** Whether some place at a multiple of the length is free. */
    private static boolean isFree(final List<Taken> model, final int length)
    {
        for (int offset = 0; offset < LENGTH; offset += length)
        {
            final int begin = offset;
            if (model.stream().noneMatch((each) ->
                begin < each.offset + each.chunkLength && each.offset < begin + length))
            {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldRefuseWhatIsNotTaken()
    {
        final ChunkAllocator allocator = new ChunkAllocator(LENGTH);
        assertThrows(IllegalArgumentException.class, () -> allocator.give(0));
        final int offset = allocator.take(2_000);
        assertThrows(IllegalArgumentException.class, () -> allocator.give(offset + 1));
        assertThrows(IllegalArgumentException.class, () -> allocator.give(offset + 1_024));
        assertThrows(IllegalArgumentException.class, () -> allocator.give(-1_024));
        assertThrows(IllegalArgumentException.class, () -> allocator.give(LENGTH));
        allocator.give(offset);
        assertThrows(IllegalArgumentException.class, () -> allocator.give(offset));
        assertThrows(IllegalArgumentException.class, () -> new ChunkAllocator(3_000));
    }
}
