// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.nio.charset.StandardCharsets;
import org.agrona.BitUtil;
import org.agrona.ErrorHandler;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.transport.NodeView;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.Transport;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/**
 * How a node is set up. Setters return the context; {@link Node#launch} concludes it. An option marked '(group)' has to have the
 * same value in all processes of the node.
 */
public final class NodeContext implements NodeView
{
    /** Shortest liveness interval in nanoseconds. */
    public static final long MIN_LIVENESS_INTERVAL_NS = 1_000_000;

    private File directory;
    private String groupName = "tallypost";
    private int rankCount;
    private int slotsPerSender = 64;
    private int creditSlots = 2;
    private Flow flow = Flow.DYNAMIC;
    private CreditReturn creditReturn = CreditReturn.DIRECT;
    private boolean piggyback;
    private StealPolicy stealPolicy = StealPolicy.IDLE_FIRST;
    private int ringSlots;
    private int highSlots;
    private int expressLanes = LaneDescriptor.MAX_LANES;
    private int laneSlots;
    private long livenessIntervalNs = 1_000_000_000L;
    private boolean livenessThread = true;
    private IdleSettings idle = new IdleSettings();
    private Transport transport;
    private TransportSettings transportSettings = new TransportSettings();
    private MessageProfile messageProfile;
    private int maxProcesses = 512;
    private int maxSendingThreads = 2048;
    private ErrorHandler errorHandler = Throwable::printStackTrace;
    private boolean checkInvariants;
    private boolean deleteOnClose;
    private boolean concluded;

    /** A context with the defaults; {@link #directory}, {@link #groupName} and {@link #rankCount} have to be set. */
    public NodeContext()
    {
    }

    /**
     * Directory of the node's files, best on a memory file system such as /dev/shm. Made with mode 0700 if it is not
     * there.
     *
     * @param value directory of the node.
     * @return this.
     */
    public NodeContext directory(final File value)
    {
        directory = value;
        return this;
    }

    /**
     * As set by {@link #directory(File)}.
     *
     * @return directory of the node.
     */
    @Override
    public File directory()
    {
        return directory;
    }

    /**
     * Name of the group, at most 64 bytes of UTF-8 (group). Default "tallypost".
     *
     * @param value name of the group.
     * @return this.
     */
    public NodeContext groupName(final String value)
    {
        groupName = value;
        return this;
    }

    /**
     * As set by {@link #groupName(String)}.
     *
     * @return name of the group.
     */
    public String groupName()
    {
        return groupName;
    }

    /**
     * Number of ranks in the group, at most 2^20 (group).
     *
     * @param value number of ranks.
     * @return this.
     */
    public NodeContext rankCount(final int value)
    {
        rankCount = value;
        return this;
    }

    /**
     * As set by {@link #rankCount(int)}.
     *
     * @return number of ranks.
     */
    @Override
    public int rankCount()
    {
        return rankCount;
    }

    /**
     * Slots of 64 bytes in each mailbox for each sender, credit slots included (group). Default 64; at least twice
     * the credit slots.
     *
     * @param value slots for each sender.
     * @return this.
     */
    public NodeContext slotsPerSender(final int value)
    {
        slotsPerSender = value;
        return this;
    }

    /**
     * As set by {@link #slotsPerSender(int)}.
     *
     * @return slots for each sender.
     */
    @Override
    public int slotsPerSender()
    {
        return slotsPerSender;
    }

    /**
     * Slots of these that a sender always keeps, and in which credit packets come back (group). Default 2.
     *
     * @param value k of the credit protocol.
     * @return this.
     */
    public NodeContext creditSlots(final int value)
    {
        creditSlots = value;
        return this;
    }

    /**
     * As set by {@link #creditSlots(int)}.
     *
     * @return k of the credit protocol.
     */
    @Override
    public int creditSlots()
    {
        return creditSlots;
    }

    /**
     * How slots are given to senders (group). Default {@link Flow#DYNAMIC}.
     *
     * @param value the flow control.
     * @return this.
     */
    public NodeContext flow(final Flow value)
    {
        flow = value;
        return this;
    }

    /**
     * As set by {@link #flow(Flow)}.
     *
     * @return the flow control.
     */
    public Flow flow()
    {
        return flow;
    }

    /**
     * How credits come back (group). Default {@link CreditReturn#DIRECT}.
     *
     * @param value the way of credits.
     * @return this.
     */
    public NodeContext creditReturn(final CreditReturn value)
    {
        creditReturn = value;
        return this;
    }

    /**
     * As set by {@link #creditReturn(CreditReturn)}.
     *
     * @return the way of credits.
     */
    public CreditReturn creditReturn()
    {
        return creditReturn;
    }

    /**
     * Whether data packets carry credits too, with {@link CreditReturn#PACKET} (group). Default false.
     *
     * @param value whether to piggyback.
     * @return this.
     */
    public NodeContext piggyback(final boolean value)
    {
        piggyback = value;
        return this;
    }

    /**
     * As set by {@link #piggyback(boolean)}.
     *
     * @return whether to piggyback.
     */
    public boolean piggyback()
    {
        return piggyback;
    }

    /**
     * Which senders give slots to busy ones under {@link Flow#DYNAMIC}. Default {@link StealPolicy#IDLE_FIRST}; the thesis's rule
     * is {@link StealPolicy#MONITORED}; with {@link StealPolicy#LENDING} messages by {@link LongSend} announce what they lack.
     *
     * @param value the policy of this process's receivers.
     * @return this.
     */
    public NodeContext stealPolicy(final StealPolicy value)
    {
        stealPolicy = value;
        return this;
    }

    /**
     * As set by {@link #stealPolicy(StealPolicy)}.
     *
     * @return the policy.
     */
    public StealPolicy stealPolicy()
    {
        return stealPolicy;
    }

    /**
     * Slots of a mailbox's ring, a power of two (group). Default 0: rankCount x slotsPerSender, or with
     * {@link Flow#NONE} four of the longest runs for each rank if that is more, rounded up.
     *
     * @param value slots of the ring, or 0.
     * @return this.
     */
    public NodeContext ringSlots(final int value)
    {
        ringSlots = value;
        return this;
    }

    /**
     * As set by {@link #ringSlots(int)}.
     *
     * @return slots of the ring; once the node is launched, what it has come to.
     */
    public int ringSlots()
    {
        return ringSlots;
    }

    /**
     * Slots of 64 bytes for each sender in a second ring of each rank, for messages of {@link Priority#HIGH} (group). Default 0:
     * there are no priorities. Else at least 2; a message of high priority takes at most one slot less. The ring lies in a file
     * of its own: 128 bytes for each rank, and 64 for each of rankCount x value slots, rounded up to a power of two. With several
     * nodes the rings to them, and the words of pairs, are there a second time.
     *
     * @param value slots for each sender, or 0.
     * @return this.
     */
    public NodeContext highSlots(final int value)
    {
        highSlots = value;
        return this;
    }

    /**
     * As set by {@link #highSlots(int)}.
     *
     * @return slots for each sender in the high ring, or 0.
     */
    @Override
    public int highSlots()
    {
        return highSlots;
    }

    /**
     * Express lanes of this process's mailboxes: each is a small ring for one sending thread that sends much, without a
     * locked instruction for each message. Default 4, or one for each other rank if there are fewer; none with
     * {@link CreditReturn#PACKET}, nor if no message may ever take two slots.
     *
     * @param value number of lanes in each mailbox, 0 to 4.
     * @return this.
     */
    public NodeContext expressLanes(final int value)
    {
        expressLanes = value;
        return this;
    }

    /**
     * As set by {@link #expressLanes(int)}.
     *
     * @return number of lanes in each mailbox; once the node is launched, what it has come to.
     */
    public int expressLanes()
    {
        return expressLanes;
    }

    /**
     * Slots of an express lane, memory beside the ring. Default 0: all lanes together as many as the ring, up to 1,024, or a
     * quarter of a larger ring, up to 4,096; each at least 8.
     *
     * @param value slots of each lane, a power of two, or 0.
     * @return this.
     */
    public NodeContext laneSlots(final int value)
    {
        laneSlots = value;
        return this;
    }

    /**
     * As set by {@link #laneSlots(int)}.
     *
     * @return slots of each lane; once the node is launched, what it has come to.
     */
    public int laneSlots()
    {
        return laneSlots;
    }

    /**
     * Longest time in nanoseconds after which the death of a process is noticed; a process that has no
     * proof of its death, as between pid namespaces, may be silent for so long: choose it longer than any pause there. At least
     * 1,000,000. Default 1 s. Counts for the process that founds the node; the error handler of one that asks for another
     * value is told which is in use.
     *
     * @param value the interval.
     * @return this.
     */
    public NodeContext livenessIntervalNs(final long value)
    {
        livenessIntervalNs = value;
        return this;
    }

    /**
     * As set by {@link #livenessIntervalNs(long)}.
     *
     * @return the interval; once the node is launched, that of the process that founded it.
     */
    @Override
    public long livenessIntervalNs()
    {
        return livenessIntervalNs;
    }

    /**
     * Whether a thread of the node watches over the others. Default true; else call {@link Node#checkLiveness()}.
     *
     * @param value whether to start it.
     * @return this.
     */
    public NodeContext livenessThread(final boolean value)
    {
        livenessThread = value;
        return this;
    }

    /**
     * As set by {@link #livenessThread(boolean)}.
     *
     * @return whether to start it.
     */
    public boolean livenessThread()
    {
        return livenessThread;
    }

    /**
     * How {@link Endpoint#newIdleStrategy} passes the time. Default as in {@link IdleSettings}.
     *
     * @param value the settings of this process.
     * @return this.
     */
    public NodeContext idle(final IdleSettings value)
    {
        idle = value;
        return this;
    }

    /**
     * As set by {@link #idle(IdleSettings)}.
     *
     * @return the settings.
     */
    public IdleSettings idle()
    {
        return idle;
    }

    /**
     * Carries packets to the other nodes of the group. Default null: there is one node.
     *
     * @param value with the nodes and their ranks (group).
     * @return this.
     */
    public NodeContext transport(final Transport value)
    {
        transport = value;
        return this;
    }

    /**
     * As set by {@link #transport(Transport)}.
     *
     * @return the transport, or null.
     */
    public Transport transport()
    {
        return transport;
    }

    /**
     * How this process takes its part in carrying packets. Default as in {@link TransportSettings}.
     *
     * @param value the settings of this process.
     * @return this.
     */
    public NodeContext transportSettings(final TransportSettings value)
    {
        transportSettings = value;
        return this;
    }

    /**
     * As set by {@link #transportSettings(TransportSettings)}.
     *
     * @return the settings.
     */
    @Override
    public TransportSettings transportSettings()
    {
        return transportSettings;
    }

    /**
     * By which lengths messengers of this process choose the way of a message. Default: the file that the property
     * {@value MessageProfile#FILE_PROPERTY} names, else {@link MessageProfile#usual()}.
     *
     * @param value as read from a file.
     * @return this.
     */
    public NodeContext messageProfile(final MessageProfile value)
    {
        messageProfile = value;
        return this;
    }

    /**
     * As set by {@link #messageProfile(MessageProfile)}.
     *
     * @return the profile, null for the default; once the node is launched, the one in use.
     */
    public MessageProfile messageProfile()
    {
        return messageProfile;
    }

    /**
     * Most processes of the node at a time; counts for the process that founds it. Default 512.
     *
     * @param value number of processes.
     * @return this.
     */
    public NodeContext maxProcesses(final int value)
    {
        maxProcesses = value;
        return this;
    }

    /**
     * As set by {@link #maxProcesses(int)}.
     *
     * @return number of processes.
     */
    public int maxProcesses()
    {
        return maxProcesses;
    }

    /**
     * Most sending threads of the node at a time; counts for the process that founds it. Default 2,048. A thread counts
     * from its first message to its end; one more finds a {@link org.tallypost.mailbox.files.MailboxException} thrown.
     *
     * @param value number of threads.
     * @return this.
     */
    public NodeContext maxSendingThreads(final int value)
    {
        maxSendingThreads = value;
        return this;
    }

    /**
     * As set by {@link #maxSendingThreads(int)}.
     *
     * @return number of threads.
     */
    public int maxSendingThreads()
    {
        return maxSendingThreads;
    }

    /**
     * Receives what handlers throw, and what goes wrong beside a call. Called by any thread, of the node too, and should not
     * block. What it throws goes to the caller of the poll if a message handler has thrown; else it is printed to standard
     * error with what was told, and the threads of the node go on. Of a flood of errors of one kind four are told, and then
     * one in 5 s with the number of those that were left out; what message handlers throw is told each time. Default prints
     * the stack trace.
     *
     * @param value the handler.
     * @return this.
     */
    public NodeContext errorHandler(final ErrorHandler value)
    {
        errorHandler = value;
        return this;
    }

    /**
     * As set by {@link #errorHandler(ErrorHandler)}.
     *
     * @return the handler; once the node is launched, one that tells it to this handler and never throws.
     */
    public ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    /**
     * Whether the credit protocol checks its invariants at each step. Default false; costs time that grows with the
     * number of senders.
     *
     * @param value whether to check.
     * @return this.
     */
    public NodeContext checkInvariants(final boolean value)
    {
        checkInvariants = value;
        return this;
    }

    /**
     * As set by {@link #checkInvariants(boolean)}.
     *
     * @return whether to check.
     */
    public boolean checkInvariants()
    {
        return checkInvariants;
    }

    /**
     * Whether the last process to close removes the directory. Default false. A process that is proven to be dead is not
     * there any more, also if it died a moment ago.
     *
     * @param value whether to remove it.
     * @return this.
     */
    public NodeContext deleteOnClose(final boolean value)
    {
        deleteOnClose = value;
        return this;
    }

    /**
     * As set by {@link #deleteOnClose(boolean)}.
     *
     * @return whether to remove it.
     */
    public boolean deleteOnClose()
    {
        return deleteOnClose;
    }

    /**
     * Checks the values and fills in what depends on others. Done once, by {@link Node#launch}.
     *
     * @throws IllegalArgumentException that names the value, found and expected.
     * @throws IllegalStateException if this was done before.
     */
    public void conclude()
    {
        if (concluded)
        {
            throw new IllegalStateException("context is in use already: make a new one for each node");
        }
        if (directory == null)
        {
            throw new IllegalArgumentException("directory is not set: choose one, such as /dev/shm/my-group");
        }
        if (directory.getPath().isEmpty())
        {
            // the system would take it for the working directory
            throw new IllegalArgumentException(
                "directory has no name: found=\"\", expected one such as /dev/shm/my-group, or \".\" for the working directory");
        }
        Checks.isSet("groupName", groupName);
        Checks.isSet("flow", flow);
        Checks.isSet("creditReturn", creditReturn);
        Checks.isSet("stealPolicy", stealPolicy);
        Checks.isSet("idle", idle);
        Checks.isSet("transportSettings", transportSettings);
        Checks.isSet("errorHandler", errorHandler);
        final int nameLength = groupName.getBytes(StandardCharsets.UTF_8).length;
        Checks.range("groupName length", nameLength, 1, GroupDescriptor.MAX_NAME_LENGTH);
        Checks.range("rankCount", rankCount, 1, MailboxDescriptor.MAX_SOURCES);
        Checks.range("creditSlots", creditSlots, 1, MailboxDescriptor.MAX_RING_SLOTS / 2);
        Checks.range("slotsPerSender", slotsPerSender, 2, MailboxDescriptor.MAX_RING_SLOTS);
        Checks.atLeast("slotsPerSender for creditSlots=" + creditSlots, slotsPerSender, 2L * creditSlots);
        Checks.range("livenessIntervalNs", livenessIntervalNs, MIN_LIVENESS_INTERVAL_NS, Long.MAX_VALUE);
        Checks.range("maxProcesses", maxProcesses, 1, 1 << 20);
        Checks.range("maxSendingThreads", maxSendingThreads, 1, 1 << 22);
        idle.check();
        final long needed = neededSlots();
        Checks.range("slots of a mailbox (rankCount x slotsPerSender)", needed, 1, MailboxDescriptor.MAX_RING_SLOTS);
        if (ringSlots == 0)
        {
            ringSlots = Math.max(MailboxDescriptor.MIN_RING_SLOTS, BitUtil.findNextPositivePowerOfTwo((int)needed));
        }
        Checks.rangeBesideZero("ringSlots", ringSlots, flow == Flow.NONE ? MailboxDescriptor.MIN_RING_SLOTS : needed,
            MailboxDescriptor.MAX_RING_SLOTS, "what rankCount and slotsPerSender need");
        if (!BitUtil.isPowerOfTwo(ringSlots))
        {
            throw new IllegalArgumentException("ringSlots is no power of two: found=" + ringSlots + ", expected=" +
                BitUtil.findNextPositivePowerOfTwo(ringSlots));
        }
        messageProfile = messageProfile == null ? MessageProfile.ofProperty() : messageProfile;
        RingShapes.concludeLanes(this);
        RingShapes.checkHighRings(this);
        concludeTransport();
        concluded = true;
    }

    @Override
    public boolean isFlowDynamic()
    {
        return flow == Flow.DYNAMIC;
    }

    /**
     * Most slots that a run may ever take: what one sender can have credits for.
     *
     * @return number of slots of 64 bytes; once the node is launched.
     */
    public int longestRunSlots()
    {
        final int quota = slotsPerSender - creditSlots;
        switch (flow)
        {
            case STATIC:
                return quota;
            case DYNAMIC:
                return quota * rankCount - creditSlots * (rankCount - 1);
            default:
                return ringSlots >> 1;
        }
    }

    private void concludeTransport()
    {
        if (transport == null)
        {
            return;
        }
        final RankMap map = transport.rankMap();
        if (map.rankCount() != rankCount)
        {
            throw new IllegalArgumentException("rankCount does not fit the nodes: found=" + rankCount + ", expected=" +
                map.rankCount() + ", nodes and ranks=" + map);
        }
        Checks.range("node", transport.node(), 0, map.nodeCount() - 1);
        Checks.range("rankCount and nodes", (long)rankCount + map.nodeCount(), 1, MailboxDescriptor.MAX_SOURCES);
        if (flow == Flow.NONE || creditReturn != CreditReturn.DIRECT)
        {
            throw new IllegalArgumentException("between nodes credits bound what is under way: found flow=" + flow +
                ", creditReturn=" + creditReturn + ", expected flow STATIC or DYNAMIC and creditReturn DIRECT");
        }
        transportSettings.check();
        Checks.range("bytes of the pairs of this node", RemoteDescriptor.fileLength(rankCount,
            map.rankCount(transport.node()), map.nodeCount()), 1, Integer.MAX_VALUE);
        transport.conclude(this);
    }

    /** The settings by the names of the options, in one line: as they hold, once a node has been launched with them. */
    @Override
    public String toString()
    {
        return SettingsText.of(this, concluded);
    }

    private long neededSlots()
    {
        final long credited = (long)rankCount * slotsPerSender;
        return flow == Flow.NONE ? Math.max(credited, 4L * rankCount * PacketDescriptor.RUN_SLOTS) : credited;
    }
}
