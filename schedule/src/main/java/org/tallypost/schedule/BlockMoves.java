// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.schedule;

/**
 * The classical algorithms of collectives, as moves of blocks between processes 0 to p - 1. Without state. The cost beside each
 * is that of the last process to be done: a for a message, b for a byte of it, c to reduce a byte; n bytes of data, log2 rounded
 * up. The algorithms are those of Rabenseifner, and of Thakur, Rabenseifner and Gropp (2005).
 */
public final class BlockMoves
{
    private BlockMoves()
    {
    }

    private static int ringed(final int process, final int distance, final int processes)
    {
        return Math.floorMod(process + distance, processes);
    }

    /**
     * A barrier by dissemination, for any number of processes: log2 p a.
     *
     * @param p  processes.
     * @param me this one.
     * @param to gets the moves.
     */
    public static void barrier(final int p, final int me, final Moves to)
    {
        for (int distance = 1; distance < p; distance <<= 1)
        {
            to.send(ringed(me, distance, p), 0, 0);
            to.receive(ringed(me, -distance, p), 0, 0);
            to.waitAll();
        }
    }

    /**
     * A broadcast from the root to one after the other: (p - 1)(a + n b).
     *
     * @param p      processes.
     * @param root   the one with the data.
     * @param me     this one.
     * @param blocks of the data.
     * @param to     gets the moves.
     */
    public static void linearBroadcast(final int p, final int root, final int me, final int blocks, final Moves to)
    {
        for (int peer = 0; peer < p && me == root; peer++)
        {
            if (peer != root)
            {
                to.send(peer, 0, blocks);
            }
        }
        if (me != root)
        {
            to.receive(root, 0, blocks);
        }
        to.waitAll();
    }

    /**
     * A broadcast down a binomial tree: log2 p (a + n b).
     *
     * @param p      processes.
     * @param root   the one with the data.
     * @param me     this one.
     * @param blocks of the data.
     * @param to     gets the moves.
     */
    public static void binomialBroadcast(final int p, final int root, final int me, final int blocks, final Moves to)
    {
        final int place = ringed(me, -root, p);
        if (place != 0)
        {
            to.receive(ringed(place & ~Integer.highestOneBit(place), root, p), 0, blocks);
            to.waitAll();
        }
        for (int bit = place == 0 ? 1 : Integer.highestOneBit(place) << 1; place + bit < p; bit <<= 1)
        {
            to.send(ringed(place + bit, root, p), 0, blocks);
            to.waitAll();
        }
    }

    /**
     * A broadcast down a chain, block by block: (p - 2 + m)(a + n b / m) with m blocks.
     *
     * @param p      processes.
     * @param root   the one with the data.
     * @param me     this one.
     * @param blocks of the data.
     * @param to     gets the moves.
     */
    public static void chainBroadcast(final int p, final int root, final int me, final int blocks, final Moves to)
    {
        final int place = ringed(me, -root, p);
        final int next = ringed(me, 1, p);
        final int lag = place == 0 ? 0 : 1;
        for (int i = 0; i < blocks + lag; i++)
        {
            if (place > 0 && i < blocks)
            {
                to.receive(ringed(me, -1, p), i, 1);
            }
            if (place < p - 1 && i >= lag)
            {
                to.send(next, i - lag, 1);
            }
            to.waitAll();
        }
    }

    /**
     * A reduction up a binomial tree: log2 p (a + n b + n c). In the order of the processes, if that is wanted: then it goes to
     * process 0, and from there to the root, for another a + n b.
     *
     * @param p         processes.
     * @param root      the one that gets the result.
     * @param me        this one.
     * @param blocks    of the data.
     * @param isOrdered whether the order of the operands counts.
     * @param to        gets the moves.
     */
    public static void binomialReduce(
        final int p, final int root, final int me, final int blocks, final boolean isOrdered, final Moves to)
    {
        final int top = isOrdered ? 0 : root;
        final int place = ringed(me, -top, p);
        for (int bit = 1; bit < p && (place & bit - 1) == 0; bit <<= 1)
        {
            if ((place & bit) != 0)
            {
                to.send(ringed(place - bit, top, p), 0, blocks);
                to.waitAll();
            }
            else if (place + bit < p)
            {
                to.reduce(ringed(place + bit, top, p), 0, blocks, false);
                to.waitAll();
            }
        }
        if (top != root && me == top)
        {
            to.send(root, 0, blocks);
        }
        if (top != root && me == root)
        {
            to.receive(top, 0, blocks);
        }
        to.waitAll();
    }

    /**
     * A reduction for all by recursive doubling, in the order of the processes: log2 p (a + n b + n c), and 2 (a + n b) + n c
     * more if p is no power of two.
     *
     * @param p      processes.
     * @param me     this one.
     * @param blocks of the data.
     * @param to     gets the moves.
     */
    public static void doublingAllReduce(final int p, final int me, final int blocks, final Moves to)
    {
        final int power = Integer.highestOneBit(p);
        final int rest = p - power;
        final boolean isPaired = me < 2 * rest;
        if (isPaired && (me & 1) == 0)
        {
            to.send(me + 1, 0, blocks);
            to.waitAll();
            to.receive(me + 1, 0, blocks);
            to.waitAll();
            return;
        }
        if (isPaired)
        {
            to.reduce(me - 1, 0, blocks, true);
            to.waitAll();
        }
        final int place = isPaired ? me / 2 : me - rest;
        for (int bit = 1; bit < power; bit <<= 1)
        {
            final int other = place ^ bit;
            final int peer = other < rest ? 2 * other + 1 : other + rest;
            to.send(peer, 0, blocks);
            to.reduce(peer, 0, blocks, peer < me);
            to.waitAll();
        }
        if (isPaired)
        {
            to.send(me - 1, 0, blocks);
            to.waitAll();
        }
    }

    /**
     * A reduction of which each process gets the block of its number, round a ring: (p - 1)(a + n b / p + n c / p). The order of
     * the operands differs from block to block.
     *
     * @param p  processes, and blocks.
     * @param me this one.
     * @param to gets the moves.
     */
    public static void ringReduceScatter(final int p, final int me, final Moves to)
    {
        for (int step = 1; step < p; step++)
        {
            to.send(ringed(me, 1, p), ringed(me, -step, p), 1);
            to.reduce(ringed(me, -1, p), ringed(me, -step - 1, p), 1, true);
            to.waitAll();
        }
    }

    /**
     * All get the blocks of all, round a ring: (p - 1)(a + n b / p).
     *
     * @param p  processes, and blocks.
     * @param me this one, which has the block of its number.
     * @param to gets the moves.
     */
    public static void ringAllGather(final int p, final int me, final Moves to)
    {
        for (int step = 0; step < p - 1; step++)
        {
            to.send(ringed(me, 1, p), ringed(me, -step, p), 1);
            to.receive(ringed(me, -1, p), ringed(me, -step - 1, p), 1);
            to.waitAll();
        }
    }

    /**
     * All get the blocks of all by recursive doubling: log2 p a + (p - 1) n b / p.
     *
     * @param p  processes, and blocks: a power of two.
     * @param me this one, which has the block of its number.
     * @param to gets the moves.
     */
    public static void doublingAllGather(final int p, final int me, final Moves to)
    {
        if (Integer.bitCount(p) != 1)
        {
            throw new IllegalArgumentException("processes out of range: found=" + p + ", expected a power of two");
        }
        for (int bit = 1; bit < p; bit <<= 1)
        {
            final int peer = me ^ bit;
            to.send(peer, me & -bit, bit);
            to.receive(peer, peer & -bit, bit);
            to.waitAll();
        }
    }

    /**
     * The root gives each process its block, one after the other, or gets it: (p - 1) a + (p - 1) n b / p.
     *
     * @param p         processes, and blocks.
     * @param root      the one with all blocks.
     * @param me        this one.
     * @param isUpwards whether it is a gather.
     * @param to        gets the moves.
     */
    public static void linearScatter(final int p, final int root, final int me, final boolean isUpwards, final Moves to)
    {
        for (int peer = 0; peer < p; peer++)
        {
            if (peer != me && (me == root || peer == root))
            {
                move(peer, me == root ? peer : me, 1, (me == root) == isUpwards, to);
            }
        }
        to.waitAll();
    }

    /**
     * The same by a binomial tree: log2 p a + (p - 1) n b / p.
     *
     * @param p         processes, and blocks.
     * @param root      the one with all blocks.
     * @param me        this one, with room for all blocks.
     * @param isUpwards whether it is a gather.
     * @param to        gets the moves.
     */
    public static void binomialScatter(final int p, final int root, final int me, final boolean isUpwards, final Moves to)
    {
        final int place = ringed(me, -root, p);
        final int lowest = place == 0 ? Integer.highestOneBit(2 * p - 1) : Integer.lowestOneBit(place);
        if (place != 0 && !isUpwards)
        {
            range(p, root, place - lowest, place, lowest, true, to);
        }
        for (int i = 1; i < lowest; i <<= 1)
        {
            final int bit = isUpwards ? i : lowest / 2 / i;
            if (place + bit < p)
            {
                range(p, root, place + bit, place + bit, bit, isUpwards, to);
            }
        }
        if (place != 0 && isUpwards)
        {
            range(p, root, place - lowest, place, lowest, false, to);
        }
    }

    /** The blocks of a subtree, which may go over the last one to the first. */
    private static void range(
        final int p, final int root, final int peerPlace, final int firstPlace, final int most, final boolean isReceived,
        final Moves to)
    {
        final int peer = ringed(peerPlace, root, p);
        final int first = ringed(firstPlace, root, p);
        final int count = Math.min(most, p - firstPlace);
        final int head = Math.min(count, p - first);
        move(peer, first, head, isReceived, to);
        to.waitAll();
        if (head < count)
        {
            move(peer, 0, count - head, isReceived, to);
            to.waitAll();
        }
    }

    private static void move(final int peer, final int first, final int count, final boolean isReceived, final Moves to)
    {
        if (isReceived)
        {
            to.receive(peer, first, count);
        }
        else
        {
            to.send(peer, first, count);
        }
    }

    /**
     * Each has a block for each, by pairs at a growing distance: (p - 1)(a + n b / p). Blocks 0 to p - 1 are sent, and what
     * process i has for this one becomes block p + i. That of this process itself is its own affair.
     *
     * @param p  processes.
     * @param me this one.
     * @param to gets the moves.
     */
    public static void pairwiseAllToAll(final int p, final int me, final Moves to)
    {
        for (int distance = 1; distance < p; distance++)
        {
            final int receiver = ringed(me, distance, p);
            final int sender = ringed(me, -distance, p);
            to.send(receiver, receiver, 1);
            to.receive(sender, p + sender, 1);
            to.waitAll();
        }
    }

    /**
     * A reduction of the processes before each one, from one to the next: (p - 1)(a + n b + n c). Block 0 has a process's own
     * operands, and in the end those up to it; block 1 in the end those before it, but for process 0, which has none.
     *
     * @param p  processes.
     * @param me this one.
     * @param to gets the moves.
     */
    public static void linearScan(final int p, final int me, final Moves to)
    {
        if (me > 0)
        {
            to.receive(me - 1, 1, 1);
            to.waitAll();
            to.fold(1, 0, true);
            to.waitAll();
        }
        if (me < p - 1)
        {
            to.send(me + 1, 0, 1);
            to.waitAll();
        }
    }

    /**
     * The same by recursive doubling (Hillis and Steele): log2 p (a + n b + 2 n c). Block 2 is used for what comes.
     *
     * @param p  processes.
     * @param me this one.
     * @param to gets the moves.
     */
    public static void doublingScan(final int p, final int me, final Moves to)
    {
        for (int distance = 1; distance < p; distance <<= 1)
        {
            // the nearest ones come into their place, and those before them are put in front
            final int into = distance == 1 ? 1 : 2;
            if (me + distance < p)
            {
                to.send(me + distance, 0, 1);
            }
            if (me >= distance)
            {
                to.receive(me - distance, into, 1);
            }
            to.waitAll();
            if (me >= distance && into == 2)
            {
                to.fold(2, 1, true);
                to.waitAll();
            }
            if (me >= distance)
            {
                to.fold(into, 0, true);
                to.waitAll();
            }
        }
    }
}
