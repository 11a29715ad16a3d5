// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * Copies of messages from private memory, in regions of this rank, out of which receivers on this node read them. A message has a
 * copy from its announcement to its end; the region is used again. What finds no room goes another way. So does what finds a
 * quarter of the memory's entries taken by copies: receivers that read nothing leave the rest to all else of this rank. One
 * thread.
 */
final class SendCopies
{
    /** A shorter message has few runs, and goes by the mailbox. */
    static final int MIN_LENGTH = 1 << 13;
    /** A longer one goes into an area of its receiver, or by the mailbox: there both sides copy at the same time. */
    static final int MAX_LENGTH = 1 << 18;

    /** Which part of the memory's entries may be of copies. */
    private static final int ENTRY_SHARE = 4;

    private final RegionMemory memory;
    private final MessengerCounters counters;
    private final boolean isWanted;
    /** Regions that no message has, by the number of bits of their length. */
    private final List<ArrayDeque<Region>> free;
    /** Bytes for which regions may still be made. */
    private int room;
    /** Regions that may still be made. */
    private int entries;

    SendCopies(final MessengerContext context, final MessengerCounters counters)
    {
        this.counters = counters;
        memory = context.regionMemory();
        room = memory == null ? 0 : context.copyRoom();
        isWanted = room > 0;
        entries = memory == null ? 0 : Math.max(1, memory.maxEntries() / ENTRY_SHARE);
        free = Stream.generate(ArrayDeque<Region>::new).limit(Integer.SIZE).toList();
    }

    /** Copies a message, unless an announcement that was refused has done so: false if there is no room for it. */
    boolean take(final SendRequest request)
    {
        if (request.copy != null)
        {
            return true;
        }
        if (request.length < MIN_LENGTH || request.length > MAX_LENGTH || memory == null || memory.isClosed())
        {
            return false;
        }
        final Region region = find(Integer.SIZE - Integer.numberOfLeadingZeros(request.length - 1));
        if (region == null)
        {
            counters.add(Counter.COPIES_REFUSED, isWanted && !request.isCopyRefused ? 1 : 0);
            request.isCopyRefused = true;
            return false;
        }
        request.copy = region;
        request.checkBytes();
        region.buffer().putBytes(0, request.buffer, request.offset, request.length);
        return true;
    }

    /** A region for messages of a number of bits: one that is free, a new one, or room that other lengths have used before. */
    private Region find(final int bits)
    {
        Region region = free.get(bits).pollLast();
        region = region == null ? tryRegister(1 << bits) : region;
        for (int longer = bits + 1; longer < free.size() && region == null; longer++)
        {
            region = free.get(longer).pollLast();
        }
        return region != null || !closeShorter(bits) ? region : tryRegister(1 << bits);
    }

    /** Makes room, and an entry, out of free regions of shorter messages: false if they are too few. */
    private boolean closeShorter(final int bits)
    {
        int most = room;
        int count = entries;
        for (int shorter = 0; shorter < bits; shorter++)
        {
            most += free.get(shorter).size() << shorter;
            count += free.get(shorter).size();
        }
        for (int shorter = 0; shorter < bits && most >= 1 << bits && count > 0; shorter++)
        {
            final ArrayDeque<Region> regions = free.get(shorter);
            while (!regions.isEmpty() && !mayRegister(1 << bits))
            {
                regions.pollLast().close();
                room += 1 << shorter;
                entries++;
            }
        }
        return mayRegister(1 << bits);
    }

    private boolean mayRegister(final int length)
    {
        return length <= room && entries > 0;
    }

    private Region tryRegister(final int length)
    {
        if (!mayRegister(length))
        {
            return null;
        }
        try
        {
            final Region region = memory.register(length, Region.READ);
            room -= length;
            entries--;
            return region;
        }
        catch (final IllegalStateException | NoRoomException ex)
        {
            // the memory is the program's first
            room = 0;
            return null;
        }
    }

    /** A message is over. If it was not read, its receiver may still begin to read: it finds that the key is over. */
    void give(final SendRequest request, final boolean isRead)
    {
        final Region region = request.copy;
        request.isCopyRefused = false;
        if (region == null)
        {
            return;
        }
        request.copy = null;
        if (!memory.isClosed())
        {
            if (!isRead)
            {
                region.renew();
            }
            free.get(Integer.numberOfTrailingZeros(region.length())).add(region);
        }
    }

    /** The messenger is closed, and no message is left. */
    void close()
    {
        for (final ArrayDeque<Region> regions : free)
        {
            while (!regions.isEmpty())
            {
                final Region region = regions.poll();
                if (!memory.isClosed())
                {
                    region.close();
                }
            }
        }
    }
}
