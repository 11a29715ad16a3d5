// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Mappings of files that this process does not use any more, and that are mapped still: their files may be deleted, and take
 * room all the same. The garbage collector unmaps what nothing can reach, but nothing makes it run: mappings are not in its
 * heap. So this asks for a collection when too many came since the last one, or when they take much of what the file system has
 * left.
 *
 * <p>Something may hold the mappings, or the JVM may run with {@code -XX:+DisableExplicitGC}. So what a collection leaves does
 * not count as too many, and little room leads to the next collection only after a pause, which gets longer. Any thread.
 */
public final class FormerMappings
{
    /** A collection is asked for when there are more of them than this, without those that the last one left. */
    public static final int MAX_COUNT = 32;
    /** A collection is asked for when they take more than this part of the room that is left. */
    public static final int ROOM_SHARE = 4;

    private static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(60);

    private final Runnable collector;
    private final List<Former> all = new ArrayList<>();
    private long bytes;
    private int leftCount;
    private long pauseNs;
    private long triedNs;

    /** Weak, since it must not be what holds the mapping. */
    private record Former(WeakReference<ByteBuffer> buffer, long length)
    {
    }

    /**
     * None yet.
     *
     * @param collector does a garbage collection.
     */
    public FormerMappings(final Runnable collector)
    {
        this.collector = collector;
    }

    /**
     * A mailbox is not used any more. A thread that still holds a reference to it may go on using it.
     *
     * @param mailbox that was mapped.
     */
    public void add(final Mailbox mailbox)
    {
        add(mailbox.buffer().byteBuffer());
    }

    /**
     * A mapping is not used any more, unless by a thread that still holds a reference to it.
     *
     * @param buffer that the mapping was made as.
     */
    public synchronized void add(final ByteBuffer buffer)
    {
        all.add(new Former(new WeakReference<>(buffer), buffer.capacity()));
        bytes += buffer.capacity();
    }

    /**
     * Former mappings that something may still reach, or that no collection has come to.
     *
     * @return their number.
     */
    public synchronized int count()
    {
        all.removeIf((former) ->
        {
            final boolean isOver = former.buffer.get() == null;
            bytes -= isOver ? former.length : 0;
            return isOver;
        });
        leftCount = Math.min(leftCount, all.size());
        return all.size();
    }

    /**
     * Room that they take.
     *
     * @return their length in bytes.
     */
    public synchronized long bytes()
    {
        count();
        return bytes;
    }

    /**
     * Asks for a collection if too many came since the last one, or if they take too much of the room that is left. The room
     * is no reason within a pause after a collection that released nothing.
     *
     * @param usableSpace room that is left on the file system, in bytes.
     * @param nowNs       time.
     * @return whether a collection was asked for.
     */
    public synchronized boolean limit(final long usableSpace, final long nowNs)
    {
        final int before = count();
        final boolean isRoomLittle = bytes > usableSpace / ROOM_SHARE && (pauseNs == 0 || nowNs - triedNs >= pauseNs);
        if (before - leftCount <= MAX_COUNT && !isRoomLittle)
        {
            return false;
        }
        triedNs = nowNs;
        pauseNs = collect(before) ? 0 : Math.min(LONGEST_PAUSE_NS, Math.max(FIRST_PAUSE_NS, pauseNs << 1));
        return true;
    }

    /**
     * Asks for a collection if there are any, whatever the last one has released: there is no room for a file. A pause ends if
     * something was released.
     */
    public synchronized void release()
    {
        final int before = count();
        if (before > 0)
        {
            pauseNs = collect(before) ? 0 : pauseNs;
        }
    }

    /** Whether a collection released something. */
    private boolean collect(final int before)
    {
        collector.run();
        leftCount = count();
        return leftCount < before;
    }
}
