// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.tallypost.deck.DeckCounters.Counter;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;
import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;

/**
 * Named mail boxes of the processes of a group, in the manner of DECK. A process creates a mail box, others clone it by its name
 * and post messages to it, from any node, and its owner retrieves them.
 *
 * <pre>
 *   MailBox box = deck.createMailBox("north");           MailBoxReference to = deck.cloneMailBox("north");
 *   box.retrieve(message);                               message.pack(7).pack(values, 0, 3);
 *   int i = message.unpackInt();                         to.post(message);
 * </pre>
 *
 * <p><b>Threads.</b> Any thread may call this. One thread works for the deck: the one that has launched it, in its calls that
 * wait and in {@link #doWork()}; another one that runs the deck as an {@link Agent}; or the deck's own
 * ({@link DeckContext#ownThread(boolean)}). Other threads wait for that one, and their calls fail as
 * {@link DeckFailure#NOT_WORKED} if it does nothing.
 *
 * <p><b>Names.</b> The rank that keeps a name is chosen by the name. So each rank of the group has a deck that works.
 *
 * <p><b>Memory.</b> After the start nothing is allocated for messages that are not large.
 */
public final class Deck implements Agent, AutoCloseable
{
    /** As a timeout: without end. */
    public static final long FOREVER = Messenger.FOREVER;
    /** Longest time that {@link #close()} waits for what is to be said to others. */
    private static final long CLOSE_NS = 1_000_000_000L;
    /** Park between two looks at threads that are to end. */
    private static final long JOIN_PARK_NS = 100_000L;

    private final DeckContext context;
    private final Endpoint endpoint;
    private final Messenger messenger;
    private final Communicator data;
    private final Communicator large;
    private final DeckCounters counters = new DeckCounters();
    private final Controls controls;
    private final ControlHandler handler;
    private final IncomingMessages incoming;
    private final Operations operations;
    private final BoxNumbers numbers = new BoxNumbers();
    private final List<Thread> threads = new ArrayList<>();
    private final AgentRunner runner;
    private volatile Thread worker;
    private volatile boolean isClosed;

    private Deck(final DeckContext context)
    {
        this.context = context;
        endpoint = context.endpoint();
        final MessengerContext settings = context.messenger() == null ? new MessengerContext() : context.messenger();
        messenger = Messenger.launch(settings.endpoint(endpoint).rankCount(context.rankCount()));
        data = messenger.duplicate(messenger.world(), context.firstContext());
        large = messenger.duplicate(messenger.world(), context.firstContext() + 1);
        controls = new Controls(this, messenger, messenger.duplicate(messenger.world(), context.firstContext() + 2));
        incoming = new IncomingMessages(this, messenger, data, large, settings.maxRequests());
        handler = new ControlHandler(this, endpoint.rank(), controls, incoming);
        operations = new Operations(this, endpoint, incoming, messenger.newIdleStrategy());
        endpoint.addMembershipListener(handler.presence());
        worker = Thread.currentThread();
        runner = context.ownThread() ? new AgentRunner(messenger.newIdleStrategy(), context.errorHandler(), null, this) : null;
    }

    /**
     * A deck over an endpoint that nothing else uses.
     *
     * @param context with at least an endpoint and the number of ranks.
     * @return the deck of this rank.
     * @throws IllegalArgumentException if a setting is missing or out of range.
     * @throws IllegalStateException    if a channel of the messenger is in use, or another thread polls the endpoint.
     */
    public static Deck launch(final DeckContext context)
    {
        context.conclude();
        final Deck deck = new Deck(context);
        if (deck.runner != null)
        {
            context.endpoint().releasePoller();
            deck.worker = null;
            AgentRunner.startOnThread(deck.runner);
        }
        return deck;
    }

    int incarnationOf(final int rank)
    {
        return RankState.incarnation(endpoint.rankState(rank));
    }

    boolean isThere(final int rank, final int incarnation)
    {
        final long state = endpoint.rankState(rank);
        return RankState.of(state) == RankState.OPEN && RankState.incarnation(state) == incarnation;
    }

    RankState stateOf(final int rank)
    {
        return RankState.of(endpoint.rankState(rank));
    }

    boolean isSameNode(final int rank)
    {
        return endpoint.isSameNode(rank);
    }

    Messenger messenger()
    {
        return messenger;
    }

    Communicator data()
    {
        return data;
    }

    Communicator large()
    {
        return large;
    }

    Controls controls()
    {
        return controls;
    }

    IncomingMessages incoming()
    {
        return incoming;
    }

    int rankCount()
    {
        return context.rankCount();
    }

    long timeoutNs()
    {
        return context.timeoutNs();
    }

    long maxLargeBytes()
    {
        return context.maxLargeBytes();
    }

    boolean isFailingWhenExhausted()
    {
        return context.failWhenExhausted();
    }

    ControlHandler handler()
    {
        return handler;
    }

    void count(final Counter counter)
    {
        counters.add(counter);
    }

    void onError(final Throwable error)
    {
        context.errorHandler().onError(error);
    }

    /**
     * Creates a mail box, with the time of {@link DeckContext#timeoutNs(long)}: {@link #createMailBox(String, long)}.
     *
     * @param name of the mail box.
     * @return the mail box.
     */
    public MailBox createMailBox(final String name)
    {
        return createMailBox(name, timeoutNs());
    }

    /**
     * Creates a mail box. Waits for the rank that keeps its name, also until that is open.
     *
     * @param name      of the mail box, 1 to 128 bytes of UTF-8, which no other mail box of the group has.
     * @param timeoutNs longest time in nanoseconds; {@link #FOREVER} for no limit.
     * @return the mail box.
     * @throws DeckException            DUPLICATE_NAME with the owner, TIMED_OUT, NOT_WORKED, CLOSED.
     * @throws IllegalArgumentException if there can be no such name.
     * @throws IllegalStateException    if this deck has had 2^19 mail boxes.
     */
    public MailBox createMailBox(final String name, final long timeoutNs)
    {
        Names.check(name);
        final MailBox box = new MailBox(this, name, numbers.next(), context.limit(), context.buffersPerClass());
        operations.run(new NameRequest(this, name, box), null, timeoutNs);
        return box;
    }

    /**
     * Looks a mail box up, with the time of {@link DeckContext#timeoutNs(long)}: {@link #cloneMailBox(String, long)}.
     *
     * @param name of the mail box.
     * @return where to post.
     */
    public MailBoxReference cloneMailBox(final String name)
    {
        return cloneMailBox(name, timeoutNs());
    }

    /**
     * Looks a mail box up. Waits until there is one.
     *
     * @param name      of the mail box.
     * @param timeoutNs longest time in nanoseconds; {@link #FOREVER} for no limit.
     * @return where to post.
     * @throws DeckException            TIMED_OUT if nobody has created it, BUSY, NOT_WORKED, CLOSED.
     * @throws IllegalArgumentException if there can be no such name.
     */
    public MailBoxReference cloneMailBox(final String name, final long timeoutNs)
    {
        final NameRequest request = new NameRequest(this, name, null);
        operations.run(request, null, timeoutNs);
        return new MailBoxReference(this, request.found());
    }

    /**
     * A message to pack and to retrieve with.
     *
     * @param capacity for what it packs, in bytes: {@link Message#capacity()}. What it retrieves may be longer.
     * @return the message.
     * @throws IllegalArgumentException if it is out of range.
     */
    public Message newMessage(final int capacity)
    {
        if (capacity < 0 || capacity > 1 << 30)
        {
            throw new IllegalArgumentException("capacity is out of range: found=" + capacity + ", expected=0 to " + (1 << 30));
        }
        return new Message(this, capacity);
    }

    void post(final Message message, final Destination destination, final long timeoutNs)
    {
        message.checkOwner(this);
        message.checkFree();
        checkOpen();
        if (isWorker() && destination.tryPost(messenger, data, message.packed(), message.packedBytes()))
        {
            counters.add(Counter.POSTED);
            message.leavePosting();
            return;
        }
        final Posting posting = message.usePosting();
        posting.prepare(destination, message.packedBytes());
        if (posting.isLarge())
        {
            operations.start(posting, timeoutNs);
        }
        else
        {
            operations.run(posting, message, timeoutNs);
        }
    }

    boolean isWorker()
    {
        return Thread.currentThread() == worker;
    }

    static long deadline(final long timeoutNs)
    {
        return timeoutNs == FOREVER ? FOREVER : System.nanoTime() + timeoutNs;
    }

    Thread worker()
    {
        return worker;
    }

    boolean isClosed()
    {
        return isClosed;
    }

    void checkOpen()
    {
        if (isClosed)
        {
            throw new DeckException(DeckFailure.CLOSED, "the deck is closed: " + this);
        }
    }

    Operations operations()
    {
        return operations;
    }

    /** A buffer goes back to its mail box. */
    void release(final PooledBuffer buffer)
    {
        if (isClosed)
        {
            return;
        }
        if (isWorker())
        {
            incoming.release(buffer);
        }
        else
        {
            operations.hand(buffer);
        }
    }

    void closeBox(final MailBox box)
    {
        if (isClosed)
        {
            return;
        }
        if (isWorker())
        {
            closeNow(box);
        }
        else
        {
            operations.run(new BoxClosing(this, box), null, timeoutNs());
        }
    }

    void closeNow(final MailBox box)
    {
        if (!box.isClosed)
        {
            incoming.close(box);
            controls.send(Names.home(box.name(), rankCount()), ControlDescriptor.REMOVE, box.number(), box.name(), null, null);
            for (PooledBuffer each = box.messages.poll(); each != null; each = box.messages.poll())
            {
                incoming.release(each);
            }
        }
    }

    /**
     * Starts a thread of the program. {@link #close()} waits for it.
     *
     * @param name     of the thread.
     * @param runnable that it runs.
     * @return the thread.
     */
    public Thread start(final String name, final Runnable runnable)
    {
        checkOpen();
        final Thread thread = new Thread(runnable, name);
        synchronized (threads)
        {
            // a program may start one for each task: those that have ended are not waited for
            threads.removeIf((one) -> one.getState() == Thread.State.TERMINATED);
            threads.add(thread);
        }
        thread.start();
        return thread;
    }

    /** Threads that {@link #close()} waits for, as of the last start. */
    int threadCount()
    {
        synchronized (threads)
        {
            return threads.size();
        }
    }

    /** The thread of an AgentRunner works for the deck from now on. */
    @Override
    public void onStart()
    {
        worker = Thread.currentThread();
    }

    /**
     * Takes messages that have come, and carries on what waits. For the thread that works for the deck, and no other.
     *
     * @return amount of work that was done.
     * @throws AgentTerminationException if the deck or its endpoint is closed.
     */
    @Override
    public int doWork()
    {
        if (isClosed)
        {
            throw new AgentTerminationException("the deck is closed: " + this);
        }
        try
        {
            return messenger.doWork() + controls.work() + handler.work() + incoming.work() + operations.work();
        }
        catch (final AgentTerminationException ex)
        {
            end();
            throw ex;
        }
    }

    /**
     * What was counted.
     *
     * @return the counters. Any thread may read them.
     */
    public DeckCounters counters()
    {
        return counters;
    }

    /**
     * Waits for the threads of {@link #start}, frees the names of this process, fails what other threads wait for, and closes the
     * messenger; the endpoint stays open. By the thread that works for the deck; by any thread if that is the deck's own, or has
     * ended. Idempotent.
     *
     * @throws IllegalStateException if another thread works for the deck.
     */
    @Override
    public void close()
    {
        if (runner != null && !isWorker())
        {
            joinThreads();
            runner.close();
        }
        else if (!isClosed)
        {
            checkWorker();
            joinThreads();
            leaveGroup();
            end();
        }
    }

    private void checkWorker()
    {
        final Thread expected = worker;
        if (!isWorker() && expected != null && expected.isAlive())
        {
            throw new IllegalStateException("another thread works for the deck: found=" + Thread.currentThread().getName() +
                ", expected=" + expected.getName() + "; let that one close it");
        }
    }

    @Override
    public void onClose()
    {
        if (!isClosed)
        {
            leaveGroup();
            end();
            if (runner != null)
            {
                endpoint.releasePoller();
            }
        }
    }

    private void joinThreads()
    {
        final List<Thread> started;
        synchronized (threads)
        {
            started = new ArrayList<>(threads);
        }
        // one of them may close the deck
        started.remove(Thread.currentThread());
        final long deadlineNs = deadline(timeoutNs());
        for (final Thread thread : started)
        {
            while (thread.isAlive() && (deadlineNs == FOREVER || System.nanoTime() - deadlineNs < 0))
            {
                if (!isWorker() || operations.workUnlessClosed() == 0)
                {
                    // the end of a thread wakes nothing
                    LockSupport.parkNanos(JOIN_PARK_NS);
                }
            }
            if (thread.isAlive())
            {
                onError(new IllegalStateException("a thread of the deck goes on after its close: thread=" + thread.getName() +
                    "; let it end before, or raise DeckContext.timeoutNs"));
            }
        }
    }

    /** Others are to know that the names are free. */
    private void leaveGroup()
    {
        if (endpoint.isClosed())
        {
            return;
        }
        final List<MailBox> open = new ArrayList<>();
        incoming.boxes().forEach(open::add);
        open.forEach(this::closeNow);
        final long deadlineNs = deadline(CLOSE_NS);
        while (!isClosed && !controls.isIdle() && !endpoint.isClosed() && System.nanoTime() - deadlineNs < 0)
        {
            operations.pass(deadlineNs);
        }
    }

    private void end()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        messenger.close();
        endpoint.removeMembershipListener(handler.presence());
        operations.abandon();
        incoming.boxes().forEach((box) -> box.isClosed = true);
    }

    @Override
    public String roleName()
    {
        return "tallypost-deck-" + endpoint.rank();
    }

    @Override
    public String toString()
    {
        return "Deck{rank=" + endpoint.rank() + ", closed=" + isClosed + '}';
    }
}
