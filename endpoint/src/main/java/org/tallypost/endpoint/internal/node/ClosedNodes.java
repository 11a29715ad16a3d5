// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.FormerMappings;
import org.tallypost.mailbox.Mailbox;

/**
 * Mailboxes and rings of nodes that this process has left, or could not launch, and shared files that it has closed. Their files
 * may be deleted, and take room as long as they are mapped: a process that tries to launch a node again and again, for want of
 * room, would itself take what is left. A launch asks for a collection if there are too many of them, or if they take much of the
 * room. Any thread.
 */
public final class ClosedNodes
{
    private static final FormerMappings FORMER = new FormerMappings(System::gc);

    private ClosedNodes()
    {
    }

    /** A node is closed: its threads have ended, and it is no more than an object that the program may hold. */
    public static void add(final Mailboxes mailboxes, final RemoteNodes remote)
    {
        for (final Mailbox mailbox : mailboxes.all())
        {
            FORMER.add(mailbox);
        }
        if (remote != null)
        {
            remote.rings().forEach(FORMER::add);
        }
    }

    /** A shared file is closed. */
    static void add(final SharedMapping mapping)
    {
        FORMER.add(mapping.whole().byteBuffer());
    }

    /** Before a launch, and before a file is mapped. */
    public static void limit(final NodeContext context)
    {
        if (FORMER.count() > 0)
        {
            FORMER.limit(context.directory().getUsableSpace(), System.nanoTime());
        }
    }

    /** After a launch for which there was no room: the next attempt finds what this one took. */
    public static void release()
    {
        FORMER.release();
    }

    /** Mailboxes and rings that are mapped still. */
    static int count()
    {
        return FORMER.count();
    }
}
