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
        final int nameLength = groupName.getBytes(StandardCharsets.UTF_8).length;
        check("groupName length", nameLength, 1, GroupDescriptor.MAX_NAME_LENGTH);
        check("rankCount", rankCount, 1, MailboxDescriptor.MAX_SOURCES);
        check("creditSlots", creditSlots, 1, MailboxDescriptor.MAX_RING_SLOTS / 2);
        check("slotsPerSender", slotsPerSender, 2L * creditSlots, MailboxDescriptor.MAX_RING_SLOTS);
        check("livenessIntervalNs", livenessIntervalNs, 1_000_000, Long.MAX_VALUE);
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

    private long neededSlots()
    {
        final long credited = (long)rankCount * slotsPerSender;
        return flow == Flow.NONE ? Math.max(credited, 4L * rankCount * PacketDescriptor.RUN_SLOTS) : credited;
    }

    static void check(final String what, final long found, final long least, final long most)
    {
        if (found < least || found > most)
        {
            throw new IllegalArgumentException(what + " out of range: found=" + found + ", expected=" + least + " to " + most);
        }
    }

    /**
     * Directory of the node's files, best on a memory file system such as /dev/shm. Made with mode 0700 if it is not
     * there.
     *
     * @return directory of the node.
     */
    public File directory()
    {
        return directory;
    }

    /**
     * Name of the group, at most 64 bytes of UTF-8 (group). Default "tallypost".
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
     * @return number of ranks.
     */
    public int rankCount()
    {
        return rankCount;
    }

    /**
     * Slots of 64 bytes in each mailbox for each sender, credit slots included (group). Default 64; at least twice
     * the credit slots.
     *
     * @return slots for each sender.
     */
    public int slotsPerSender()
    {
        return slotsPerSender;
    }

    /**
     * Slots of these that a sender always keeps, and in which credit packets come back (group). Default 2.
     *
     * @return k of the credit protocol.
     */
    public int creditSlots()
    {
        return creditSlots;
    }

    /**
     * How slots are given to senders (group). Default {@link Flow#DYNAMIC}.
     *
     * @return the flow control.
     */
    public Flow flow()
    {
        return flow;
    }

    /**
     * How credits come back (group). Default {@link Carrier#DIRECT}.
     *
     * @return the carrier of credits.
     */
    public Carrier carrier()
    {
        return carrier;
    }

    /**
     * Whether data packets carry credits too, with {@link Carrier#PACKET} (group). Default false.
     *
     * @return whether to piggyback.
     */
    public boolean piggyback()
    {
        return piggyback;
    }

    /**
     * Whose slots busy senders get under {@link Flow#DYNAMIC}. Default {@link StealPolicy#IDLE_FIRST}; the thesis's rule is
     * {@link StealPolicy#MONITORED}.
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
     * @return slots of the ring, or 0.
     */
    public int ringSlots()
    {
        return ringSlots;
    }

    /**
     * Express lanes of this process's mailboxes: each a small ring for one sending thread that sends much, without a locked
     * instruction per message. Default 4, or the number of ranks if that is less; none with {@link Carrier#PACKET}.
     *
     * @return number of lanes in each mailbox.
     */
    public int expressLanes()
    {
        return expressLanes;
    }

    /**
     * Slots of an express lane, a power of two, memory beside the ring. Default 0: one quarter of the
     * ring, from 8 to 256; of a large ring one sixteenth, up to 1,024.
     *
     * @return slots of each lane, or 0.
     */
    public int laneSlots()
    {
        return laneSlots;
    }

    /**
     * Longest time in nanoseconds after which the death of a process is noticed. Default 1 s.
     *
     * @return the interval.
     */
    public long livenessIntervalNs()
    {
        return livenessIntervalNs;
    }

    /**
     * Whether a thread of the node watches over the others. Default true; else call {@link Node#checkLiveness()}.
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
     * @return the settings.
     */
    public IdleSettings idle()
    {
        return idle;
    }

    /**
     * Carries packets to the other nodes of the group. Default null: there is one node.
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
     * @return the settings.
     */
    public TransportSettings transportSettings()
    {
        return transportSettings;
    }

    /**
     * Most processes of the node at a time; counts for the process that founds it. Default 512.
     *
     * @return number of processes.
     */
    public int maxProcesses()
    {
        return maxProcesses;
    }

    /**
     * Most sending threads of the node at a time; counts for the process that founds it. Default 2,048.
     *
     * @return number of threads.
     */
    public int maxSendingThreads()
    {
        return maxSendingThreads;
    }

    /**
     * Receives what handlers throw, and what goes wrong beside a call. Default prints the stack trace.
     *
     * @return the handler.
     */
    public ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    /**
     * Whether the credit protocol checks its invariants at each step. Default false; costs time that grows with the
     * number of senders.
     *
     * @return whether to check.
     */
    public boolean checkInvariants()
    {
        return checkInvariants;
    }

    /**
     * Whether the last process to close removes the directory. Default false.
     *
     * @return whether to remove it.
     */
    public boolean deleteOnClose()
    {
        return deleteOnClose;
    }
}
