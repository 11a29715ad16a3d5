// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;

/** A lane of its own, its consumer and its holder, all in one thread. */
abstract class LaneFixture
{
    static final int TYPE = MailboxDescriptor.TYPE_FIRST_USER;
    static final int SOURCE = 2;

    @TempDir
    File directory;

    final CheckingHandler handler = new CheckingHandler(4);
    Mailbox box;
    UnsafeBuffer buffer;
    LanePoller poller;
    Lane lane;
    long sequence;

    final void start(final int laneSlots)
    {
        box = Mailbox.create(new File(directory, "box"), 7, 1, 4, 64, 33, 2, laneSlots);
        buffer = box.buffer();
        poller = new LanePoller(box, 1);
        poller.grant(SOURCE);
        lane = new Lane(box, 1);
    }

    final void send(final int length)
    {
        final int slots = MailboxDescriptor.slots(length);
        final long position = lane.claim(slots);
        assertEquals(lane.position(), position);
        Payload.fill(buffer, lane.payloadOffset(position), length, SOURCE, sequence++);
        lane.publish(position, slots, TYPE, 0, length, SOURCE);
    }

    final int slot(final long position)
    {
        return box.laneOffset(1) + LaneDescriptor.SLOTS_OFFSET + ((int)position & box.laneSlots() - 1) * 64;
    }

    final long readPosition()
    {
        return buffer.getLong(box.laneOffset(1) + LaneDescriptor.READ_POSITION_OFFSET);
    }

    final int poll(final int limit)
    {
        return LaneReader.poll(poller, handler, limit);
    }
}
