// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.MessageProfile;
import org.tallypost.messaging.internal.checks.Checks;
import org.tallypost.messaging.internal.matching.CellMemory;
import org.tallypost.messaging.internal.window.ReceiveWindow;
import org.tallypost.messaging.internal.wire.MessageKind;
import org.tallypost.messaging.internal.wire.StagingDescriptor;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * How a messenger is set up. Setters return the context; {@link Messenger#launch} concludes it.
 */
public final class MessengerContext
{
    /** Shortest staging memory in bytes, if there is any: 64 KiB. */
    public static final int MIN_STAGING_LENGTH = StagingDescriptor.MIN_LENGTH;
    private static final int DEFAULT_BULK_LENGTH = 65_536;

    private Endpoint endpoint;
    private int rankCount;
    private int firstChannel = 0xF0;
    private int maxRequests = 65_536;
    private final RankLimits eager = new RankLimits("eagerLimit", 0, Endpoint.MAX_RUN_LENGTH, Endpoint.MAX_RUN_LENGTH);
    private final RankLimits bulk = new RankLimits("bulkLength", 1, Integer.MAX_VALUE, DEFAULT_BULK_LENGTH);
    private int eagerWindow = 65_536;
    private int announcements = 1_024;
    private int pollLimit = 64;
    private MessageListener otherMessages;
    private final MemorySettings memory = new MemorySettings();
    /** By which lengths a way is chosen; concluded from the endpoint's node. */
    private MessageProfile profile = MessageProfile.usual();
    private boolean isConcluded;

    /** A context with the defaults; {@link #endpoint} and {@link #rankCount} have to be set. */
    public MessengerContext()
    {
    }

    /**
     * The endpoint that messages go by. Nobody else polls it.
     *
     * @param value endpoint.
     * @return this.
     */
    public MessengerContext endpoint(final Endpoint value)
    {
        endpoint = value;
        return this;
    }

    /**
     * As set by {@link #endpoint(Endpoint)}.
     *
     * @return the endpoint.
     */
    public Endpoint endpoint()
    {
        return endpoint;
    }

    /**
     * Number of ranks in the group of the endpoint.
     *
     * @param value as {@link org.tallypost.endpoint.NodeContext#rankCount()}.
     * @return this.
     */
    public MessengerContext rankCount(final int value)
    {
        rankCount = value;
        return this;
    }

    /**
     * As set by {@link #rankCount(int)}.
     *
     * @return number of ranks.
     */
    public int rankCount()
    {
        return rankCount;
    }

    /**
     * The first one of 16 channels of the endpoint that messengers take, the same in all processes. Default 240.
     *
     * @param value from 1 to 240.
     * @return this.
     */
    public MessengerContext firstChannel(final int value)
    {
        firstChannel = value;
        return this;
    }

    /**
     * As set by {@link #firstChannel(int)}.
     *
     * @return number of the channel.
     */
    public int firstChannel()
    {
        return firstChannel;
    }

    /**
     * Most receives that may be active, and most sends that may wait for an answer. Default 65,536.
     *
     * @param value from 1 to 2^24.
     * @return this.
     */
    public MessengerContext maxRequests(final int value)
    {
        maxRequests = value;
        return this;
    }

    /**
     * As set by {@link #maxRequests(int)}.
     *
     * @return number of requests.
     */
    public int maxRequests()
    {
        return maxRequests;
    }

    /**
     * Longest message that goes with its bytes before it is matched. Longer ones are announced, and go when there is a receive
     * for them. Default as {@link Endpoint#messageProfile()} of the endpoint says, 2,048 bytes unless something else was
     * measured. With a limit that is set, all longer messages in a region are read there.
     *
     * @param value in bytes, from 0 to {@link Endpoint#MAX_RUN_LENGTH}.
     * @return this.
     */
    public MessengerContext eagerLimit(final int value)
    {
        eager.set(value);
        return this;
    }

    /**
     * As set by {@link #eagerLimit(int)}.
     *
     * @return in bytes.
     */
    public int eagerLimit()
    {
        return eager.ofAll();
    }

    /**
     * As {@link #eagerLimit(int)}, for messages to one rank. {@link #rankCount} has to be set before.
     *
     * @param rank  of the receiver, in the group of the endpoint.
     * @param value in bytes, from 0 to {@link Endpoint#MAX_RUN_LENGTH}.
     * @return this.
     * @throws IllegalArgumentException if there is no such rank, or no such limit.
     */
    public MessengerContext eagerLimit(final int rank, final int value)
    {
        eager.set(rank, rankCount, value);
        return this;
    }

    /**
     * The limit that counts for a rank.
     *
     * @param rank of the receiver, in the group of the endpoint.
     * @return in bytes.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public int eagerLimitOf(final int rank)
    {
        Checks.range("rank", rank, 0, rankCount - 1);
        return limitOf(rank);
    }

    /** The same, of a rank that was checked. */
    int limitOf(final int rank)
    {
        return eager.of(rank);
    }

    /** Whether a message of this length that lies in a region goes faster with its bytes, or announced, than read there. */
    boolean isFasterByMailbox(final int rank, final int length)
    {
        if (eager.isSetFor(rank))
        {
            return length <= limitOf(rank);
        }
        return length < profile.regionLength();
    }

    /** From which length on private memory is read by a system call. */
    int crossLength()
    {
        return profile.crossLength();
    }

    /**
     * Memory that each sender may fill with short messages that no receive was there for. Default 65,536 bytes.
     *
     * @param value in bytes, from 4,096 to 2^30. A message counts 64 bytes, and 64 for each 60 of its length.
     * @return this.
     */
    public MessengerContext eagerWindow(final int value)
    {
        eagerWindow = value;
        return this;
    }

    /**
     * As set by {@link #eagerWindow(int)}.
     *
     * @return in bytes.
     */
    public int eagerWindow()
    {
        return eagerWindow;
    }

    /**
     * Announcements that each sender may have here without a receive for them. Default 1,024.
     *
     * @param value from 16 to 2^24.
     * @return this.
     */
    public MessengerContext announcements(final int value)
    {
        announcements = value;
        return this;
    }

    /**
     * As set by {@link #announcements(int)}.
     *
     * @return number of announcements.
     */
    public int announcements()
    {
        return announcements;
    }

    /**
     * Most packets that one {@link Messenger#doWork()} takes from the endpoint. Default 64.
     *
     * @param value at least 1.
     * @return this.
     */
    public MessengerContext pollLimit(final int value)
    {
        pollLimit = value;
        return this;
    }

    /**
     * As set by {@link #pollLimit(int)}.
     *
     * @return number of packets.
     */
    public int pollLimit()
    {
        return pollLimit;
    }

    /**
     * Gets the messages of the endpoint that are for no channel. By default they are counted as refused.
     *
     * @param value listener, null for none.
     * @return this.
     */
    public MessengerContext otherMessages(final MessageListener value)
    {
        otherMessages = value;
        return this;
    }

    /**
     * As set by {@link #otherMessages(MessageListener)}.
     *
     * @return the listener, null if there is none.
     */
    public MessageListener otherMessages()
    {
        return otherMessages;
    }

    /**
     * Memory of the endpoint's rank. With it, long messages that lie in a region of it are copied once, by their receiver, and
     * loans can be sent and received. Receivers of other nodes read such messages by the bulk stream, if there is one. None by
     * default. The thread of the messenger is the one that registers and lends, and that uses regions of other nodes.
     *
     * @param value memory, to be closed after the messenger; null for none.
     * @return this.
     */
    public MessengerContext regionMemory(final RegionMemory value)
    {
        memory.regionMemory = value;
        return this;
    }

    /**
     * As set by {@link #regionMemory(RegionMemory)}.
     *
     * @return the memory, null if there is none.
     */
    public RegionMemory regionMemory()
    {
        return memory.regionMemory;
    }

    /**
     * Whether receivers of the node may read long messages out of the memory of this process, and this messenger those of others
     * out of theirs: one copy, made by the kernel, for messages between buffers off the heap that lie in no region, of 64 KiB
     * and more, or from the length on that {@link Endpoint#messageProfile()} says. Both sides have to say so. Off by default:
     * the way through the mailbox needs no right to read another process, and has two cores at work. It needs
     * {@link org.tallypost.messaging.rma.CrossMemory}.
     *
     * @param value true if so.
     * @return this.
     */
    public MessengerContext crossMemory(final boolean value)
    {
        memory.crossMemory = value;
        return this;
    }

    /**
     * As set by {@link #crossMemory(boolean)}.
     *
     * @return true if so.
     */
    public boolean crossMemory()
    {
        return memory.crossMemory;
    }

    /**
     * Memory of this rank for copies of messages of 8 to 256 KiB that lie in no region, to ranks of this node. The receiver
     * reads the copy at once, where by the mailbox it handles runs of 2 KiB each, and waits for them. It is a part of {@link
     * #regionMemory}, made as it is first needed, and kept. If all ranks are of one node, longer messages, and those from 64 KiB
     * on that find no room, go into the receiver's {@link #stagingLength}, if that has a copy room too. All else takes the
     * mailbox. Copies take at most a quarter of the memory's entries, one each.
     *
     * @param value in bytes, 0 to 1 GiB; default 0, none.
     * @return this.
     */
    public MessengerContext copyRoom(final int value)
    {
        memory.copyRoom = value;
        return this;
    }

    /**
     * As set by {@link #copyRoom(int)}.
     *
     * @return in bytes.
     */
    public int copyRoom()
    {
        return memory.copyRoom;
    }

    /**
     * Memory of this rank that long messages of ranks of other nodes come into by the bulk stream, if they lie in no region of
     * their sender; on one node those that {@link #copyRoom} speaks of. It is a part of {@link #regionMemory}, made in up to 8
     * staging areas as they are first needed, and kept. So many messages come at the same time; ranks take turns. Default 2
     * MiB, 4 areas. What finds no area, and what comes to a messenger without region memory, takes the stream of messages.
     *
     * @param value in bytes, {@link #MIN_STAGING_LENGTH} to 1 GiB, or 0 for none.
     * @return this.
     */
    public MessengerContext stagingLength(final int value)
    {
        memory.stagingLength = value;
        return this;
    }

    /**
     * As set by {@link #stagingLength(int)}.
     *
     * @return in bytes.
     */
    public int stagingLength()
    {
        return memory.stagingLength;
    }

    /**
     * From which length on an announced message of private memory goes to ranks of other nodes by the bulk stream. Each side has
     * its limit: the receiver offers a staging area, and the sender uses it. Both need a {@link #regionMemory}. Default 64 KiB.
     *
     * @param value in bytes, 1 or more; {@link Integer#MAX_VALUE} for never.
     * @return this.
     */
    public MessengerContext bulkLength(final int value)
    {
        bulk.set(value);
        return this;
    }

    /**
     * As set by {@link #bulkLength(int)}.
     *
     * @return in bytes.
     */
    public int bulkLength()
    {
        return bulk.ofAll();
    }

    /**
     * As {@link #bulkLength(int)}, for messages to and from one rank. {@link #rankCount} has to be set before.
     *
     * @param rank  the other one, in the group of the endpoint.
     * @param value in bytes, 1 or more.
     * @return this.
     * @throws IllegalArgumentException if there is no such rank, or no such length.
     */
    public MessengerContext bulkLength(final int rank, final int value)
    {
        bulk.set(rank, rankCount, value);
        return this;
    }

    /**
     * The length that counts for a rank.
     *
     * @param rank the other one, in the group of the endpoint.
     * @return in bytes.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public int bulkLengthOf(final int rank)
    {
        Checks.range("rank", rank, 0, rankCount - 1);
        return bulkLimit(rank);
    }

    /** The same, of a rank that was checked. */
    int bulkLimit(final int rank)
    {
        return bulk.of(rank);
    }

    /**
     * The promise: most bytes that messages of all senders take here as long as no receive was there for them, whatever the
     * senders do. For n senders n x (eagerWindow + 64 x announcements). The messenger's sends to itself count as one sender more,
     * with 64 x maxRequests for those that are announced. What {@link Messenger#matchedProbe} has taken from a sender that is
     * gone comes on top of it, as long as the program holds it.
     *
     * @return in bytes.
     */
    public long maxUnexpectedBytes()
    {
        return (long)rankCount * eagerWindow + (rankCount - 1L) * announcements * CellMemory.CELL_LENGTH +
            (long)maxRequests * CellMemory.CELL_LENGTH;
    }

    /**
     * Checks all settings, and that the group of the endpoint has as many ranks.
     *
     * @throws IllegalArgumentException that names found and expected.
     */
    public void conclude()
    {
        if (endpoint == null)
        {
            throw new IllegalArgumentException("endpoint is not set");
        }
        profile = endpoint.messageProfile();
        Checks.range("firstChannel", firstChannel, 1, Channel.MAX_ID + 1 - MessageKind.COUNT);
        Checks.range("maxRequests", maxRequests, 1, 1 << 24);
        Checks.range("eagerWindow", eagerWindow, ReceiveWindow.FIRST_BYTES, 1 << 30);
        Checks.range("announcements", announcements, ReceiveWindow.FIRST_ANNOUNCEMENTS, 1 << 24);
        Checks.range("pollLimit", pollLimit, 1, Integer.MAX_VALUE);
        Checks.range("rankCount", rankCount, endpoint.rank() + 1, 1 << 20);
        if (!hasRank(rankCount - 1) || hasRank(rankCount))
        {
            throw new IllegalArgumentException("rankCount is not that of the endpoint's group: found=" + rankCount +
                ", expected=NodeContext.rankCount of its node");
        }
        eager.conclude(profile.eagerLimit(), rankCount);
        bulk.conclude(DEFAULT_BULK_LENGTH, rankCount);
        memory.check(endpoint);
        isConcluded = true;
    }

    private boolean hasRank(final int rank)
    {
        try
        {
            endpoint.rankState(rank);
            return true;
        }
        catch (final IllegalArgumentException ex)
        {
            return false;
        }
    }

    /** The settings in effect. */
    @Override
    public String toString()
    {
        return "MessengerContext{endpoint=" + endpoint + ", rankCount=" + rankCount + ", firstChannel=" + firstChannel +
            ", maxRequests=" + maxRequests + ", eagerLimit=" + eager.ofAll() + ", eagerLimitsOfRanks=" + eager.hasRanks() +
            ", eagerWindow=" + eagerWindow + ", announcements=" + announcements + ", pollLimit=" + pollLimit +
            ", otherMessages=" + (otherMessages != null) + memory +
            ", bulkLength=" + bulk.ofAll() +
            ", bulkLengthsOfRanks=" + bulk.hasRanks() +
            ", maxUnexpectedBytes=" + maxUnexpectedBytes() +
            (isConcluded ? "}" : ", not concluded}");
    }
}
