// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.io.File;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;

/**
 * One mailbox of 1,024 sources, of which some are attached: each has a claim mark of its own. The ring has the same size
 * whatever the number of senders, so that figures differ only by what the number of senders costs.
 */
@State(Scope.Thread)
public class MailboxState implements PacketHandler
{
    static final int TYPE = MailboxDescriptor.TYPE_FIRST_USER;
    static final int MAX_SENDERS = 1024;
    static final int RING_SLOTS = 4096;

    /** Bytes of a message. */
    @Param("32")
    public int length;

    Mailbox box;
    MailboxPoller poller;
    long sum;
    private File directory;
    private int senders;
    private ClaimMark[] marks;
    private UnsafeBuffer buffer;
    private int slots;
    private int next;
    private long published;

    /**
     * How many senders to attach.
     *
     * @return one, unless a subclass says something else.
     */
    int senders()
    {
        return 1;
    }

    /** Makes the files and attaches the senders. */
    @Setup(Level.Trial)
    public void setUp()
    {
        senders = senders();
        directory = ScratchDirectory.create();
        final Registry registry = Registry.create(new File(directory, "registry"), 1, MAX_SENDERS);
        final int process = registry.join(System.currentTimeMillis());
        marks = new ClaimMark[senders];
        for (int sender = 0; sender < senders; sender++)
        {
            marks[sender] = registry.takeMark(process, registry.incarnation(process));
        }
        box = Mailbox.create(
            new File(directory, "box"), 0, 1, MAX_SENDERS, RING_SLOTS, MailboxDescriptor.MAX_RUN_SLOTS);
        poller = new MailboxPoller(box);
        buffer = box.buffer();
        slots = MailboxDescriptor.slots(length);
    }

    /** Removes the files. */
    @TearDown(Level.Trial)
    public void tearDown()
    {
        ScratchDirectory.delete(directory);
    }

    /** The attached senders take turns. */
    void send()
    {
        final int source = next;
        next = source + 1 == senders ? 0 : source + 1;
        final ClaimMark mark = marks[source];
        mark.intend(box.claimKey(), slots);
        final long position = box.claim(mark, slots);
        buffer.putLong(box.payloadOffset(position), position);
        box.publish(mark, position, TYPE, 0, length, source);
    }

    /** Sends so many messages; the ring has to hold them. */
    void fill(final int messages)
    {
        if (messages * slots > RING_SLOTS)
        {
            throw new IllegalArgumentException("messages of " + length + " bytes do not fit the ring: found " +
                messages * slots + " slots, expected at most " + RING_SLOTS);
        }
        for (int i = 0; i < messages; i++)
        {
            send();
        }
    }

    /** One half of {@link #send}; it leaves nothing behind but a slot that is never read. */
    long claim()
    {
        final ClaimMark mark = marks[0];
        mark.intend(box.claimKey(), slots);
        final long position = box.claim(mark, slots);
        mark.clear();
        return position;
    }

    /** The other half, without a claim. */
    long publish()
    {
        published += slots;
        box.publish(marks[0], published, TYPE, 0, length, 0);
        return published;
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int size)
    {
        sum += from.getLong(offset);
    }

    @Override
    public void onFreed(final int type, final int source, final int freed)
    {
        // a count per source, on the source's own line, as credits that go back
        buffer.getAndAddLong(MailboxDescriptor.sourceLineOffset(source), freed);
    }
}
