// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/**
 * A mail box of this process: messages that are posted to its name come here. It has {@link #buffersPerClass()} buffers for each
 * {@link SizeClass} up to {@link #limit()}, and each message in it takes one, until it is cleared. Made by
 * {@link Deck#createMailBox(String)}. Any thread may retrieve, also several at a time: each message comes to one of them.
 */
public final class MailBox implements AutoCloseable
{
    /** Most large messages that are in a box at a time; more wait at their senders. */
    static final int MAX_LARGE = 64;

    /** What the owner keeps of one process that posts: how many tokens it has not given back, by classes. */
    static final class Account
    {
        final int[] owed = new int[SizeClass.MAX + 1];
        final boolean[] isWanted = new boolean[SizeClass.MAX + 1];
        final MailBox box;
        final int source;
        /** The classes of which so much is owed that it is given back in the next round, as bits. */
        int due;
        /** The process has ended: there is nobody to give tokens to, also if its rank is open again. */
        boolean isOver;

        Account(final MailBox box, final int source)
        {
            this.box = box;
            this.source = source;
        }
    }

    final ManyToManyConcurrentArrayQueue<PooledBuffer> messages;
    final BufferPool pool;
    private final Int2ObjectHashMap<Account> accounts = new Int2ObjectHashMap<>();
    /** Messages that were taken and have still to get their bytes, in the order in which they came. */
    final List<PooledBuffer> arriving = new ArrayList<>();
    /** Messages that wait for a buffer. */
    final ArrayDeque<HeldMessage> held = new ArrayDeque<>();
    /** Of the rank that was last asked for. */
    private Account lastAccount;
    int largeCount;
    /** The home of its name has said that it has it. */
    boolean isNamed;
    volatile boolean isClosed;
    private final Deck deck;
    private final String name;
    private final int number;
    private final int limit;
    private final int buffersPerClass;

    MailBox(final Deck deck, final String name, final int number, final int limit, final int buffersPerClass)
    {
        this.deck = deck;
        this.name = name;
        this.number = number;
        this.limit = limit;
        this.buffersPerClass = buffersPerClass;
        pool = new BufferPool(this, limit, buffersPerClass);
        messages = new ManyToManyConcurrentArrayQueue<>((limit - SizeClass.MIN + 1) * buffersPerClass + MAX_LARGE);
    }

    /**
     * The name.
     *
     * @return that clones find it by.
     */
    public String name()
    {
        return name;
    }

    /** The account of the process that has a rank now, which is made at its first message. */
    Account account(final int source)
    {
        if (lastAccount == null || lastAccount.source != source)
        {
            lastAccount = accounts.get(source);
            if (lastAccount == null)
            {
                lastAccount = new Account(this, source);
                accounts.put(source, lastAccount);
            }
        }
        return lastAccount;
    }

    void removeAccount(final int source)
    {
        final Account removed = accounts.remove(source);
        if (removed != null)
        {
            removed.isOver = true;
        }
        lastAccount = null;
    }

    int number()
    {
        return number;
    }

    /**
     * Highest class with buffers. Longer messages need a handshake.
     *
     * @return as {@link DeckContext#limit(int)}.
     */
    public int limit()
    {
        return limit;
    }

    /**
     * Buffers of each class.
     *
     * @return as {@link DeckContext#buffersPerClass(int)}.
     */
    public int buffersPerClass()
    {
        return buffersPerClass;
    }

    /**
     * Length of all its buffers.
     *
     * @return in bytes.
     */
    public long poolLength()
    {
        return SizeClass.poolLength(limit, buffersPerClass);
    }

    /**
     * Waits for a message, however long that takes.
     *
     * @param message that gets it. What it has retrieved before is cleared.
     * @throws DeckException         if the mail box or the deck is closed.
     * @throws IllegalStateException if the message is being posted, or belongs to another deck.
     */
    public void retrieve(final Message message)
    {
        retrieve(message, Deck.FOREVER);
    }

    /**
     * Waits for a message. The message shows the bytes where they came, without a copy. The thread of the deck does the deck's
     * work meanwhile; another thread waits for that one.
     *
     * @param message   that gets it. What it has retrieved before is cleared.
     * @param timeoutNs longest time in nanoseconds; 0 to look once, {@link Deck#FOREVER} for no limit.
     * @return false if the time is over, and none was there.
     * @throws DeckException         if the mail box or the deck is closed.
     * @throws IllegalStateException if the message is being posted, or belongs to another deck.
     */
    public boolean retrieve(final Message message, final long timeoutNs)
    {
        message.checkOwner(deck);
        message.release();
        final PooledBuffer first = messages.poll();
        final PooledBuffer buffer = first != null ? first : deck.operations().awaitMessage(this, message, timeoutNs);
        if (buffer == null)
        {
            return false;
        }
        message.begin(buffer);
        return true;
    }

    /**
     * Frees the name, and drops the messages that wait here. Messages that were retrieved stay. Later posts fail as
     * {@link DeckFailure#BOX_CLOSED}. Any thread; idempotent.
     */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            deck.closeBox(this);
        }
    }

    @Override
    public String toString()
    {
        return "MailBox{name='" + name + "', number=" + number + ", limit=" + limit + ", buffersPerClass=" + buffersPerClass +
            ", messages=" + messages.size() + ", closed=" + isClosed + '}';
    }
}
