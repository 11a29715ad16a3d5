// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory for one message that is lent instead of copied: the sender writes it in place, and the receiver reads it there. To be
 * used again; for the thread of its memory.
 *
 * <pre>
 *   if (memory.tryLoan(length, loan) &gt;= 0)
 *   {
 *       loan.buffer().putBytes(0, ...);
 *       if (loan.lend(dest) &lt; 0 || endpoint.offer(dest, tag, loan.key(key).encode(message, 0), ...) &lt; 0)
 *       {
 *           loan.cancel();                            // or try again
 *       }
 *   }
 * </pre>
 */
public final class Loan
{
    private static final int NOTHING = 0;
    private static final int WRITING = 1;
    private static final int LENT = 2;

    private final UnsafeBuffer buffer = new UnsafeBuffer(Region.EMPTY);
    private RegionMemory memory;
    /** The send that has it, null if none does. */
    private Object send;
    private int state;
    private int id;
    private int generation;

    /** Nothing is on loan. */
    public Loan()
    {
    }

    void open(final RegionMemory memory, final int id, final int generation)
    {
        this.memory = memory;
        this.id = id;
        this.generation = generation;
        state = WRITING;
    }

    /** Misuse: what was written into an open loan would be lost. */
    void checkFree()
    {
        checkNoSend();
        if (state == WRITING)
        {
            throw new IllegalStateException("loan is being written: lend or cancel it first, id=" + id);
        }
    }

    private void checkNoSend()
    {
        if (send != null)
        {
            throw new IllegalStateException("the loan is in a send: found " + this + "; wait for the send, or cancel it");
        }
    }

    /**
     * Gives it to a send of a messenger, which does this for its program. Until the send is over, the program cannot lend, take
     * back or cancel it, nor use the handle for another loan.
     *
     * @param by the send.
     * @throws IllegalStateException if a send has it.
     */
    public void enterSend(final Object by)
    {
        checkNoSend();
        send = by;
    }

    /**
     * The send is over, or changes the loan itself.
     *
     * @param by the send that has it.
     * @throws IllegalStateException if it does not.
     */
    public void leaveSend(final Object by)
    {
        if (send != by)
        {
            throw new IllegalStateException("the loan is in another send, or in none: found " + this);
        }
        send = null;
    }

    /**
     * Whether a send that is active has it.
     *
     * @return true if so.
     */
    public boolean isInSend()
    {
        return send != null;
    }

    /**
     * The memory to write into, until it is lent.
     *
     * @return the buffer, of length 0 at all other times. Its contents are arbitrary at first.
     */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /**
     * Lends it. From now on the borrower reads what was written, as soon as it has the key; this handle is free to be used for
     * another loan once the key was sent.
     *
     * @param dest rank of the borrower, on this node; the own one is allowed.
     * @return 0; or why nothing happened, and the loan can be written still:
     *         {@link org.tallypost.endpoint.Endpoint#PEER_GONE} or {@link org.tallypost.endpoint.Endpoint#NOT_CONNECTED} if the
     *         rank is not open, {@link RegionResult#TOO_MANY_LOANS}, {@link RegionResult#OTHER_NODE}; or
     *         {@link org.tallypost.endpoint.Endpoint#CLOSED} if the memory is closed.
     * @throws IllegalArgumentException if there is no such rank.
     * @throws IllegalStateException if there is nothing to lend, or it is in a send.
     */
    public long lend(final int dest)
    {
        checkNoSend();
        if (state != WRITING)
        {
            throw new IllegalStateException("nothing to lend: found " + this + ", expected one that is being written");
        }
        final long result = memory.lend(id, dest);
        if (result == 0)
        {
            state = LENT;
            buffer.wrap(Region.EMPTY);
        }
        return result;
    }

    /**
     * The key by which the borrower attaches, to be sent to it.
     *
     * @param key to be set.
     * @return the key.
     * @throws IllegalStateException if nothing is lent.
     */
    public RegionKey key(final RegionKey key)
    {
        if (state != LENT)
        {
            throw new IllegalStateException("nothing is lent: found " + this + ", expected one that is lent");
        }
        return memory.key(key, id, generation);
    }

    /**
     * Takes back what was lent, if the borrower has not attached to it, and never will: the loan can be written again.
     *
     * @return false if nothing is lent, the borrower has attached to it, or it is over.
     * @throws IllegalStateException if it is in a send.
     */
    public boolean takeBack()
    {
        checkNoSend();
        if (state != LENT || !memory.takeBack(id, generation, buffer))
        {
            return false;
        }
        state = WRITING;
        return true;
    }

    /**
     * Gives it up: before it is lent, or when its key could not be sent. A borrower that has the key all the same gets
     * {@link RegionResult#STALE}. One that has attached already reads on, and the memory comes back when it releases: only this
     * handle is free then. Does nothing if the loan is over.
     *
     * @throws IllegalStateException if it is in a send: cancel that.
     */
    public void cancel()
    {
        checkNoSend();
        if (state != NOTHING)
        {
            memory.cancel(id, generation, state == LENT);
            state = NOTHING;
            buffer.wrap(Region.EMPTY);
        }
    }

    @Override
    public String toString()
    {
        return "Loan{" + (state == NOTHING ? "nothing" : state == WRITING ? "being written" : "lent") + ", id=" + id +
            ", generation=" + generation + (send == null ? "}" : ", in a send}");
    }
}
