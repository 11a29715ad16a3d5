// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.util.List;
import org.tallypost.mailbox.process.ProcessIdentity.Liveness;

/**
 * A node that is there.
 *
 * @param problem        why it cannot be read; empty if it can, and the rest does not count otherwise.
 * @param ranks          of the group on this node.
 * @param openRanks      of these, those that are open.
 * @param slotsPerSender of the group.
 * @param nodes          of the group.
 * @param mailboxBytes   of one open rank; 0 if none is open.
 * @param pids           of the processes that have open ranks.
 * @param liveness       of its processes.
 * @param leftFiles      files of dead processes.
 * @param leftBytes      of these.
 * @param bulkOperations of its ranks on memory of other nodes.
 * @param bulkRefused    of these, those that were refused, or lost with a link.
 * @param bulkPending    of these, those that are under way.
 */
public record NodeFacts(
    String problem,
    int ranks,
    int openRanks,
    int slotsPerSender,
    int nodes,
    long mailboxBytes,
    List<Long> pids,
    Liveness liveness,
    int leftFiles,
    long leftBytes,
    long bulkOperations,
    long bulkRefused,
    long bulkPending)
{
    /**
     * A node that cannot be read.
     *
     * @param problem why.
     * @return no facts.
     */
    static NodeFacts unreadable(final String problem)
    {
        return new NodeFacts(problem, 0, 0, 0, 1, 0, List.of(), Liveness.UNKNOWN, 0, 0, 0, 0, 0);
    }
}
