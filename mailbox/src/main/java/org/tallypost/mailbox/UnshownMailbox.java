// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.UnshownFile;

/**
 * A mailbox that is complete and mapped, and has a file without its name yet: no other process can find it. To reserve its
 * pages takes long, and is done without the node's lock; to give it its name is not. For one thread.
 */
public final class UnshownMailbox implements AutoCloseable
{
    private final UnshownFile unshown;
    private final Mailbox mailbox;

    UnshownMailbox(final UnshownFile unshown, final Mailbox mailbox)
    {
        this.unshown = unshown;
        this.mailbox = mailbox;
    }

    /**
     * The mailbox.
     *
     * @return it, mapped.
     */
    public Mailbox mailbox()
    {
        return mailbox;
    }

    /**
     * Gives its file its name, in one step. An older file of the name is replaced.
     *
     * @throws MailboxException if the file system refuses, or the file was removed.
     */
    public void show()
    {
        unshown.show();
    }

    /** Deletes its file if it was not shown. */
    @Override
    public void close()
    {
        unshown.close();
    }
}
