// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.layout.RegionDescriptor;
import org.tallypost.mailbox.process.ProcessIdentity;

/**
 * Memory of this rank that others may read or write: {@link RegionMemory#register}. The owner uses {@link #buffer()}, the others
 * a {@link RemoteRegion} that they attach by the {@link #key}.
 *
 * <p>What others write comes without a message: a counter in the region says when ({@link RemoteRegion#putNotify}), read with
 * {@code getLongAcquire}. Close a region when nobody is in the midst of an operation on it: one that begins later is refused, but
 * one that is under way may still write into the memory, which by then may be of another region of this rank. A send of a
 * messenger from {@link #buffer()} that is not done ends with {@code FAILED} at both sides.
 */
public final class Region implements AutoCloseable
{
    /** Right to read. */
    public static final int READ = RegionDescriptor.RIGHT_READ;
    /** Right to write. */
    public static final int WRITE = RegionDescriptor.RIGHT_WRITE;
    /** Right to change words of 8 bytes by one atomic operation each. */
    public static final int ATOMIC = RegionDescriptor.RIGHT_ATOMIC;
    /** All rights. */
    public static final int ALL = READ | WRITE | ATOMIC;

    static final byte[] EMPTY = new byte[0];

    private final RegionMemory memory;
    private final UnsafeBuffer buffer = new UnsafeBuffer(EMPTY);
    private final int id;
    private final int rights;
    private int generation;
    private boolean closed;

    Region(final RegionMemory memory, final int id, final int generation, final int rights)
    {
        this.memory = memory;
        this.id = id;
        this.generation = generation;
        this.rights = rights;
    }

    /**
     * The memory, for the owner.
     *
     * @return the buffer, of length 0 once the region is closed.
     */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /**
     * Maps the region once more, for code of the owner that takes buffers of java.nio: what is written here is in
     * {@link #buffer()}, and the other way round. The mapping goes when nothing refers to the buffer any more, nor to one that
     * was made of it. Close the region only then: its memory may be of another region afterwards. The owner's thread.
     *
     * @return a direct buffer of the region's length, in the machine's byte order.
     * @throws IllegalStateException if this is closed.
     * @throws org.tallypost.mailbox.files.MailboxException if the file of the memory was removed, replaced or cut off.
     */
    public ByteBuffer map()
    {
        if (closed)
        {
            throw new IllegalStateException("the region is closed: found=" + this + ", expected an open one");
        }
        return memory.map(buffer);
    }

    /**
     * Length of the region.
     *
     * @return the length in bytes.
     */
    public int length()
    {
        return buffer.capacity();
    }

    /**
     * What others may do.
     *
     * @return any of {@link #READ}, {@link #WRITE} and {@link #ATOMIC}.
     */
    public int rights()
    {
        return rights;
    }

    /**
     * The key by which others attach, to be sent to them.
     *
     * @param key to be set.
     * @return the key.
     */
    public RegionKey key(final RegionKey key)
    {
        return memory.key(key, id, generation);
    }

    /**
     * Ends all keys that were given, as {@link #close()} does, and goes on with the same memory under another key. What is in the
     * memory stays as it is. Allocates nothing; the owner's thread.
     *
     * @throws IllegalStateException if this is closed.
     */
    public void renew()
    {
        if (closed)
        {
            throw new IllegalStateException("the region is closed: found=" + this + ", expected an open one");
        }
        generation = memory.renew(id, rights);
    }

    /** Ends it: operations that begin later are refused with {@link RegionResult#STALE}. Idempotent; the owner's thread. */
    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            buffer.wrap(EMPTY);
            memory.end(id);
        }
    }

    /**
     * Whether no put is under way of what says so by {@link RemoteRegion#enter}: to be asked when the keys are over, behind
     * {@link #renew}. Then nothing is written with these keys any more. The owner's thread.
     *
     * @param process that has the key, as it was when its rank was open; null if it is not known. It is asked for if its rank
     *                is closed, as a thread of it may still put.
     * @return true if so, or if what put is gone.
     */
    public boolean isLeft(final ProcessIdentity process)
    {
        return closed || memory.isLeft(id, process);
    }

    /**
     * As {@link #close()}, but as long as a put is under way, of what says so by {@link RemoteRegion#enter}, the memory is for
     * nothing else: {@link RegionMemory#collect} gives it back. Idempotent; the owner's thread.
     *
     * @param process as for {@link #isLeft}.
     */
    public void closeWhenLeft(final ProcessIdentity process)
    {
        if (!closed)
        {
            renew();
            if (isLeft(process))
            {
                close();
                return;
            }
            closed = true;
            buffer.wrap(EMPTY);
            memory.keep(id, process);
        }
    }

    @Override
    public String toString()
    {
        return "Region{" + key(new RegionKey()) + ", length=" + length() + ", rights=" + rights + (closed ? ", closed}" : "}");
    }
}
