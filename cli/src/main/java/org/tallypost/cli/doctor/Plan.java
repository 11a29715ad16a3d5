// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.io.File;
import java.util.Optional;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * What is to run on the machine. Of a node that is there, its own values count.
 *
 * @param directory of the node.
 * @param node      that is there.
 * @param ranks     on this machine; 0 if that is not known.
 * @param slots     per sender.
 * @param nodes     of the group.
 * @param spinning  threads that spin; 0 if that is not known.
 */
public record Plan(File directory, Optional<NodeFacts> node, int ranks, int slots, int nodes, int spinning)
{
    /** Registry, and what is in no other sum. */
    private static final long BASE_LENGTH = 512L << 10;
    /** Counters and words of a rank, rounded up. */
    private static final long RANK_LENGTH = 2L << 10;
    /** Of an embedded media driver, and the rings to other nodes. */
    private static final long DRIVER_LENGTH = 64L << 20;
    private static final int LONGEST_RUN_SLOTS = 64;

    /**
     * Bytes that the files of the node still take until all its ranks are open.
     *
     * @return in bytes, nearly; 0 if the ranks are not known.
     */
    long neededLength()
    {
        if (ranks == 0)
        {
            return 0;
        }
        final int open = node.map(NodeFacts::openRanks).orElse(0);
        final long known = node.map(NodeFacts::mailboxBytes).orElse(0L);
        final long mailbox = known > 0 ? known : mailboxLength();
        final boolean isFounded = node.isPresent() && node.get().problem().isEmpty();
        return (ranks - Math.min(open, ranks)) * mailbox +
            (isFounded ? 0 : BASE_LENGTH + ranks * RANK_LENGTH + (nodes > 1 ? DRIVER_LENGTH : 0));
    }

    private long mailboxLength()
    {
        // ranks of other nodes have their part of each mailbox as well
        final int all = (int)Math.min((long)ranks * nodes, MailboxDescriptor.MAX_SOURCES);
        final NodeContext context = new NodeContext().directory(directory).rankCount(all).slotsPerSender(slots);
        context.conclude();
        return MailboxDescriptor.fileLength(
            all, context.ringSlots(), LONGEST_RUN_SLOTS, context.expressLanes(), context.laneSlots());
    }
}
