// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import java.io.File;
import java.util.List;
import org.tallypost.endpoint.internal.node.Leftovers;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.process.ProcessIdentity.Liveness;

/**
 * What dead processes have left in a node's directory, as the node's own rules say which processes are dead. If none is left,
 * these are all files of the node; else only what no living process uses.
 *
 * @param liveness of the node's processes. ALIVE: at least one is proven to be there. DEAD: all are gone. UNKNOWN: nothing but a
 *                 heartbeat tells of those that are left, as between pid namespaces.
 * @param files    that were left, or that were removed.
 * @param bytes    of these files.
 * @param stuck    files that were to be removed, and that the file system has kept.
 */
public record NodeLeftovers(Liveness liveness, List<File> files, long bytes, List<File> stuck)
{
    /**
     * Looks, and changes nothing.
     *
     * @param directory of a node.
     * @return what is there.
     * @throws MailboxException if there is no node in the directory, or one of another version.
     */
    public static NodeLeftovers find(final File directory)
    {
        return of(Leftovers.find(directory));
    }

    /**
     * Removes them while no process can join or leave. If only their heartbeats tell whether the node's processes are there,
     * these are looked at for somewhat longer than the liveness interval first: processes that are silent for so long count as
     * dead.
     *
     * @param directory of a node. It is removed as well if no process is left, and nothing else is in it.
     * @return what was removed.
     * @throws MailboxException if there is no node in the directory, or one of another version; if the directory belongs to
     *                          another user or others may write to it; or if a process has held the node's lock for 30 s. Nothing
     *                          was removed then.
     */
    public static NodeLeftovers remove(final File directory)
    {
        return of(Leftovers.remove(directory));
    }

    private static NodeLeftovers of(final Leftovers.Result found)
    {
        return new NodeLeftovers(found.liveness(), found.files(), found.bytes(), found.stuck());
    }
}
