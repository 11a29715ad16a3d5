// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.nio.charset.StandardCharsets;
import org.agrona.BitUtil;
import org.agrona.ErrorHandler;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.mailbox.LaneDescriptor;
import org.tallypost.mailbox.MailboxDescriptor;

/**
 * The values of a {@link Node.Context}, their defaults, and what they have to satisfy.
 */
public abstract class NodeSettings
{
    /** All lanes of a mailbox have as many slots together as its ring, up to so many, or a share of a larger ring, up to more. */
    private static final int LANES_OF_SMALL_RING = 1024;
    private static final int LANES_OF_LARGE_RING = 4096;
    private static final int LARGE_RING_SHIFT = 2;

    static final long MIN_LIVENESS_INTERVAL_NS = 1_000_000;

    File directory;
    String groupName = "tallypost";
    int rankCount;
    int slotsPerSender = 64;
    int creditSlots = 2;
    Flow flow = Flow.DYNAMIC;
    Carrier carrier = Carrier.DIRECT;
    boolean piggyback;
    StealPolicy stealPolicy = StealPolicy.IDLE_FIRST;
    int ringSlots;
    int expressLanes = LaneDescriptor.MAX_LANES;
    int laneSlots;
    long livenessIntervalNs = 1_000_000_000L;
    boolean livenessThread = true;
    IdleSettings idle = new IdleSettings();
    Transport transport;
    TransportSettings transportSettings = new TransportSettings();
    int maxProcesses = 512;
    int maxSendingThreads = 2048;
    ErrorHandler errorHandler = Throwable::printStackTrace;
    boolean checkInvariants;
    boolean deleteOnClose;
    /** Null until this is concluded. */
    private GuardedErrorHandler errors;
    private boolean concluded;

    NodeSettings()
    {
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
        checkSet("groupName", groupName);
        checkSet("flow", flow);
        checkSet("carrier", carrier);
        checkSet("stealPolicy", stealPolicy);
        checkSet("idle", idle);
        checkSet("transportSettings", transportSettings);
        checkSet("errorHandler", errorHandler);
        final int nameLength = groupName.getBytes(StandardCharsets.UTF_8).length;
        check("groupName length", nameLength, 1, GroupDescriptor.MAX_NAME_LENGTH);
        check("rankCount", rankCount, 1, MailboxDescriptor.MAX_SOURCES);
        check("creditSlots", creditSlots, 1, MailboxDescriptor.MAX_RING_SLOTS / 2);
        check("slotsPerSender", slotsPerSender, 2L * creditSlots, MailboxDescriptor.MAX_RING_SLOTS);
        check("livenessIntervalNs", livenessIntervalNs, MIN_LIVENESS_INTERVAL_NS, Long.MAX_VALUE);
        check("maxProcesses", maxProcesses, 1, 1 << 20);
        check("maxSendingThreads", maxSendingThreads, 1, 1 << 22);
        idle.check();
        final long needed = neededSlots();
        check("slots of a mailbox (rankCount x slotsPerSender)", needed, 1, MailboxDescriptor.MAX_RING_SLOTS);
        if (ringSlots == 0)
        {
            ringSlots = Math.max(MailboxDescriptor.MIN_RING_SLOTS, BitUtil.findNextPositivePowerOfTwo((int)needed));
        }
        check("ringSlots", ringSlots, flow == Flow.NONE ? MailboxDescriptor.MIN_RING_SLOTS : needed,
            MailboxDescriptor.MAX_RING_SLOTS);
        if (!BitUtil.isPowerOfTwo(ringSlots))
        {
            throw new IllegalArgumentException("ringSlots is no power of two: found=" + ringSlots + ", expected=" +
                BitUtil.findNextPositivePowerOfTwo(ringSlots));
        }
        concludeLanes();
        concludeTransport();
        errors = GuardedErrorHandler.around(errorHandler);
        concluded = true;
    }

    /** Most slots that a run may ever take: all that one sender can have credits for. */
    final int longestRunSlots()
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

    /**
     * Credit packets keep to the ring: with them no lanes. Nor are there any for runs of one slot only, which in the ring holds
     * less than in a lane: whether a message is too long must not depend on who has a lane just now.
     */
    private void concludeLanes()
    {
        check("expressLanes", expressLanes, 0, LaneDescriptor.MAX_LANES);
        // one for each of the others: fewer lanes are longer ones, and to itself hardly anybody sends so much
        final int most = carrier == Carrier.PACKET || longestRunSlots() < 2 ? 0 : Math.max(1, rankCount - 1);
        expressLanes = Math.min(expressLanes, most);
        if (expressLanes == 0)
        {
            laneSlots = 0;
            return;
        }
        if (laneSlots == 0)
        {
            final int all = Math.max(
                Math.min(LANES_OF_SMALL_RING, ringSlots), Math.min(LANES_OF_LARGE_RING, ringSlots >> LARGE_RING_SHIFT));
            laneSlots = Math.max(LaneDescriptor.MIN_LANE_SLOTS, Integer.highestOneBit(all / expressLanes));
        }
        check("laneSlots", laneSlots, LaneDescriptor.MIN_LANE_SLOTS, LaneDescriptor.MAX_LANE_SLOTS);
        if (!BitUtil.isPowerOfTwo(laneSlots))
        {
            throw new IllegalArgumentException("laneSlots is no power of two: found=" + laneSlots + ", expected=" +
                BitUtil.findNextPositivePowerOfTwo(laneSlots));
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
        check("node", transport.node(), 0, map.nodeCount() - 1);
        check("rankCount and nodes", (long)rankCount + map.nodeCount(), 1, MailboxDescriptor.MAX_SOURCES);
        if (flow == Flow.NONE || carrier != Carrier.DIRECT)
        {
            throw new IllegalArgumentException("between nodes credits bound what is under way: found flow=" + flow +
                ", carrier=" + carrier + ", expected flow STATIC or DYNAMIC and carrier DIRECT");
        }
        transportSettings.check();
        check("bytes of the pairs of this node", RemoteDescriptor.fileLength(rankCount,
            map.rankCount(transport.node())), 1, Integer.MAX_VALUE);
        transport.conclude(this);
    }

    /** Directory, group and number of ranks, and whether a node has been launched with it. */
    @Override
    public String toString()
    {
        return "Context{directory=" + directory + ", group=" + groupName + ", ranks=" + rankCount +
            (concluded ? ", in use" : ", not in use") + "}";
    }

    private long neededSlots()
    {
        final long credited = (long)rankCount * slotsPerSender;
        return flow == Flow.NONE ? Math.max(credited, 4L * rankCount * PacketDescriptor.RUN_SLOTS) : credited;
    }

    static void checkSet(final String what, final Object found)
    {
        if (found == null)
        {
            throw new IllegalArgumentException(what + " is not set: found=null");
        }
    }

    /** The program's error handler behind a guard: what the runtime calls. Null until this is concluded. */
    final GuardedErrorHandler errors()
    {
        return errors;
    }

    static void check(final String what, final long found, final long least, final long most)
    {
        if (found < least || found > most)
        {
            throw new IllegalArgumentException(what + " out of range: found=" + found + ", expected=" + least + " to " + most);
        }
    }

    /**
     * As set by {@link Node.Context#directory(File)}.
     *
     * @return directory of the node.
     */
    public File directory()
    {
        return directory;
    }

    /**
     * As set by {@link Node.Context#groupName(String)}.
     *
     * @return name of the group.
     */
    public String groupName()
    {
        return groupName;
    }

    /**
     * As set by {@link Node.Context#rankCount(int)}.
     *
     * @return number of ranks.
     */
    public int rankCount()
    {
        return rankCount;
    }

    /**
     * As set by {@link Node.Context#slotsPerSender(int)}.
     *
     * @return slots for each sender.
     */
    public int slotsPerSender()
    {
        return slotsPerSender;
    }

    /**
     * As set by {@link Node.Context#creditSlots(int)}.
     *
     * @return k of the credit protocol.
     */
    public int creditSlots()
    {
        return creditSlots;
    }

    /**
     * As set by {@link Node.Context#flow(Flow)}.
     *
     * @return the flow control.
     */
    public Flow flow()
    {
        return flow;
    }

    /**
     * As set by {@link Node.Context#carrier(Carrier)}.
     *
     * @return the carrier of credits.
     */
    public Carrier carrier()
    {
        return carrier;
    }

    /**
     * As set by {@link Node.Context#piggyback(boolean)}.
     *
     * @return whether to piggyback.
     */
    public boolean piggyback()
    {
        return piggyback;
    }

    /**
     * As set by {@link Node.Context#stealPolicy(StealPolicy)}.
     *
     * @return the policy.
     */
    public StealPolicy stealPolicy()
    {
        return stealPolicy;
    }

    /**
     * As set by {@link Node.Context#ringSlots(int)}.
     *
     * @return slots of the ring; once the node is launched, what it has come to.
     */
    public int ringSlots()
    {
        return ringSlots;
    }

    /**
     * As set by {@link Node.Context#expressLanes(int)}.
     *
     * @return number of lanes in each mailbox; once the node is launched, what it has come to.
     */
    public int expressLanes()
    {
        return expressLanes;
    }

    /**
     * As set by {@link Node.Context#laneSlots(int)}.
     *
     * @return slots of each lane; once the node is launched, what it has come to.
     */
    public int laneSlots()
    {
        return laneSlots;
    }

    /**
     * As set by {@link Node.Context#livenessIntervalNs(long)}.
     *
     * @return the interval; once the node is launched, that of the process that founded it.
     */
    public long livenessIntervalNs()
    {
        return livenessIntervalNs;
    }

    /**
     * As set by {@link Node.Context#livenessThread(boolean)}.
     *
     * @return whether to start it.
     */
    public boolean livenessThread()
    {
        return livenessThread;
    }

    /**
     * As set by {@link Node.Context#idle(IdleSettings)}.
     *
     * @return the settings.
     */
    public IdleSettings idle()
    {
        return idle;
    }

    /**
     * As set by {@link Node.Context#transport(Transport)}.
     *
     * @return the transport, or null.
     */
    public Transport transport()
    {
        return transport;
    }

    /**
     * As set by {@link Node.Context#transportSettings(TransportSettings)}.
     *
     * @return the settings.
     */
    public TransportSettings transportSettings()
    {
        return transportSettings;
    }

    /**
     * As set by {@link Node.Context#maxProcesses(int)}.
     *
     * @return number of processes.
     */
    public int maxProcesses()
    {
        return maxProcesses;
    }

    /**
     * As set by {@link Node.Context#maxSendingThreads(int)}.
     *
     * @return number of threads.
     */
    public int maxSendingThreads()
    {
        return maxSendingThreads;
    }

    /**
     * As set by {@link Node.Context#errorHandler(ErrorHandler)}.
     *
     * @return the handler; once the node is launched, one that tells it to this handler and never throws.
     */
    public ErrorHandler errorHandler()
    {
        return errors == null ? errorHandler : errors;
    }

    /**
     * As set by {@link Node.Context#checkInvariants(boolean)}.
     *
     * @return whether to check.
     */
    public boolean checkInvariants()
    {
        return checkInvariants;
    }

    /**
     * As set by {@link Node.Context#deleteOnClose(boolean)}.
     *
     * @return whether to remove it.
     */
    public boolean deleteOnClose()
    {
        return deleteOnClose;
    }
}
