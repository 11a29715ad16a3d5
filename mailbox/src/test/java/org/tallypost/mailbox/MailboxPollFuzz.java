// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.File;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.mailbox.process.RegistryDescriptor;

/**
 * A mailbox with lanes and its registry have any contents while a consumer polls, looks for dead claims, repairs, and takes
 * over from another, and senders send by ring and lane. Nothing is thrown but what is documented, nothing outside the mapping
 * is touched (bounds are checked), a poll does as much as its limit says; and when nothing is claimed any more, all that
 * is unread is passed in a bounded number of polls.
 */
public final class MailboxPollFuzz
{
    private static final int SOURCES = 3;
    private static final int RING_SLOTS = 16;
    private static final int RUN_SLOTS = 4;
    private static final int LANES = 2;
    private static final int LANE_SLOTS = 8;
    private static final int PROCESSES = 2;
    private static final int MARKS = 4;
    private static final int MOST_ROUNDS = 8 * RING_SLOTS;
    private static File scratch;

    private final FuzzInput input;
    private final Mailbox box;
    private final Registry registry;
    private final UnsafeBuffer buffer;
    private final UnsafeBuffer registryBuffer;
    private final Receiver receiver;
    private final LanePoller[] lanes = new LanePoller[LANES];
    private final Lane[] senders = new Lane[LANES];
    private final int process;
    private final ClaimMark mark;
    private MailboxPoller poller;

    private MailboxPollFuzz(
        final FuzzInput input, final Mailbox box, final Registry registry, final UnsafeBuffer registryBuffer)
    {
        this.input = input;
        this.box = box;
        this.registry = registry;
        this.registryBuffer = registryBuffer;
        buffer = box.buffer();
        receiver = new Receiver(box);
        process = registry.join(0);
        mark = registry.takeMark(process, registry.incarnation(process));
        takeOver();
    }

    /** Checks what it is given, and touches every byte of it. */
    static final class Receiver implements PacketHandler
    {
        private final Mailbox box;
        int packets;
        long sum;

        Receiver(final Mailbox box)
        {
            this.box = box;
        }

        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
        {
            packets++;
            if (type < MailboxDescriptor.TYPE_FIRST_USER || type > MailboxDescriptor.TYPE_LAST || source >= box.sources() ||
                length > MailboxDescriptor.payloadLength(Math.max(box.runSlots(), LaneDescriptor.MAX_RUN_SLOTS)))
            {
                throw new AssertionError("unchecked header: type=" + type + ", source=" + source + ", length=" + length);
            }
            for (int i = 0; i < length; i++)
            {
                sum += from.getByte(offset + i);
            }
        }

        @Override
        public void onFreed(final int type, final int source, final int slots)
        {
            if (slots < 1 || slots > Math.max(box.runSlots(), box.laneSlots() + LaneDescriptor.MAX_RUN_SLOTS))
            {
                throw new AssertionError("freed=" + slots);
            }
        }
    }

    /**
     * Entry for the fuzzer.
     *
     * @param bytes of the input.
     */
    public static void fuzzerTestOneInput(final byte[] bytes)
    {
        if (scratch == null)
        {
            scratch = FuzzCorpus.scratch();
        }
        run(scratch, bytes);
    }

    static void run(final File directory, final byte[] bytes)
    {
        final File file = Rig.registryFile(directory);
        final Registry registry = Registry.create(file, PROCESSES, MARKS);
        final UnsafeBuffer registryBuffer = MappedFiles.map(file, RegistryDescriptor.ENTRIES_OFFSET, "registry");
        final Mailbox box =
            Mailbox.create(Rig.boxFile(directory), 7, 1, SOURCES, RING_SLOTS, RUN_SLOTS, LANES, LANE_SLOTS);
        final MailboxPollFuzz fuzz = new MailboxPollFuzz(new FuzzInput(bytes), box, registry, registryBuffer);
        while (fuzz.input.hasMore())
        {
            fuzz.step();
        }
        fuzz.drain();
        BufferUtil.free(box.buffer());
        BufferUtil.free(registryBuffer);
    }

    private void takeOver()
    {
        poller = new MailboxPoller(box);
        for (int lane = 0; lane < LANES; lane++)
        {
            lanes[lane] = new LanePoller(box, lane);
            lanes[lane].grant(lane);
            senders[lane] = new Lane(box, lane);
        }
    }

    private void step()
    {
        switch (input.nextByte() % 12)
        {
            case 0:
                harm(buffer, input.next(buffer.capacity() / Long.BYTES) * Long.BYTES);
                break;
            case 1:
                harm(registryBuffer, input.next(registryBuffer.capacity() / Long.BYTES) * Long.BYTES);
                break;
            case 2:
                header(box.slotOffset(poller.position() + input.next(RING_SLOTS)), box.lap(poller.position()));
                break;
            case 3:
                final long at = lanes[input.next(LANES)].position() + input.next(LANE_SLOTS);
                header(box.laneOffset(input.next(LANES)) + LaneDescriptor.SLOTS_OFFSET +
                    ((int)at & LANE_SLOTS - 1) * MailboxDescriptor.SLOT_LENGTH, MailboxDescriptor.lap(at, 3));
                break;
            case 4:
                claimMark();
                break;
            case 5:
                harm(buffer, input.nextByte() % 2 == 0 ?
                    MailboxDescriptor.WRITE_POSITION_OFFSET : MailboxDescriptor.READ_POSITION_OFFSET);
                break;
            case 6:
                poll(1 + input.next(2 * RING_SLOTS));
                break;
            case 7:
                recover(input.nextByte() % 2 == 0);
                break;
            case 8:
                pollLane(input.next(LANES));
                break;
            case 9:
                send();
                break;
            case 10:
                final Lane sender = senders[input.next(LANES)];
                sendByLane(sender);
                sender.prefetchNext();
                sender.prefetchRest();
                break;
            default:
                look();
                break;
        }
    }

    private void harm(final UnsafeBuffer where, final int offset)
    {
        where.putLong(offset, input.nextHarm(where.getLong(offset)));
    }

    /** A header as it could be. */
    private void header(final int offset, final int lap)
    {
        final int kind = input.nextByte();
        final int type = (kind & 0xF) == 1 ? MailboxDescriptor.TYPE_CLAIMED : kind & 0xF;
        buffer.putLong(offset, MailboxDescriptor.header(
            lap + (kind >> 7) & 0xFFFF, type, kind >> 4 & 7, input.next(1 << 12), input.next(SOURCES + 1)));
    }

    private void claimMark()
    {
        final int offset = RegistryDescriptor.markOffset(PROCESSES, input.next(MARKS));
        registryBuffer.putLong(offset + ClaimMark.POSITION_OFFSET, poller.position() + input.next(RING_SLOTS) - 2);
        registryBuffer.putInt(offset + ClaimMark.PROCESS_OFFSET, input.next(PROCESSES + 1) - 1);
        registryBuffer.putInt(offset + ClaimMark.INCARNATION_OFFSET, input.next(3));
        registryBuffer.putLong(offset + ClaimMark.CLAIM_OFFSET, box.claimKey() | input.next(1 << 12));
    }

    private void poll(final int limit)
    {
        final int before = receiver.packets;
        final int count = poller.poll(receiver, limit);
        if (count < 0 || count > limit || receiver.packets - before > count)
        {
            throw new AssertionError("limit=" + limit + ", count=" + count + ", packets=" + (receiver.packets - before));
        }
    }

    private void recover(final boolean isSourceAlive)
    {
        final int skipped = poller.recover(registry, (source) -> isSourceAlive);
        if (skipped < 0 || skipped > RING_SLOTS)
        {
            throw new AssertionError("skipped=" + skipped);
        }
        poller.repairReadPosition();
    }

    private void pollLane(final int index)
    {
        final LanePoller lane = lanes[index];
        final int limit = 1 + input.next(2 * LANE_SLOTS);
        final int count = LaneReader.poll(lane, receiver, limit);
        final int inHand = lane.inHand();
        if (count < 0 || count > limit || inHand < 0 || inHand > LANE_SLOTS)
        {
            throw new AssertionError("limit=" + limit + ", count=" + count + ", in hand=" + inHand);
        }
        lane.repairReadPosition();
        if (input.nextByte() % 4 == 0)
        {
            lane.free();
            lane.grant(index);
            senders[index] = new Lane(box, index);
        }
    }

    private void send()
    {
        final int length = input.next(MailboxDescriptor.payloadLength(RUN_SLOTS) + 1);
        mark.intend(box.claimKey(), MailboxDescriptor.slots(length));
        final long position = box.claim(mark, MailboxDescriptor.slots(length));
        buffer.setMemory(box.payloadOffset(position), length, (byte)input.nextByte());
        box.publish(mark, position, MailboxDescriptor.TYPE_FIRST_USER, 0, length, input.next(SOURCES));
    }

    private void sendByLane(final Lane lane)
    {
        final int slots = input.next(1 + lane.runSlots());
        if (slots == 0)
        {
            sendShort(lane);
            return;
        }
        lane.pay(slots);
        final long position = lane.claim(slots);
        if (position >= 0)
        {
            final int length = MailboxDescriptor.payloadLength(slots);
            buffer.setMemory(lane.payloadOffset(position), length, (byte)input.nextByte());
            lane.publish(position, slots, MailboxDescriptor.TYPE_FIRST_USER, 0, length, 0);
        }
        else
        {
            lane.refund();
        }
        lane.isRead();
        lane.isOutOfStep();
    }

    private void sendShort(final Lane lane)
    {
        final int length = input.next(LaneDescriptor.MAX_SHORT_LENGTH + 1);
        long at = lane.shortPlace(length);
        if (at == Lane.NO_PLACE)
        {
            lane.pay(1);
            if (lane.claim(1) < 0)
            {
                lane.refund();
                return;
            }
            at = lane.shortPlaceClaimed();
        }
        UnsafeApi.setMemory(at + MailboxDescriptor.HEADER_LENGTH, length, (byte)input.nextByte());
        lane.publishShort(at, length, LaneDescriptor.shortHeader(0, 1));
        if (input.nextByte() % 4 == 0)
        {
            lane.close();
        }
    }

    /** What is only asked, and what processes do that come and go. */
    private void look()
    {
        if (box.backlogSlots() < 0 || box.backlogSlots() > RING_SLOTS + LANES * LANE_SLOTS)
        {
            throw new AssertionError("backlog=" + box.backlogSlots());
        }
        poller.isReady();
        registry.declareDead();
        registry.forgetDeadClaims(box, poller.position());
        registry.isClaiming(box.claimKey());
        registry.identity((int)input.nextHarm(0)).probe();
        registry.isLive((int)input.nextHarm(0), 1);
        if (input.nextByte() % 2 == 0)
        {
            takeOver();
        }
        try
        {
            final int other = registry.join(0);
            registry.takeMark(other, registry.incarnation(other));
            registry.leave(other, registry.incarnation(other));
        }
        catch (final MailboxException ignore)
        {
            // full of live processes, or of marks, as the contents say
        }
    }

    /** All senders are dead and nothing is claimed: the consumer gets to the write position. */
    private void drain()
    {
        registryBuffer.setMemory(RegistryDescriptor.markOffset(PROCESSES, 0), MARKS * MailboxDescriptor.LINE_LENGTH, (byte)0);
        for (int round = 0; poller.position() != box.writePosition(); round++)
        {
            if (round > MOST_ROUNDS)
            {
                throw new AssertionError("stuck: position=" + poller.position() + ", write position=" + box.writePosition());
            }
            poll(RING_SLOTS);
            recover(false);
        }
    }
}
