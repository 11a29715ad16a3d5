// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.mailbox;

import static org.tallypost.mailbox.layout.MailboxDescriptor.READ_POSITION_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.TYPE_CLAIMED;

import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The claim that a consumer waits for: one that was deferred and not settled ({@link Mailbox#defer}), at the read position. For
 * the process that made it, which alone knows whether the program holds it. For one thread.
 */
public final class AwaitedClaim
{
    private final Mailbox mailbox;
    private long position;
    private long header;

    /**
     * Nothing is looked for yet.
     *
     * @param mailbox of the consumer.
     */
    public AwaitedClaim(final Mailbox mailbox)
    {
        this.mailbox = mailbox;
    }

    /**
     * Looks for it. Acquire: what was done before it was left open is seen.
     *
     * @return whether there is one, of a source that the mailbox has.
     */
    public boolean find()
    {
        return isOpenAt(mailbox.buffer().getLongVolatile(READ_POSITION_OFFSET));
    }

    /**
     * Looks whether another one comes behind it, for which the consumer waits next.
     *
     * @return whether there is one.
     */
    public boolean findNext()
    {
        return isOpenAt(position + MailboxDescriptor.slots(MailboxDescriptor.length(header)));
    }

    private boolean isOpenAt(final long at)
    {
        position = at;
        header = mailbox.buffer().getLongAcquire(mailbox.slotOffset(at));
        // where nothing is claimed there is no wait: the next claim writes over it
        return MailboxDescriptor.type(header) == TYPE_CLAIMED && MailboxDescriptor.lap(header) == mailbox.lap(at) &&
            MailboxDescriptor.source(header) < mailbox.sources() && mailbox.writePosition() != at;
    }

    /**
     * Where it is.
     *
     * @return position in slots; of either sign if the read position is damaged.
     */
    public long position()
    {
        return position;
    }

    /**
     * Whose claim it is.
     *
     * @return the source.
     */
    public int source()
    {
        return MailboxDescriptor.source(header);
    }

    /**
     * Gives it up, as the program does not hold it: the consumer skips it. A full fence.
     *
     * @return false if it was settled since it was found; nothing was written.
     */
    public boolean giveUp()
    {
        final long aborted = MailboxDescriptor.header(
            mailbox.lap(position), MailboxDescriptor.TYPE_ABORTED, 0, MailboxDescriptor.length(header), source());
        if (!mailbox.buffer().compareAndSetLong(mailbox.slotOffset(position), header, aborted))
        {
            return false;
        }
        // SYNC POINT armed
        mailbox.wakeIfArmed();
        return true;
    }
}
