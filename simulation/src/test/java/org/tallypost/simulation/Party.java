// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.io.File;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.MessageClaim;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.Priority;

/** One incarnation of a rank and what its program does: sends in every way that there is, and keeps books. */
class Party implements MessageListener
{
    private static final int MAX_BURST = 12;
    private static final int BATCH = 6;

    final World world;
    final SimulatedProcess process;
    final Endpoint endpoint;
    final int rank;
    final int epoch;
    final int id;
    final File directory;
    /** It was declared gone while it lived, and was told so. */
    boolean wasFenced;
    private final Post[] posts;
    private final Post[] highPosts;
    private final LongSend[] sends;
    private final Letter[] underWay;
    private final MessageClaim claim = new MessageClaim();
    private final MessageBatch batch = new MessageBatch(BATCH);
    private Letter claimed;
    private boolean isPolling;

    Party(final World world, final SimulatedProcess process, final Endpoint endpoint)
    {
        this.world = world;
        this.process = process;
        this.endpoint = endpoint;
        rank = endpoint.rank();
        epoch = endpoint.epoch();
        directory = process.directory();
        posts = new Post[world.plan.ranks()];
        highPosts = new Post[posts.length];
        for (int dest = 0; dest < posts.length; dest++)
        {
            posts[dest] = new Post(this, dest, Priority.LOW);
            highPosts[dest] = new Post(this, dest, Priority.HIGH);
        }
        sends = new LongSend[world.plan.sendingThreads];
        underWay = new Letter[sends.length];
        for (int thread = 0; thread < sends.length; thread++)
        {
            sends[thread] = endpoint.newSend();
        }
        id = world.books.add(this);
    }

    boolean isOpen()
    {
        return !endpoint.isClosed() && !process.isDead();
    }

    Post post(final int dest, final Priority priority)
    {
        return priority == Priority.HIGH ? highPosts[dest] : posts[dest];
    }

    /** Sends something to a rank, or goes on with what is under way. */
    void send(final int dest, final int thread)
    {
        if (claimed != null && !(world.plan.has(Fault.OPEN_CLAIM) && world.random.nextInt(4) > 0))
        {
            settleClaim();
        }
        if (sends[thread].isActive())
        {
            progress(thread);
        }
        else if (claimed == null || claimed.post.dest != dest || world.plan.nodeOfRank(dest) == process.hostNode)
        {
            // what goes to another node is claimed there only when it is committed
            sendAnew(dest, thread);
        }
    }

    private void sendAnew(final int dest, final int thread)
    {
        final int way = world.random.nextInt(10);
        if (way < 6)
        {
            final Priority priority = world.priority();
            burst(dest, priority, thread, world.length(priority));
        }
        else if (way < 7)
        {
            offerBatch(dest, thread);
        }
        else if (way < 9 && world.plan.maxSendLength > 0)
        {
            start(dest, thread);
        }
        else if (claimed == null)
        {
            claim(dest, thread);
        }
    }

    /** A message, and now and then some like it right behind. */
    private void burst(final int dest, final Priority priority, final int thread, final int length)
    {
        int left = world.random.nextInt(4) == 0 ? 1 + world.random.nextInt(MAX_BURST) : 1;
        while (left > 0 && offer(dest, priority, thread, length) >= 0)
        {
            left--;
        }
    }

    long offer(final int dest, final Priority priority, final int thread, final int length)
    {
        final Letter letter = post(dest, priority).write(thread, length);
        final DirectBuffer bytes = letter.bytes();
        final long result;
        world.mayFail();
        try
        {
            result = priority == Priority.HIGH ? endpoint.offer(dest, letter.tag(), priority, bytes, 0, length) :
                endpoint.offer(dest, letter.tag(), bytes, 0, length);
        }
        catch (final StackOverflowError error)
        {
            return failed(error);
        }
        finally
        {
            world.mustNotFail();
        }
        world.books.settle(letter, result);
        return result;
    }

    /** It may come or not. */
    private static long failed(final StackOverflowError error)
    {
        if (!World.ERROR.equals(error.getMessage()))
        {
            throw error;
        }
        return Endpoint.NO_CREDIT;
    }

    private void offerBatch(final int dest, final int thread)
    {
        final Priority priority = world.priority();
        final Post post = post(dest, priority);
        final int first = post.letters.size();
        batch.clear();
        int room = world.batchSlots(priority);
        while (batch.size() < BATCH && room > 0)
        {
            final int length = world.length(priority);
            room -= Endpoint.slots(length);
            if (room >= 0 || batch.size() == 0)
            {
                final Letter letter = post.write(thread, length);
                batch.add(letter.tag(), letter.bytes(), 0, length);
            }
        }
        final long result =
            priority == Priority.HIGH ? endpoint.offer(dest, priority, batch) : endpoint.offer(dest, batch);
        for (int i = first; i < first + batch.size(); i++)
        {
            final Letter letter = post.letters.get(i);
            if (i == first || result >= 0)
            {
                world.books.settle(letter, result);
            }
            else
            {
                world.books.refuse(letter);
            }
        }
    }

    private void start(final int dest, final int thread)
    {
        final int length = Letter.MIN_LENGTH + world.random.nextInt(world.plan.maxSendLength);
        final Letter letter = posts[dest].write(thread, length);
        underWay[thread] = letter;
        final long result = sends[thread].start(dest, letter.tag(), letter.bytes(), 0, length);
        if (!sends[thread].isActive())
        {
            world.books.settle(letter, result);
        }
    }

    private void progress(final int thread)
    {
        final Letter letter = underWay[thread];
        if (world.plan.has(Fault.GIVE_UP) && world.isRare(Fault.GIVE_UP, 8))
        {
            sends[thread].abort();
            world.books.refuse(letter);
            return;
        }
        final long result = sends[thread].progress();
        if (!sends[thread].isActive())
        {
            world.books.settle(letter, result);
        }
    }

    private void claim(final int dest, final int thread)
    {
        final Letter letter = posts[dest].write(thread, world.length());
        final long result = endpoint.tryClaim(dest, letter.tag(), letter.length, claim);
        if (result < 0)
        {
            world.books.settle(letter, result);
            return;
        }
        world.books.address(letter);
        claimed = letter;
        if (!world.plan.has(Fault.OPEN_CLAIM))
        {
            settleClaim();
        }
    }

    /** Commits what is claimed, or gives it up. */
    void settleClaim()
    {
        final Letter letter = claimed;
        if (letter == null)
        {
            return;
        }
        claimed = null;
        if (world.isRare(Fault.OPEN_CLAIM, 3))
        {
            world.books.refuse(letter);
            claim.abort();
            return;
        }
        claim.putBytes(letter.bytes(), 0);
        claim.commit();
        // a party that has closed is not owed anything any more
        letter.state = endpoint.isClosed() ? Letter.State.SENDING : Letter.State.ACCEPTED;
    }

    /** Gives back what it has of the node, before its endpoint is closed. */
    void release()
    {
        // of what it sends the endpoint knows
    }

    boolean isBusy()
    {
        boolean busy = claimed != null;
        for (final LongSend send : sends)
        {
            busy |= send.isActive();
        }
        return busy;
    }

    /** Brings to an end what is under way. */
    void finish()
    {
        settleClaim();
        for (int thread = 0; thread < sends.length; thread++)
        {
            if (sends[thread].isActive())
            {
                world.as(thread);
                progress(thread);
            }
        }
        world.as(0);
    }

    int poll(final int limit)
    {
        isPolling = true;
        try
        {
            return pollOnce(limit);
        }
        finally
        {
            isPolling = false;
        }
    }

    int pollOnce(final int limit)
    {
        return endpoint.poll(this, limit);
    }

    boolean isPolling()
    {
        return isPolling;
    }

    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        world.books.receive(this, source, tag, buffer, offset, length);
        if (world.echoes() && claimed == null && !sends[0].isActive())
        {
            offer(source, Priority.LOW, 0, world.length());
        }
    }

    @Override
    public String toString()
    {
        return "rank " + rank + " epoch " + epoch + " (" + process + (isOpen() ? "" : ", closed") + ")";
    }
}
