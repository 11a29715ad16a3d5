// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.mailbox;

import java.io.File;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.jcstress.Mapped;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.mailbox.process.RegistryDescriptor;

/** A mailbox into which a process that is dead has claimed, without publishing, and into which another one goes on sending. */
final class RacedRegistry implements PacketHandler
{
    static final int DEAD_SLOTS = 2;

    private static final int RING_SLOTS = 8;
    private static final int LOOKS = 3;
    private static final ConcurrentLinkedQueue<RacedRegistry> FREE = new ConcurrentLinkedQueue<>();

    final Mailbox box;
    final MailboxPoller poller;
    private final Registry registry;
    private final ClaimMark live;
    private final ClaimMark dead;
    private final long[] attempts;
    private int delivered;

    private RacedRegistry(final File directory)
    {
        final File file = new File(directory, "registry");
        registry = Registry.create(file, 2, 2);
        box = Mailbox.create(new File(directory, "mailbox"), 1, 1, 1, RING_SLOTS, DEAD_SLOTS);
        poller = new MailboxPoller(box);
        attempts = new long[registry.marks()];
        final int alive = registry.join(System.currentTimeMillis());
        final int gone = registry.join(System.currentTimeMillis());
        live = registry.takeMark(alive, registry.incarnation(alive));
        dead = registry.takeMark(gone, registry.incarnation(gone));
        final UnsafeBuffer words = MappedFiles.map(file, RegistryDescriptor.ENTRIES_OFFSET, "registry");
        words.putIntRelease(
            RegistryDescriptor.entryOffset(gone) + RegistryDescriptor.STATE_OFFSET, RegistryDescriptor.STATE_GONE);
    }

    static RacedRegistry take()
    {
        final RacedRegistry free = FREE.poll();
        return free == null ? Mapped.inNewDirectory(RacedRegistry::new) : free;
    }

    /**
     * What the dead one has left: an addition to the write position.
     *
     * @param isPlaced whether its mark says where.
     */
    void leaveClaim(final boolean isPlaced)
    {
        dead.intend(box.claimKey(), DEAD_SLOTS);
        if (isPlaced)
        {
            box.claim(dead, DEAD_SLOTS);
        }
        else
        {
            box.buffer().getAndAddLong(MailboxDescriptor.WRITE_POSITION_OFFSET, DEAD_SLOTS);
        }
    }

    /** A message of the live one. */
    void send()
    {
        live.intend(box.claimKey(), 1);
        final long position = box.claim(live, 1);
        box.publish(live, position, MailboxDescriptor.TYPE_FIRST_USER, 0, MailboxDescriptor.payloadLength(1), 0);
    }

    /** Looks a few times for what can be skipped, as a consumer does that finds nothing. */
    int skip()
    {
        int skipped = 0;
        for (int i = 0; i < LOOKS; i++)
        {
            skipped += poller.recover(registry, (source) -> true);
        }
        return skipped;
    }

    /** What would be skipped by a consumer that looks for the next header first and asks the marks then. */
    int skipByHeadersFirst()
    {
        final long position = poller.position();
        final long limit = box.writePosition();
        long end = position + 1;
        while (end < limit && MailboxDescriptor.lap(box.buffer().getLongAcquire(box.slotOffset(end))) != box.lap(end))
        {
            end++;
        }
        final int claim = registry.findClaim(box.claimKey(), box.ringSlots(), position, attempts, true);
        final long bound = registry.nextClaim(box.claimKey(), box.ringSlots(), position, limit);
        return claim == Registry.LIVE_CLAIM ? 0 : (int)(Math.min(end, bound) - position);
    }

    /**
     * Clears up.
     *
     * @return number of messages that were delivered: 1 was sent.
     */
    int settle()
    {
        int left = 16;
        while (left-- > 0 && poller.position() < box.writePosition())
        {
            poller.poll(this, RING_SLOTS);
            poller.recover(registry, (source) -> true);
        }
        final int result = delivered;
        delivered = 0;
        dead.clear();
        FREE.add(this);
        return result;
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset, final int length)
    {
        delivered++;
    }

    @Override
    public void onFreed(final int type, final int source, final int slots)
    {
        // there are no counts
    }
}
