// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.io.File;
import java.util.List;
import java.util.Optional;
import org.tallypost.collectives.TeamStat;
import org.tallypost.mailbox.files.MailboxException;

/**
 * Looks at the node in a directory, and at the next one that is founded there. Several threads may share it: one looks at a time.
 */
final class NodeWatch
{
    private final File directory;
    private MappedNodeReader reader;
    private Laggard laggards;

    /**
     * Attaches to the node at the first look.
     *
     * @param directory of the node.
     */
    NodeWatch(final File directory)
    {
        this.directory = directory;
    }

    /**
     * What was there.
     *
     * @param sample   of the node.
     * @param laggard  of it.
     * @param counters all that its endpoints have.
     * @param late     members of teams that keep others waiting.
     * @param isFirst  is it the first look at this node?
     */
    record Look(
        NodeSample sample, Optional<Laggard.Finding> laggard, List<RankCounters> counters, List<TeamStat.Late> late,
        boolean isFirst)
    {
    }

    /**
     * Looks at the node.
     *
     * @return what was there.
     * @throws MailboxException if there is no node any more, or none yet.
     */
    synchronized Look look()
    {
        final boolean isFirst = reader == null || !reader.isCurrent();
        if (isFirst)
        {
            reader = null;
            reader = new MappedNodeReader(directory);
            laggards = new Laggard();
        }
        final NodeSample sample = reader.read();
        return new Look(sample, laggards.update(sample), reader.counters(), reader.late(), isFirst);
    }

    /**
     * What all processes of the node agree on.
     *
     * @return one line.
     */
    synchronized String describe()
    {
        return reader.describe();
    }
}
