// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.function.IntSupplier;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.MessageListener;

/** How a rank does collectives. All ranks of a group set the same window, length of blocks and channel. For one thread. */
public final class CollectivesContext
{
    /** The channel for wake-ups, unless another one is set. */
    public static final int DEFAULT_CHANNEL = 0xE0;

    private static final int DEFAULT_BLOCK_LENGTH = 16 * 1024;
    private static final int DEFAULT_LOOKS = 200;
    /** More than the cache of a core, so that blocks have left it when they are used again. */
    private static final long USUAL_LENGTH_OF_BLOCKS = 4 << 20;

    private int channel = DEFAULT_CHANNEL;
    private int window;
    private int blockLength = DEFAULT_BLOCK_LENGTH;
    private int maxLooks = DEFAULT_LOOKS;
    private long joinTimeoutNs = 60_000_000_000L;
    private long multicastProbeNs = 1_000_000_000L;
    private MessageListener listener;
    private IntSupplier poller;
    private Algorithm algorithm;
    private AlgorithmBetweenNodes algorithmBetweenNodes;
    private CostProfile profile = CostProfile.usual();

    /** A context with the defaults. */
    public CollectivesContext()
    {
    }

    /**
     * Which channel of the endpoint is used to wake members that sleep. Default {@link #DEFAULT_CHANNEL}.
     *
     * @param value from 1 to {@link Channel#MAX_ID}.
     * @return this.
     */
    public CollectivesContext channel(final int value)
    {
        channel = value;
        return this;
    }

    /**
     * As set by {@link #channel(int)}.
     *
     * @return the channel.
     */
    public int channel()
    {
        return channel;
    }

    /**
     * How many steps a member may be ahead of the slowest one, and how many blocks it has. Long data move faster with many
     * blocks, which together are longer than the cache of a core. Default 0: as many as make at most 4 MiB with those of all
     * members, so 64 of 16 KiB for up to 4 members, and 4 for 64 and more; or 4 if there is no room for so many.
     *
     * @param value a power of two from 4 to 64, or 0.
     * @return this.
     */
    public CollectivesContext window(final int value)
    {
        window = value;
        return this;
    }

    /**
     * As set by {@link #window(int)}.
     *
     * @return the number of steps; 0 if it follows from the number of members.
     */
    public int window()
    {
        return window;
    }

    /** The window of a team of so many members. */
    int windowOf(final int members)
    {
        if (window != 0)
        {
            return window;
        }
        int found = ArenaDescriptor.MAX_WINDOW;
        while (found > ArenaDescriptor.MIN_WINDOW && (long)found * members * blockLength > USUAL_LENGTH_OF_BLOCKS)
        {
            found /= 2;
        }
        return found;
    }

    /**
     * Length of a block: how much a member shows in one step. Each member takes the window times this of the node's file system.
     * Default 16 KiB.
     *
     * @param value in bytes, a multiple of 128 of at least 16 for each member, at most 16 MiB.
     * @return this.
     */
    public CollectivesContext blockLength(final int value)
    {
        blockLength = value;
        return this;
    }

    /**
     * As set by {@link #blockLength(int)}.
     *
     * @return the length in bytes.
     */
    public int blockLength()
    {
        return blockLength;
    }

    /**
     * How many looks a thread takes before it yields the processor for 0.1 ms, and then goes to the endpoint's idle strategy.
     * Default 200, some microseconds. With more members than processors it is 0, whatever is set: then a look keeps another
     * member from its work. More looks pay only on processors that have nothing else to do.
     *
     * @param value at least 0.
     * @return this.
     */
    public CollectivesContext maxLooks(final int value)
    {
        maxLooks = value;
        return this;
    }

    /**
     * As set by {@link #maxLooks(int)}.
     *
     * @return the number of looks.
     */
    public int maxLooks()
    {
        return maxLooks;
    }

    /**
     * How long {@link Collectives#world()} waits for the other ranks. Default 60 s.
     *
     * @param value in nanoseconds, at least 1.
     * @return this.
     */
    public CollectivesContext joinTimeoutNs(final long value)
    {
        joinTimeoutNs = value;
        return this;
    }

    /**
     * As set by {@link #joinTimeoutNs(long)}.
     *
     * @return the time in nanoseconds.
     */
    public long joinTimeoutNs()
    {
        return joinTimeoutNs;
    }

    /**
     * How long the leaders of several nodes try, when the team of all ranks begins, to hear each other by the multicast of the
     * transport, if that has one. If one of them does not hear all others in this time nothing is sent by multicast. Default 1 s.
     *
     * @param value in nanoseconds, at least 1.
     * @return this.
     */
    public CollectivesContext multicastProbeNs(final long value)
    {
        multicastProbeNs = value;
        return this;
    }

    /**
     * As set by {@link #multicastProbeNs(long)}.
     *
     * @return the time in nanoseconds.
     */
    public long multicastProbeNs()
    {
        return multicastProbeNs;
    }

    /**
     * Gets the messages without a channel that come while this rank waits. Default null: they are left where they are until the
     * program polls. Then a waiting rank does not sleep, so a program with such messages sets a listener, or gives them a
     * channel.
     *
     * @param value the listener, or null.
     * @return this.
     */
    public CollectivesContext listener(final MessageListener value)
    {
        listener = value;
        return this;
    }

    /**
     * As set by {@link #listener(MessageListener)}.
     *
     * @return the listener, or null.
     */
    public MessageListener listener()
    {
        return listener;
    }

    /**
     * Polls the endpoint while this rank waits, instead of what the collectives do themselves: for a program that has more to do
     * than to poll, such as a messenger. Default null. It may not call a team, and is called by the thread that waits.
     *
     * @param value polls the endpoint, and returns how much was done, 0 for nothing; negative if the endpoint is closed. Or null.
     * @return this.
     */
    public CollectivesContext poller(final IntSupplier value)
    {
        poller = value;
        return this;
    }

    /**
     * As set by {@link #poller(IntSupplier)}.
     *
     * @return what polls the endpoint, or null.
     */
    public IntSupplier poller()
    {
        return poller;
    }

    /**
     * By which algorithm all operations go, as far as they and their buffers can; the same at all ranks. Default null: for each
     * the one that is taken for the best. {@link Operation#force} does it for one operation.
     *
     * @param value the algorithm, or null.
     * @return this.
     */
    public CollectivesContext algorithm(final Algorithm value)
    {
        algorithm = value;
        return this;
    }

    /**
     * As set by {@link #algorithm(Algorithm)}.
     *
     * @return the algorithm, or null.
     */
    public Algorithm algorithm()
    {
        return algorithm;
    }

    /**
     * By which algorithm all operations go between nodes, as far as they can: what rank 0 has set counts. Default null: for each
     * the one that is taken for the best by the profile of rank 0.
     *
     * @param value the algorithm, or null.
     * @return this.
     */
    public CollectivesContext algorithmBetweenNodes(final AlgorithmBetweenNodes value)
    {
        algorithmBetweenNodes = value;
        return this;
    }

    /**
     * As set by {@link #algorithmBetweenNodes(AlgorithmBetweenNodes)}.
     *
     * @return the algorithm, or null.
     */
    public AlgorithmBetweenNodes algorithmBetweenNodes()
    {
        return algorithmBetweenNodes;
    }

    /**
     * What moving and reducing data costs here: by it the first rank chooses the algorithms, for all ranks. Default
     * {@link CostProfile#usual()}. {@code tallypost calibrate collectives} measures another one.
     *
     * @param value the profile.
     * @return this.
     */
    public CollectivesContext profile(final CostProfile value)
    {
        profile = value;
        return this;
    }

    /**
     * As set by {@link #profile(CostProfile)}.
     *
     * @return the profile.
     */
    public CostProfile profile()
    {
        return profile;
    }

    void check(final int members)
    {
        Checks.range("channel", channel, 1, Channel.MAX_ID);
        Checks.isSet("profile", profile);
        Checks.atLeast("maxLooks", maxLooks, 0);
        Checks.atLeast("joinTimeoutNs", joinTimeoutNs, 1);
        Checks.atLeast("multicastProbeNs", multicastProbeNs, 1);
        if (!ArenaDescriptor.isValid(members, windowOf(members), blockLength))
        {
            throw new IllegalArgumentException("no such arena: found members=" + members + ", " + this +
                ", expected members=1 to " + ArenaDescriptor.MAX_MEMBERS + ", window=0 or a power of two from " +
                ArenaDescriptor.MIN_WINDOW + " to " + ArenaDescriptor.MAX_WINDOW + ", blockLength=a multiple of " +
                ArenaDescriptor.LINE_LENGTH + " of at least " + ArenaDescriptor.MIN_SHARE_LENGTH +
                " bytes for each member, and less than 2 GiB in all");
        }
    }

    /** The settings. */
    @Override
    public String toString()
    {
        return "CollectivesContext{channel=" + channel + ", window=" + window + ", blockLength=" + blockLength + ", maxLooks=" +
            maxLooks + ", joinTimeoutNs=" + joinTimeoutNs + ", multicastProbeNs=" + multicastProbeNs + ", listener=" +
            listener + ", poller=" + poller + ", algorithm=" + algorithm + ", algorithmBetweenNodes=" + algorithmBetweenNodes +
            ", profile=" + profile + "}";
    }
}
