// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** A lane of its own, its consumer and its holder, all in one thread. */
public abstract class LaneFixture
{
    public static final int TYPE = MailboxDescriptor.TYPE_FIRST_USER;
    public static final int SOURCE = 2;

    @TempDir
    File directory;

    public final CheckingHandler handler = new CheckingHandler(4);
    public Mailbox box;
    public UnsafeBuffer buffer;
    public LanePoller poller;
    public Lane lane;
    public long sequence;

    public final void start(final int laneSlots)
    {
        start(laneSlots, SystemNanoClock.INSTANCE);
    }

    public final void start(final int laneSlots, final NanoClock clock)
    {
        box = Mailbox.create(new File(directory, "box"), 7, 1, 4, 64, 33, 2, laneSlots);
        buffer = box.buffer();
        poller = new LanePoller(box, 1, clock);
        poller.grant(SOURCE);
        lane = new Lane(box, 1);
    }

    public final void send(final int length)
    {
        final int slots = MailboxDescriptor.slots(length);
        final long position = lane.claim(slots);
        assertEquals(lane.position(), position);
        Payload.fill(buffer, lane.payloadOffset(position), length, SOURCE, sequence++);
        lane.publish(position, slots, TYPE, 0, length, SOURCE);
    }

    public final int slot(final long position)
    {
        return box.laneOffset(1) + LaneDescriptor.SLOTS_OFFSET + ((int)position & box.laneSlots() - 1) * 64;
    }

    public final long readPosition()
    {
        return buffer.getLong(box.laneOffset(1) + LaneDescriptor.READ_POSITION_OFFSET);
    }

    public final int poll(final int limit)
    {
        return LaneReader.poll(poller, handler, limit);
    }
}
