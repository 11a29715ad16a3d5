// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.lang.invoke.VarHandle;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.mailbox.layout.RegionDescriptor;
import org.tallypost.messaging.internal.checks.Checks;
import org.tallypost.node.BulkQueue;

/**
 * Another rank's {@link Region}, or an own one, to be read and written without the help of its owner. To be used again; for one
 * thread: others attach handles of their own. Operations allocate nothing.
 *
 * <p><b>Results.</b> Each operation returns zero or more, or {@link Endpoint#PEER_GONE} if the owner's incarnation is over,
 * {@link Endpoint#CLOSED} if the own memory is closed, or a refusal of {@link RegionResult}. Whatever the key, the offset and the
 * length say, and whatever is in the owner's table, no byte outside of the owner's memory is touched. Exceptions are for ranges
 * that lie outside of the caller's own buffer.
 *
 * <p><b>Order.</b> On one node an operation is complete when it returns. Plain bytes of a put are seen by those that read, with
 * acquire semantics, what {@link #putOrdered}, {@link #putNotify} or an atomic operation of the same thread wrote later. Several
 * plain bytes are not written at once.
 *
 * <p><b>Between nodes</b> ({@link #isFar()}) an operation has only begun when its call returns: {@link #UNDER_WAY} says so of
 * one that finds something. It is over when {@link #flush} returns 0, or says what has failed; {@link RegionMemory#poll} learns
 * of it. Operations of one handle are done in order, but a get, or a read of a word, may see what a later operation writes. The
 * bytes of a put are copied; those of a get come into the buffer within a poll. A program that calls both as below works with
 * regions of its own node and of others:
 *
 * <pre>
 *   long taken = remote.put(at, buffer, offset, length);             // then the rest, if fewer; BUSY: poll first
 *   while (remote.flush() &gt; 0)
 *   {
 *       idle.idle(memory.poll());
 *   }
 * </pre>
 */
public final class RemoteRegion
{
    /** An operation on a region of another node is under way: {@link #value()} has what it finds when it is over. */
    public static final long UNDER_WAY = FarRegion.UNDER_WAY;

    /** Most bytes of one operation between nodes: a longer one takes several. */
    public static final int MAX_FAR_LENGTH = BulkQueue.MAX_LENGTH;

    private final ChunkView chunk = new ChunkView();
    /** Null until this is first attached to a region of another node. */
    private FarRegion far;
    private boolean isFar;
    private boolean isEntered;
    private RegionMemory memory;
    private long value;

    /** Attached to nothing. */
    public RemoteRegion()
    {
    }

    /**
     * Attaches to what a key names. The memory of a rank is mapped when it is first attached to, which allocates, and so does the
     * first region of another node.
     *
     * @param memory of the own rank.
     * @param key    as the owner has sent it; any bytes will do.
     * @return 0; {@link #UNDER_WAY} if the region is of another node: attached when {@link #flush} returns 0, until then other
     *         operations return {@link RegionResult#BUSY}; {@link Endpoint#PEER_GONE}; or a refusal, then this is attached to
     *         nothing.
     * @throws org.tallypost.mailbox.files.MailboxException if there is no room for the queue to other nodes.
     */
    public long attach(final RegionMemory memory, final RegionKey key)
    {
        if (isFar && far.isUnderWay())
        {
            return RegionResult.BUSY;
        }
        detach();
        this.memory = memory;
        if (memory.isFar(key.rank()))
        {
            far = far == null ? new FarRegion() : far;
            isFar = true;
            return refuse(far.attach(memory, key));
        }
        final long result = chunk.attach(memory, key, RegionDescriptor.KIND_REGION);
        if (result < 0)
        {
            chunk.detach();
        }
        return result < 0 ? refuse(result) : 0;
    }

    /**
     * As {@link #attach}, but for a region of another node the owner is not asked: its message with the key has said length and
     * rights too, and the first operation may follow at once. The owner's node checks each operation all the same.
     *
     * @param memory      of the own rank.
     * @param key         as the owner has sent it.
     * @param knownLength of the region in bytes, as the owner has said, 1 to {@link RegionMemory#MAX_LENGTH}.
     * @param knownRights of the region, as the owner has said.
     * @return 0; {@link Endpoint#PEER_GONE}; or a refusal, then this is attached to nothing.
     * @throws IllegalArgumentException if length or rights cannot be.
     * @throws org.tallypost.mailbox.files.MailboxException if there is no room for the queue to other nodes.
     */
    public long attachKnown(final RegionMemory memory, final RegionKey key, final int knownLength, final int knownRights)
    {
        Checks.range("knownLength", knownLength, 1, RegionMemory.MAX_LENGTH);
        Checks.range("knownRights", knownRights, 0, Region.ALL);
        if (!memory.isFar(key.rank()))
        {
            return attach(memory, key);
        }
        if (isFar && far.isUnderWay())
        {
            return RegionResult.BUSY;
        }
        detach();
        this.memory = memory;
        far = far == null ? new FarRegion() : far;
        final long result = far.attachKnown(memory, key, knownLength, knownRights);
        isFar = true;
        return refuse(result);
    }

    /**
     * Whether an operation on a region of another node that finds something is under way: until it is over {@link #value()} has
     * what was found before.
     *
     * @return true if so.
     */
    public boolean isFinding()
    {
        return isFar && far.isFinding();
    }

    /** Attaches to nothing. What is under way to another node goes on, and its buffers are filled. */
    public void detach()
    {
        leave();
        chunk.detach();
        if (far != null)
        {
            far.detach();
        }
        isFar = false;
    }

    /**
     * As {@link #detach()}, but no buffer is filled any more: what a get under way was to fill may be used for something else.
     */
    public void abandon()
    {
        if (far != null)
        {
            far.abandon();
        }
        detach();
    }

    /**
     * Whether this is attached to a region of another node, or asks for one.
     *
     * @return true if so.
     */
    public boolean isFar()
    {
        return isFar;
    }

    private long refuse(final long result)
    {
        return memory == null ? result : memory.refuse(result);
    }

    private long check(final int right, final long at, final long length)
    {
        final long result = chunk.check();
        if (result < 0)
        {
            return result;
        }
        if ((chunk.rights & right) != right)
        {
            return RegionResult.NO_RIGHT;
        }
        return at < 0 || length > chunk.length - at ? RegionResult.OUT_OF_BOUNDS : 0;
    }

    private long checkWord(final int right, final long at)
    {
        final long result = check(right, at, Long.BYTES);
        return result == 0 && (at & Long.BYTES - 1) != 0 ? RegionResult.MISALIGNED : result;
    }

    /**
     * Writes bytes. Needs {@link Region#WRITE}.
     *
     * @param at     offset in the region in bytes.
     * @param buffer that holds them.
     * @param offset of them in the buffer.
     * @param length of them, 0 or more.
     * @return the length; between nodes the bytes that there was room for, at least 1: put the rest later; or why nothing was
     *         written.
     * @throws IndexOutOfBoundsException if they lie outside of the buffer.
     */
    public long put(final long at, final DirectBuffer buffer, final int offset, final int length)
    {
        Checks.within(buffer, offset, length);
        if (isFar)
        {
            return refuse(far.put(at, buffer, offset, length));
        }
        final long result = check(Region.WRITE, at, length);
        if (result < 0)
        {
            return refuse(result);
        }
        chunk.contents.putBytes(chunk.base + (int)at, buffer, offset, length);
        return length;
    }

    /**
     * Says that puts of this handle are under way until {@link #leave}, so that an owner that closes the region meanwhile knows
     * when its memory may be used again: {@link Region#closeWhenLeft}. Between nodes it does nothing.
     *
     * @return 0; {@link RegionResult#ALREADY_ATTACHED} if another handle has entered, or why the region cannot be used.
     */
    public long enter()
    {
        if (isFar)
        {
            return 0;
        }
        long result = chunk.check();
        if (result == 0 && !EntrantWord.enter(chunk.contents, chunk.entry, memory.borrowerWord()))
        {
            result = RegionResult.ALREADY_ATTACHED;
        }
        else if (result == 0)
        {
            isEntered = true;
            result = chunk.check();
            if (result < 0)
            {
                leave();
            }
        }
        return refuse(result);
    }

    /** What was put since {@link #enter} is done. Nothing happens if this has not entered. */
    public void leave()
    {
        if (isEntered)
        {
            isEntered = false;
            EntrantWord.leave(chunk.contents, chunk.entry, memory.borrowerWord());
        }
    }

    /**
     * Reads bytes. Needs {@link Region#READ}.
     *
     * @param at     offset in the region in bytes.
     * @param buffer to be filled.
     * @param offset in the buffer.
     * @param length of them, 0 or more.
     * @return the length; between nodes the bytes that there was room to ask for, at least 1: get the rest later; or why nothing
     *         was read. {@link RegionResult#STALE} also if the region ended meanwhile: then the buffer may have bytes of what its
     *         memory is for since.
     * @throws IndexOutOfBoundsException if they do not fit into the buffer.
     */
    public long get(final long at, final MutableDirectBuffer buffer, final int offset, final int length)
    {
        Checks.within(buffer, offset, length);
        if (isFar)
        {
            return refuse(far.get(at, buffer, offset, length));
        }
        final long result = check(Region.READ, at, length);
        if (result < 0)
        {
            return refuse(result);
        }
        buffer.putBytes(offset, chunk.contents, chunk.base + (int)at, length);
        // SYNC POINT region-end: pairs with RegionTable.change
        VarHandle.loadLoadFence();
        return chunk.isEnded() ? refuse(RegionResult.STALE) : length;
    }

    /**
     * Writes bytes, then adds 1 to a counter in the region with release semantics: a receiver that reads the counter with acquire
     * semantics sees the bytes. Needs {@link Region#WRITE} and {@link Region#ATOMIC}.
     *
     * @param at        offset in the region in bytes.
     * @param buffer    that holds the bytes.
     * @param offset    of them in the buffer.
     * @param length    of them, 0 or more.
     * @param counterAt offset of the counter in the region, a multiple of 8.
     * @return the length; between nodes perhaps fewer bytes: then put the rest later with the same counter, which is not
     *         increased before the last of them is there; or why nothing was written.
     * @throws IndexOutOfBoundsException if they lie outside of the buffer.
     */
    public long putNotify(
        final long at, final DirectBuffer buffer, final int offset, final int length, final long counterAt)
    {
        Checks.within(buffer, offset, length);
        if (isFar)
        {
            return refuse(far.putNotify(at, buffer, offset, length, counterAt));
        }
        long result = check(Region.WRITE, at, length);
        result = result < 0 ? result : checkWord(Region.ATOMIC, counterAt);
        if (result < 0)
        {
            return refuse(result);
        }
        chunk.contents.putBytes(chunk.base + (int)at, buffer, offset, length);
        // SYNC POINT region-notify: pairs with the receiver's acquire load of the counter
        chunk.contents.getAndAddLong(chunk.base + (int)counterAt, 1);
        return length;
    }

    /**
     * Writes a word of 8 bytes with release semantics: what this thread put before is seen by a thread that reads the word with
     * acquire semantics. Needs {@link Region#WRITE}.
     *
     * @param at   offset in the region, a multiple of 8.
     * @param word to be written.
     * @return 0, or why nothing was written.
     */
    public long putOrdered(final long at, final long word)
    {
        if (isFar)
        {
            return refuse(far.store(at, word));
        }
        final long result = checkWord(Region.WRITE, at);
        if (result < 0)
        {
            return refuse(result);
        }
        chunk.contents.putLongRelease(chunk.base + (int)at, word);
        return 0;
    }

    /**
     * Reads a word of 8 bytes with acquire semantics; {@link #value()} has it. Needs {@link Region#READ}.
     *
     * @param at offset in the region, a multiple of 8.
     * @return 0, {@link #UNDER_WAY} between nodes, or why nothing was read.
     */
    public long getAcquire(final long at)
    {
        if (isFar)
        {
            return refuse(far.find(BulkOperation.LOAD, Region.READ, at, 0, 0));
        }
        final long result = checkWord(Region.READ, at);
        if (result < 0)
        {
            return refuse(result);
        }
        value = chunk.contents.getLongAcquire(chunk.base + (int)at);
        return 0;
    }

    /**
     * Adds to a word of 8 bytes, atomically; {@link #value()} has what it was before. Needs {@link Region#ATOMIC}.
     *
     * @param at    offset in the region, a multiple of 8.
     * @param delta to be added.
     * @return 0, {@link #UNDER_WAY} between nodes, or why nothing was done.
     */
    public long getAndAdd(final long at, final long delta)
    {
        if (isFar)
        {
            return refuse(far.find(BulkOperation.ADD, Region.ATOMIC, at, delta, 0));
        }
        final long result = checkWord(Region.ATOMIC, at);
        if (result < 0)
        {
            return refuse(result);
        }
        value = chunk.contents.getAndAddLong(chunk.base + (int)at, delta);
        return 0;
    }

    /**
     * Sets a word of 8 bytes, atomically; {@link #value()} has what it was before. Needs {@link Region#ATOMIC}.
     *
     * @param at   offset in the region, a multiple of 8.
     * @param word to be set.
     * @return 0, {@link #UNDER_WAY} between nodes, or why nothing was done.
     */
    public long getAndSet(final long at, final long word)
    {
        if (isFar)
        {
            return refuse(far.find(BulkOperation.SET, Region.ATOMIC, at, word, 0));
        }
        final long result = checkWord(Region.ATOMIC, at);
        if (result < 0)
        {
            return refuse(result);
        }
        value = chunk.contents.getAndSetLong(chunk.base + (int)at, word);
        return 0;
    }

    /**
     * Sets a word of 8 bytes if it has a value, atomically. Needs {@link Region#ATOMIC}.
     *
     * @param at       offset in the region, a multiple of 8.
     * @param expected value.
     * @param word     to be set.
     * @return 1 if it was set, 0 if it had another value, {@link #UNDER_WAY} between nodes, or why nothing was done.
     */
    public long compareAndSet(final long at, final long expected, final long word)
    {
        if (isFar)
        {
            return refuse(far.find(BulkOperation.COMPARE, Region.ATOMIC, at, expected, word));
        }
        final long result = checkWord(Region.ATOMIC, at);
        if (result < 0)
        {
            return refuse(result);
        }
        value = chunk.contents.compareAndSetLong(chunk.base + (int)at, expected, word) ? 1 : 0;
        return value;
    }

    /**
     * Whether the operations of this handle are complete at the owner. On one node they are. Does not wait.
     *
     * @return 0 if they are; number of operations on a region of another node that are under way: call {@link RegionMemory#poll}
     *         meanwhile; or why nothing more will become complete, or, once, why an operation since the last flush has failed,
     *         the first one of several.
     */
    public long flush()
    {
        fence();
        if (isFar)
        {
            return refuse(far.flush());
        }
        final long result = chunk.check();
        return result < 0 ? refuse(result) : 0;
    }

    /** Orders all operations of this thread before it and after it, plain ones too. */
    public static void fence()
    {
        VarHandle.fullFence();
    }

    /**
     * What the last {@link #getAcquire}, {@link #getAndAdd} or {@link #getAndSet} has found; of {@link #compareAndSet} 1 if it
     * has set the word, 0 if not.
     *
     * @return the value.
     */
    public long value()
    {
        return isFar ? far.value() : value;
    }

    /**
     * Length of the region.
     *
     * @return the length in bytes; 0 if this is attached to nothing.
     */
    public int length()
    {
        return isFar ? far.length() : chunk.isAttached() ? chunk.length : 0;
    }

    /**
     * Rights that the region gives.
     *
     * @return any of {@link Region#READ}, {@link Region#WRITE} and {@link Region#ATOMIC}; 0 if this is attached to nothing.
     */
    public int rights()
    {
        return isFar ? far.rights() : chunk.isAttached() ? chunk.rights : 0;
    }
}
