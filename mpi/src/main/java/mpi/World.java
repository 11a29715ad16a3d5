// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.launch.LaunchConfiguration;
import org.tallypost.transportaeron.launch.LaunchSetting;

/**
 * This process as a rank: its node, endpoint and messenger, and what is under way. It lasts from the first Init to the end of the
 * process, so that Finalize may be followed by another Init. Any thread, one at a time ({@link Calls}).
 */
final class World
{
    /** Sends and receives that are kept to be used again. */
    private static final int MOST_KEPT = 256;

    private static volatile World current;

    private final Thread thread = Thread.currentThread();
    private final Node node;
    private final int rank;
    private final int size;
    /** Null if there is none. */
    private final RegionMemory regionMemory;
    private final MappedBuffers buffers;
    private final Messenger messenger;
    private final Calls calls;
    /** Collective operations and what the program has let go of: they go on whatever the program waits for. */
    private final List<Transfer> background = new ArrayList<>();
    private final Contexts contexts = new Contexts();
    /** They have ended, and are used again: the last one of each first. */
    private SendTransfer spareSend;
    private ReceiveTransfer spareReceive;
    private final ArrayDeque<SendTransfer> sends = new ArrayDeque<>();
    private final ArrayDeque<ReceiveTransfer> receives = new ArrayDeque<>();
    private final WorldTeams teams;
    private final Ports ports;
    private final int nodeNumber;
    private ByteBuffer attached;
    /** All that is under way fails from here on, which is no news. */
    private volatile boolean isClosing;

    private World()
    {
        LaunchConfiguration launch = LaunchConfiguration.isLaunched() ? LaunchConfiguration.resolve() : null;
        if (launch == null || launch.rank() < 0 && launch.rankCount() == 1)
        {
            // started alone: nobody else is to join it
            launch = LaunchConfiguration.resolve(Map.of(LaunchSetting.RANK, "0", LaunchSetting.RANKS, "1",
                LaunchSetting.GROUP, "mpi-" + ProcessHandle.current().pid()));
        }
        if (launch.rank() < 0)
        {
            throw new IllegalArgumentException("this process does not know its rank: set " + LaunchSetting.RANK.variable() +
                ", or start the program by tallypost run");
        }
        rank = launch.rank();
        size = launch.rankCount();
        nodeNumber = launch.node();
        ports = new Ports(rank, size);
        ProcessEnd.ofThisProcess().willLaunch();
        node = Node.launch(launch.context().deleteOnClose(true));
        final Endpoint endpoint = node.open(rank);
        regionMemory = WorldMemory.open(node, endpoint);
        messenger = Messenger.launch(WorldMemory.context(
            endpoint, regionMemory, launch.topology().nodeCount() == 1).rankCount(size));
        buffers = regionMemory == null ? null : new MappedBuffers(regionMemory, WorldMemory.length() / 2);
        calls = new Calls(endpoint);
        teams = new WorldTeams(this, node, endpoint);
        ProcessEnd.ofThisProcess().launched(size == 1 ? null : "rank " + rank, this::close);
    }

    /** Returns when the node is closed, to each thread that calls it: a process does not end in the midst of that. */
    synchronized void close()
    {
        isClosing = true;
        ProcessEnd.ofThisProcess().begin();
        node.close();
    }

    /** Makes this process a rank, if it is none. */
    static synchronized World init() throws MPIException
    {
        try
        {
            current = current == null ? new World() : current;
        }
        catch (final RuntimeException ex)
        {
            throw new MPIException(MPI.ERR_OTHER, ex);
        }
        return current;
    }

    /** The rank that this process is. */
    static World current() throws MPIException
    {
        if (current == null || !MPI.isRunning())
        {
            throw new MPIException(MPI.ERR_OTHER, current == null ? "MPI.Init was not called" : "MPI.Finalize was called");
        }
        return current;
    }

    /** The calling thread works on this rank from here on, as often as it enters; others wait. */
    World enter()
    {
        calls.enter();
        return this;
    }

    /** Once for each time that it has entered. */
    void exit()
    {
        calls.exit();
    }

    boolean isMain()
    {
        return Thread.currentThread() == thread;
    }

    int rank()
    {
        return rank;
    }

    int size()
    {
        return size;
    }

    /** Number of this rank's node. */
    int nodeNumber()
    {
        return nodeNumber;
    }

    Ports ports()
    {
        return ports;
    }

    WorldTeams teams()
    {
        return teams;
    }

    Messenger messenger()
    {
        return messenger;
    }

    Endpoint endpoint()
    {
        return calls.endpoint();
    }

    RegionMemory regionMemory()
    {
        return regionMemory;
    }

    /** A buffer of zeros that other ranks of the node map too; null if there is none for the program. */
    ByteBuffer newMapped(final int length) throws MPIException
    {
        calls.enter();
        try
        {
            return buffers == null || length < 1 || !teams.hasNeighbor() ? null : buffers.tryMake(length);
        }
        finally
        {
            calls.exit();
        }
    }

    /** Where bytes are that other ranks of the node map too; null if they do not. */
    MappedBuffers.Part findMapped(final long address, final int length)
    {
        calls.enter();
        try
        {
            return buffers == null ? null : buffers.find(address, length);
        }
        finally
        {
            calls.exit();
        }
    }

    /** Moves a view of a long message to the memory that the other ranks of the node map, if it is there. Within a call. */
    void moveToMapped(final UnsafeBuffer view)
    {
        // what is no longer than that goes with its bytes, however busy its receiver is
        if (buffers != null && view.byteArray() == null && view.capacity() > Endpoint.MAX_RUN_LENGTH)
        {
            buffers.moveToRegion(view);
        }
    }

    /** Takes the contexts of a communicator from a number on; all its ranks do with the same. */
    Channels channels(final int context, final int[] ranks)
    {
        calls.enter();
        try
        {
            contexts.take(context);
            return new Channels(this, context, ranks);
        }
        finally
        {
            calls.exit();
        }
    }

    /** To be used within a call that has entered. */
    Contexts contexts()
    {
        return contexts;
    }

    /** What is under way goes on; returns how much was done. */
    int work()
    {
        calls.enter();
        try
        {
            return workWithin();
        }
        finally
        {
            calls.exit();
        }
    }

    /** The same. The caller has entered. */
    int workWithin()
    {
        final int work = messenger.doWork();
        return background.isEmpty() ? work : work + goOn();
    }

    private int goOn()
    {
        int work = 0;
        for (int i = background.size() - 1; i >= 0; i--)
        {
            if (background.get(i).progress())
            {
                endIfUnseen(background.remove(i));
                work++;
            }
        }
        return work;
    }

    /** Whether something is under way that nothing wakes a thread for. */
    private boolean isToLook()
    {
        for (int i = 0; i < background.size(); i++)
        {
            if (background.get(i).isByLooking())
            {
                return true;
            }
        }
        return false;
    }

    /** Goes on with it whatever the program waits for. */
    void goOnWith(final Transfer transfer)
    {
        calls.enter();
        try
        {
            if (transfer.progress())
            {
                endIfUnseen(transfer);
            }
            else
            {
                background.add(transfer);
            }
        }
        finally
        {
            calls.exit();
        }
    }

    /** Goes on with one that nobody asks for any more; a failure ends the job. */
    void letGo(final Transfer transfer)
    {
        calls.enter();
        try
        {
            transfer.letGo();
            background.remove(transfer);
            goOnWith(transfer);
        }
        finally
        {
            calls.exit();
        }
    }

    private void endIfUnseen(final Transfer transfer)
    {
        if (transfer.isFailedUnseen() && !isClosing)
        {
            endJob("rank " + rank + " ends, as " + transfer.whatHasFailed() + ": " + transfer.failure().getMessage(), 1);
        }
    }

    /** Ends this process, and with it the job. */
    void endJob(final String why, final int code)
    {
        System.out.flush();
        System.err.println(why);
        System.err.flush();
        if (size == 1)
        {
            close();
        }
        // others would learn of a close before this process has ended, and end with codes of their own first
        Runtime.getRuntime().halt(code == 0 ? 1 : code);
    }

    /** What is under way goes on, for a loop that waits within a call: other threads get in now and then. */
    int workAndLetIn()
    {
        calls.enter();
        try
        {
            final int work = work();
            calls.letIn();
            return work;
        }
        finally
        {
            calls.exit();
        }
    }

    /** One turn of a loop that waits; other threads get in meanwhile. */
    void turn()
    {
        calls.enter();
        try
        {
            calls.pass(work(), isToLook());
        }
        finally
        {
            calls.exit();
        }
    }

    /** The same, for a wait that nothing wakes this thread for. */
    void turnAndLook()
    {
        calls.enter();
        try
        {
            calls.pass(work(), true);
        }
        finally
        {
            calls.exit();
        }
    }

    /** Starts it, and sees to it that it goes on. */
    void start(final Transfer transfer) throws MPIException
    {
        calls.enter();
        try
        {
            startWithin(transfer);
        }
        finally
        {
            calls.exit();
        }
    }

    /** The same. The caller has entered. */
    void startWithin(final Transfer transfer) throws MPIException
    {
        transfer.start();
        if (transfer.isCarriedOn())
        {
            goOnWith(transfer);
        }
    }

    /** Sends and waits until the buffer may be used again. The caller has entered. */
    void send(final SendTransfer transfer) throws MPIException
    {
        startWithin(transfer);
        awaitWithin(transfer);
        giveBack(transfer);
    }

    /** One that has ended, in calls that wait or in a request, is used again, with its memory if that is not long. */
    void giveBack(final Transfer transfer)
    {
        if (transfer instanceof SendTransfer)
        {
            giveBack((SendTransfer)transfer);
        }
        else if (transfer instanceof ReceiveTransfer)
        {
            giveBack((ReceiveTransfer)transfer);
        }
    }

    private void giveBack(final SendTransfer transfer)
    {
        if (transfer.isToBeKept())
        {
            transfer.items(null, 0, 0, 0, null);
            if (spareSend == null)
            {
                spareSend = transfer;
            }
            else if (sends.size() < MOST_KEPT)
            {
                sends.push(transfer);
            }
        }
    }

    private void giveBack(final ReceiveTransfer transfer)
    {
        if (transfer.isToBeKept())
        {
            transfer.items(null, 0, 0, 0, null);
            if (spareReceive == null)
            {
                spareReceive = transfer;
            }
            else if (receives.size() < MOST_KEPT)
            {
                receives.push(transfer);
            }
        }
    }

    /** One that is free. */
    SendTransfer newSend()
    {
        final SendTransfer spare = spareSend;
        if (spare != null)
        {
            spareSend = null;
            return spare;
        }
        return sends.isEmpty() ? new SendTransfer() : sends.pop();
    }

    /** Receives and waits until the message is there. The caller has entered. */
    Status receive(final ReceiveTransfer transfer) throws MPIException
    {
        startWithin(transfer);
        awaitWithin(transfer);
        final Status status = Status.of(transfer);
        giveBack(transfer);
        return status;
    }

    /** One that is free. */
    ReceiveTransfer newReceive()
    {
        final ReceiveTransfer spare = spareReceive;
        if (spare != null)
        {
            spareReceive = null;
            return spare;
        }
        return receives.isEmpty() ? new ReceiveTransfer() : receives.pop();
    }

    /** Waits until it is done, however long; throws what it has failed with. */
    void await(final Transfer transfer) throws MPIException
    {
        calls.enter();
        try
        {
            awaitWithin(transfer);
        }
        finally
        {
            calls.exit();
        }
    }

    private void awaitWithin(final Transfer transfer) throws MPIException
    {
        while (!transfer.progress())
        {
            calls.pass(workWithin(), isToLook());
        }
        transfer.throwFailure();
    }

    void attach(final ByteBuffer buffer) throws MPIException
    {
        calls.enter();
        try
        {
            final UnsafeBuffer memory = new UnsafeBuffer(0, 0);
            final Place place = new Place().set(buffer, 0, 0);
            if (attached != null)
            {
                throw new MPIException(MPI.ERR_BUFFER, "a buffer is attached: detach it first");
            }
            final int length = buffer.capacity();
            place.wrap(memory, length);
            messenger.attachBuffer(memory, 0, length);
            attached = buffer;
        }
        finally
        {
            calls.exit();
        }
    }

    /** Waits until all that is in the buffer has gone. */
    ByteBuffer detach() throws MPIException
    {
        calls.enter();
        try
        {
            final ByteBuffer buffer = attached;
            if (buffer == null)
            {
                throw new MPIException(MPI.ERR_BUFFER, "no buffer is attached");
            }
            while (!messenger.detachBuffer())
            {
                turn();
            }
            attached = null;
            return buffer;
        }
        finally
        {
            calls.exit();
        }
    }

    boolean isAttached()
    {
        return attached != null;
    }

    RequestResult sendBuffered(
        final Communicator communicator, final int dest, final int tag, final DirectBuffer buffer, final int length)
        throws MPIException
    {
        final RequestResult result = attached == null ? RequestResult.NONE :
            messenger.sendBuffered(communicator, dest, tag, buffer, 0, length);
        if (result == RequestResult.NONE)
        {
            throw new MPIException(MPI.ERR_BUFFER, attached == null ? "no buffer is attached" :
                "the attached buffer has no room for " + length + " bytes now: attach a longer one");
        }
        return result;
    }

    /** Waits for what the program has let go of. */
    void finish() throws MPIException
    {
        calls.enter();
        try
        {
            if (attached != null)
            {
                detach();
            }
            while (background.stream().anyMatch(Transfer::isAwaitedAtTheEnd))
            {
                turn();
            }
        }
        finally
        {
            calls.exit();
        }
    }
}
