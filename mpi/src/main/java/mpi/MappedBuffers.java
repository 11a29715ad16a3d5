// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * Buffers for the program in regions: the other ranks of the node map them too, use windows on them without messages, and copy
 * long messages from there. Short ones share a region. A region is given back when the program no longer refers to its buffers,
 * nor to views of them. To be used within a call.
 */
final class MappedBuffers
{
    private static final int SHARED_LENGTH = 1 << 16;
    private static final int MAX_SHORT = 1 << 13;
    /** A cache line: ranks that use buffers beside each other do not take it from each other. */
    private static final int ALIGNMENT = 64;
    /** Words of 8 bytes are what is changed by one step: a region has no part of one. */
    private static final int WORD = Long.BYTES;

    private final RegionMemory memory;
    private final long limit;
    private final ReferenceQueue<ByteBuffer> unused = new ReferenceQueue<>();
    /** By the address of the first byte. */
    private final TreeMap<Long, Part> parts = new TreeMap<>();
    private long taken;
    /** Has room for short buffers from a place on; null if there is none. */
    private ByteBuffer shared;
    private int next;
    /** What was found last: a program sends from the same buffer again and again. */
    private Part last;

    /** Takes so many bytes of a memory at most. */
    MappedBuffers(final RegionMemory memory, final long limit)
    {
        this.memory = memory;
        this.limit = limit;
    }

    /** A region, as long as something refers to its mapping. */
    static final class Part extends PhantomReference<ByteBuffer>
    {
        private final Region region;
        private final long address;
        private final int length;
        /** Cleared before the mapping goes: its addresses may be those of something else by then. */
        private final WeakReference<ByteBuffer> mapping;

        private Part(final Region region, final ByteBuffer mapped, final ReferenceQueue<ByteBuffer> queue) throws MPIException
        {
            super(mapped, queue);
            this.region = region;
            address = new Place().set(mapped, 0, 0).address();
            length = mapped.capacity();
            mapping = new WeakReference<>(mapped);
        }

        RegionKey key(final RegionKey key)
        {
            return region.key(key);
        }

        /** Where an address is in the region. */
        int offset(final long of)
        {
            return (int)(of - address);
        }

        private boolean holds(final long of, final long bytes)
        {
            return of >= address && of + bytes <= address + length && mapping.get() != null;
        }
    }

    /** A buffer of zeros, in the machine's byte order; null if there is no room for it. */
    ByteBuffer tryMake(final int length) throws MPIException
    {
        giveBack();
        if (length > MAX_SHORT)
        {
            final ByteBuffer whole = tryMap((length + WORD - 1L) / WORD * WORD);
            return whole == null || whole.capacity() == length ? whole : cut(whole, 0, length);
        }
        if (shared == null || next + length > SHARED_LENGTH)
        {
            shared = tryMap(SHARED_LENGTH);
            next = 0;
        }
        if (shared == null)
        {
            return null;
        }
        final ByteBuffer made = cut(shared, next, length);
        next += (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return made;
    }

    private static ByteBuffer cut(final ByteBuffer from, final int at, final int length)
    {
        return from.duplicate().position(at).limit(at + length).slice().order(from.order());
    }

    private ByteBuffer tryMap(final long length) throws MPIException
    {
        if (length > limit - taken)
        {
            return null;
        }
        Region region = null;
        try
        {
            region = memory.register((int)length, Region.ALL);
            final ByteBuffer mapped = region.map();
            final Part part = new Part(region, mapped, unused);
            parts.put(part.address, part);
            taken += length;
            return mapped;
        }
        catch (final MailboxException | IllegalStateException ex)
        {
            // there is no room, which a program can do without: its windows on other memory go by messages
            if (region != null)
            {
                region.close();
            }
            return null;
        }
    }

    /** Closes the regions that nothing refers to any more. */
    private void giveBack()
    {
        for (Reference<?> each = unused.poll(); each != null; each = unused.poll())
        {
            final Part part = (Part)each;
            // another one may have its addresses
            parts.remove(part.address, part);
            last = last == part ? null : last;
            taken -= part.length;
            part.region.close();
        }
    }

    /** The region that bytes lie in; null if they lie in none. */
    Part find(final long address, final long length)
    {
        giveBack();
        if (last != null && last.holds(address, length))
        {
            return last;
        }
        final Map.Entry<Long, Part> found = parts.floorEntry(address);
        if (found == null || !found.getValue().holds(address, length))
        {
            return null;
        }
        last = found.getValue();
        return last;
    }

    /** Moves a view of bytes that lie in a region to the region's own mapping, by which the messenger finds the region. */
    void moveToRegion(final UnsafeBuffer view)
    {
        final Part part = find(view.addressOffset(), view.capacity());
        if (part != null)
        {
            view.wrap(part.region.buffer(), part.offset(view.addressOffset()), view.capacity());
        }
    }

    /** Bytes of regions that are in use. */
    long taken()
    {
        return taken;
    }
}
