// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import static org.tallypost.endpoint.internal.layout.GroupDescriptor.STATE_OPEN;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.mailbox.process.ClaimsUnderWay;
import org.tallypost.mailbox.process.Registry;

/**
 * Ranks of this node as other nodes are told of them. What a rank has sent to other nodes goes out before they are told
 * that it is closed. For the transport's thread.
 *
 * <pre>
 *              opened            closed or gone             claims of its process over     all is drained
 *   ABSENT -------------&gt; OPEN ---------------&gt; CLOSING --------------------&gt; DRAINING ----------&gt; ABSENT
 *          lines of its pairs         lines := closed            ends := write positions
 * </pre>
 */
final class LocalRanks
{
    private static final byte ABSENT = 0;
    private static final byte OPEN = 1;
    private static final byte CLOSING = 2;
    private static final byte DRAINING = 3;

    private final Group group;
    private final Registry registry;
    private final RemoteNodes nodes;
    /** Of all rings to other nodes, of either priority. */
    private final RingDrain[] drains;
    private final int[] ranks;
    private final byte[] phases;
    private final int[] epochs;
    private final int[] owners;
    private final int[] incarnations;
    private final long[][] drainEnds;
    private final ClaimsUnderWay[] claims;
    private long seenVersion;
    private boolean isPending = true;

    /**
     * None is open.
     *
     * @param ofNodes consumers of the rings to other nodes.
     * @param ofHigh  of the high ones, null if there are no priorities.
     */
    LocalRanks(final NodeRuntime node, final RingDrain[] ofNodes, final RingDrain[] ofHigh)
    {
        group = node.group();
        registry = node.registry();
        nodes = node.remote();
        drains = Stream.concat(Arrays.stream(ofNodes), ofHigh == null ? Stream.empty() : Arrays.stream(ofHigh))
            .filter(Objects::nonNull).toArray(RingDrain[]::new);
        ranks = nodes.localRanks();
        phases = new byte[ranks.length];
        epochs = new int[ranks.length];
        owners = new int[ranks.length];
        incarnations = new int[ranks.length];
        drainEnds = new long[ranks.length][drains.length];
        claims = new ClaimsUnderWay[ranks.length];
    }

    /** Hears of what happens to ranks of this node. */
    interface Listener
    {
        /**
         * A rank is open from now on.
         *
         * @return false if it closes at this moment: then it is not, and is looked at again.
         */
        boolean onLocalOpen(int local, int epoch);

        /** A rank sends nothing any more; what it has sent is not drained yet. */
        void onLocalClosing(int local);

        /** All that a rank has sent is drained. */
        void onLocalDrained(int local, int epoch);
    }

    int poll(final Listener listener)
    {
        final long version = registry.membershipVersion();
        if (version == seenVersion && !isPending)
        {
            return 0;
        }
        seenVersion = version;
        isPending = false;
        int work = 0;
        for (int i = 0; i < ranks.length; i++)
        {
            final byte before = phases[i];
            step(i, listener);
            isPending |= phases[i] == CLOSING || phases[i] == DRAINING;
            work += before == phases[i] ? 0 : 1;
        }
        return work;
    }

    private void step(final int i, final Listener listener)
    {
        final int local = ranks[i];
        final long word = group.rankWordAcquire(local);
        if (phases[i] == OPEN && word != GroupDescriptor.rankWord(epochs[i], STATE_OPEN))
        {
            nodes.closeLines(local);
            phases[i] = CLOSING;
            listener.onLocalClosing(local);
        }
        if (phases[i] == CLOSING && isClaimedBefore(i))
        {
            for (int ring = 0; ring < drains.length; ring++)
            {
                drainEnds[i][ring] = drains[ring].writePosition();
            }
            phases[i] = DRAINING;
        }
        if (phases[i] == DRAINING && isDrained(i))
        {
            phases[i] = ABSENT;
            listener.onLocalDrained(local, epochs[i]);
        }
        if (phases[i] == ABSENT && GroupDescriptor.state(word) == STATE_OPEN && group.isOwnerLive(local, registry))
        {
            epochs[i] = GroupDescriptor.epoch(word);
            owners[i] = group.ownerProcess(local);
            incarnations[i] = group.ownerIncarnation(local);
            phases[i] = OPEN;
            if (!listener.onLocalOpen(local, epochs[i]))
            {
                phases[i] = ABSENT;
                isPending = true;
            }
        }
    }

    /** Whether all claims in the rings are over that the rank's process had under way when the rank was closed. */
    private boolean isClaimedBefore(final int i)
    {
        if (claims[i] == null)
        {
            // the look comes behind the stores that closed the lines
            VarHandle.fullFence();
            claims[i] = new ClaimsUnderWay(registry);
            for (final RingDrain drain : drains)
            {
                claims[i].note(drain.claimKey(), owners[i], incarnations[i]);
            }
        }
        if (!claims[i].isOver())
        {
            return false;
        }
        claims[i] = null;
        return true;
    }

    private boolean isDrained(final int i)
    {
        for (int ring = 0; ring < drains.length; ring++)
        {
            if (!drains[ring].isPast(drainEnds[i][ring]))
            {
                return false;
            }
        }
        return true;
    }

    /** Epoch of a rank, 0 unless it is open. */
    int openEpoch(final int local)
    {
        final int i = nodes.map().localIndex(local);
        return phases[i] == OPEN ? epochs[i] : 0;
    }

    /** Epoch of a rank of which packets may be in the rings, 0 if there are none. */
    int sendingEpoch(final int local)
    {
        final int i = nodes.map().localIndex(local);
        return phases[i] == ABSENT ? 0 : epochs[i];
    }

    int[] ranks()
    {
        return ranks;
    }
}
