// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.HashSet;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * A party with a region, which has a part for each rank and words for all, and that uses those of the others. It keeps books of
 * what ranks do with its words: an operation that is not known to be done may have been done or not.
 */
final class BulkParty extends Party
{
    private static final int MEMORY_LENGTH = 1 << 20;
    private static final int ENTRIES = 4;
    /** How often each region is used at least. */
    private static final int MIN_COUNT = 2;

    final RegionMemory memory;
    /** What all ranks add to the word, and with how many puts they notify this one. */
    final Count added = new Count();
    final Count notified = new Count();
    /** What the additions have found. */
    final Set<Long> found = new HashSet<>();
    private final Region region;
    private final RegionPart[] parts;
    private boolean isReleased;

    BulkParty(final World world, final SimulatedProcess process, final Endpoint endpoint)
    {
        super(world, process, endpoint);
        memory = RegionMemory.open(process.node(), endpoint, MEMORY_LENGTH, ENTRIES, 1);
        region = memory.register(RegionPart.regionLength(world.plan.ranks()), Region.ALL);
        parts = new RegionPart[world.plan.ranks()];
        for (int dest = 0; dest < parts.length; dest++)
        {
            parts[dest] = new RegionPart(this, dest);
        }
    }

    /** How often something was asked for, and how often it is known to be done. */
    static final class Count
    {
        private long asked;
        private long done;

        void ask()
        {
            asked++;
        }

        /** It was not taken. */
        void takeBack()
        {
            asked--;
        }

        void confirm()
        {
            done++;
        }

        long asked()
        {
            return asked;
        }

        boolean admits(final long value)
        {
            return value >= done && value <= asked;
        }

        @Override
        public String toString()
        {
            return "done=" + done + ", asked for=" + asked;
        }
    }

    RegionKey key()
    {
        return region.key(new RegionKey());
    }

    /** What is there: the owner's own view, which is no access of a program. */
    UnsafeBuffer contents()
    {
        return region.buffer();
    }

    /** Whether others find the region. */
    boolean isServed()
    {
        return isOpen() && region != null && !isReleased;
    }

    @Override
    void send(final int dest, final int thread)
    {
        if (world.random.nextInt(3) == 0)
        {
            super.send(dest, thread);
        }
        else
        {
            memory.poll();
            parts[dest].step(true);
        }
    }

    @Override
    int pollOnce(final int limit)
    {
        rest();
        return super.pollOnce(limit);
    }

    @Override
    void release()
    {
        isReleased = true;
        if (isOpen() && world.random.nextBoolean())
        {
            memory.close();
        }
    }

    /** Brings to an end what is under way. */
    private void rest()
    {
        memory.poll();
        for (final RegionPart part : parts)
        {
            part.step(false);
        }
    }

    /** Does something more with each region when all is quiet. */
    void ask()
    {
        memory.poll();
        for (final RegionPart part : parts)
        {
            part.step(part.count() < MIN_COUNT);
        }
    }

    /** What is not at its end; null if all is. */
    String unsettled()
    {
        for (final RegionPart part : parts)
        {
            final BulkParty owner = (BulkParty)world.books.open(part.dest);
            if (owner != null && (!part.isSureOf(owner) || part.count() < MIN_COUNT))
            {
                return part.toString();
            }
        }
        return null;
    }

    /** All that this party has written is in its place, and its own words have what they may have. */
    void check()
    {
        for (final RegionPart part : parts)
        {
            if (world.books.open(part.dest) != null)
            {
                part.check();
            }
        }
        final int at = RegionPart.wordsAt(parts.length);
        check("added", added, contents().getLong(at + RegionPart.ADDED_OFFSET));
        check("notified", notified, contents().getLong(at + RegionPart.NOTIFIED_OFFSET));
    }

    private void check(final String what, final Count count, final long value)
    {
        if (!count.admits(value))
        {
            throw new AssertionError(this + ": the word " + what + " is " + value + ", expected: " + count);
        }
        world.tally.add("words " + what, value);
    }
}
