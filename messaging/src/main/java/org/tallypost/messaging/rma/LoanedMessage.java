// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.layout.RegionDescriptor;

/**
 * A message that another rank has lent to this one. It is read in place, and then released, so that its owner may use the memory
 * again. One handle at a time is attached to a loan: no other one reads what the owner has in the memory next. To be used again;
 * for one thread.
 */
public final class LoanedMessage
{
    private ChunkView chunk = new ChunkView();
    private final UnsafeBuffer buffer = new UnsafeBuffer(Region.EMPTY);
    private RegionMemory memory;
    private boolean isHeld;
    /** The receive that is to fill it, null if none is. */
    private Object receive;

    /** Nothing was lent. */
    public LoanedMessage()
    {
    }

    /**
     * Takes what a key names.
     *
     * @param memory of the own rank.
     * @param key    as the owner has sent it; any bytes will do.
     * @return length of the message in bytes; {@link Endpoint#PEER_GONE} or {@link Endpoint#CLOSED}; or a refusal of
     *         {@link RegionResult}, as {@link RegionResult#NOT_BORROWER}, or {@link RegionResult#ALREADY_ATTACHED} if another
     *         handle has taken the loan.
     * @throws IllegalStateException if the message before was not released, or a receive has the handle.
     */
    public long attach(final RegionMemory memory, final RegionKey key)
    {
        checkFree();
        this.memory = memory;
        long result = chunk.attach(memory, key, RegionDescriptor.KIND_LOAN);
        result = result < 0 ? result : takeLent();
        if (result < 0)
        {
            chunk.detach();
            return memory.refuse(result);
        }
        buffer.wrap(chunk.contents, chunk.base, chunk.length);
        isHeld = true;
        return chunk.length;
    }

    /**
     * Misuse: what the handle holds, or is to get, would be lost.
     *
     * @throws IllegalStateException if it holds a message, or a receive has it.
     */
    public void checkFree()
    {
        if (receive != null)
        {
            throw new IllegalStateException("the handle is in a receive: found " + receive +
                ", expected none; wait for the receive, or cancel it");
        }
        if (isHeld)
        {
            throw new IllegalStateException("the message before was not released: found length=" + buffer.capacity() +
                ", expected none");
        }
    }

    /**
     * Gives the handle to a receive of a messenger, which does this for its program. Until the receive is over, no other one
     * takes the handle, and it is attached to nothing.
     *
     * @param by the receive.
     * @throws IllegalStateException if it holds a message, or a receive has it.
     */
    public void enterReceive(final Object by)
    {
        checkFree();
        receive = by;
    }

    /**
     * The receive is over. Nothing happens if it does not have the handle.
     *
     * @param by the receive.
     */
    public void leaveReceive(final Object by)
    {
        receive = receive == by ? null : receive;
    }

    /**
     * Takes what another handle of the same thread holds: that one is as a new one then.
     *
     * @param other that holds a message.
     * @throws IllegalStateException if the other one holds none, the message before was not released, or a receive has this.
     */
    public void takeFrom(final LoanedMessage other)
    {
        checkFree();
        if (!other.isHeld)
        {
            throw new IllegalStateException("the other handle holds nothing: found held=false, expected=true");
        }
        final ChunkView free = chunk;
        memory = other.memory;
        chunk = other.chunk;
        buffer.wrap(other.buffer);
        isHeld = true;
        free.detach();
        other.memory = null;
        other.chunk = free;
        other.buffer.wrap(Region.EMPTY);
        other.isHeld = false;
    }

    private long takeLent()
    {
        // SYNC POINT loan: pairs with RegionTable.lend
        final long word = loanWord();
        if (word != RegionDescriptor.loanWord(chunk.generation, RegionDescriptor.LOAN_LENT))
        {
            return refusal(word);
        }
        if (chunk.contents.getLong(chunk.entry + RegionDescriptor.BORROWER_OFFSET) != memory.borrowerWord())
        {
            return RegionResult.NOT_BORROWER;
        }
        // one handle of the borrower reads: the others find the word changed
        return change(RegionDescriptor.LOAN_LENT, RegionDescriptor.LOAN_READ) ? 0 : refusal(loanWord());
    }

    private long refusal(final long word)
    {
        return word == RegionDescriptor.loanWord(chunk.generation, RegionDescriptor.LOAN_RELEASED) ? RegionResult.RELEASED :
            word == RegionDescriptor.loanWord(chunk.generation, RegionDescriptor.LOAN_READ) ? RegionResult.ALREADY_ATTACHED :
            RegionResult.STALE;
    }

    private boolean change(final int from, final int to)
    {
        return LoanWord.change(chunk.contents, chunk.entry, chunk.generation, from, to);
    }

    private long loanWord()
    {
        return LoanWord.get(chunk.contents, chunk.entry);
    }

    /**
     * Whether a message is attached and not released.
     *
     * @return true if so.
     */
    public boolean isHeld()
    {
        return isHeld;
    }

    /**
     * The message.
     *
     * @return the buffer, of length 0 once the message is released.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Gives the memory back to its owner. One compare-and-set of a word: a release that comes after the owner has taken the loan
     * back, as from a process that was taken for dead, finds another generation there and changes nothing.
     *
     * @return 0; or {@link RegionResult#RELEASED} if it was released before, {@link RegionResult#STALE} if the owner has taken
     *         it back, {@link RegionResult#NOT_ATTACHED} if there was none.
     *         The buffer has length 0 then, whatever the result.
     */
    public long release()
    {
        if (!isHeld)
        {
            final boolean wasHeld = memory != null && chunk.isAttached();
            return memory == null ? RegionResult.NOT_ATTACHED :
                memory.refuse(wasHeld ? RegionResult.RELEASED : RegionResult.NOT_ATTACHED);
        }
        isHeld = false;
        buffer.wrap(Region.EMPTY);
        // read first: an interpreter survives a load from a page that was cut off, and no compare-and-set
        final long found = loanWord();
        // SYNC POINT loan-release: what was read of the message comes first
        if (found == RegionDescriptor.loanWord(chunk.generation, RegionDescriptor.LOAN_READ) &&
            change(RegionDescriptor.LOAN_READ, RegionDescriptor.LOAN_RELEASED))
        {
            return 0;
        }
        return memory.refuse(found == RegionDescriptor.loanWord(chunk.generation, RegionDescriptor.LOAN_RELEASED) ?
            RegionResult.RELEASED : RegionResult.STALE);
    }
}
