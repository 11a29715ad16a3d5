// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.tallypost.mailbox.layout.MailboxDescriptor.ARMED;
import static org.tallypost.mailbox.layout.MailboxDescriptor.ARMED_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.FILE_LENGTH_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.HEADER_LENGTH;
import static org.tallypost.mailbox.layout.MailboxDescriptor.ID_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.INCARNATION_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.LANES_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.LANE_SLOTS_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.MAGIC;
import static org.tallypost.mailbox.layout.MailboxDescriptor.MAGIC_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.MAX_RING_SLOTS;
import static org.tallypost.mailbox.layout.MailboxDescriptor.MAX_RUN_SLOTS;
import static org.tallypost.mailbox.layout.MailboxDescriptor.MAX_SOURCES;
import static org.tallypost.mailbox.layout.MailboxDescriptor.MIN_RING_SLOTS;
import static org.tallypost.mailbox.layout.MailboxDescriptor.READ_POSITION_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.RING_SLOTS_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.RUN_SLOTS_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.SLOT_SHIFT;
import static org.tallypost.mailbox.layout.MailboxDescriptor.SOURCES_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.SOURCE_LINES_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.TYPE_ABORTED;
import static org.tallypost.mailbox.layout.MailboxDescriptor.TYPE_CLAIMED;
import static org.tallypost.mailbox.layout.MailboxDescriptor.VERSION;
import static org.tallypost.mailbox.layout.MailboxDescriptor.VERSION_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.WRITE_POSITION_OFFSET;

import java.io.File;
import java.util.function.Consumer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.files.UnshownFile;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.ClaimedRing;
import org.tallypost.mailbox.process.UnshownFiles;

/**
 * A mapped mailbox, as its producers see it: claim, write, publish. The consumer's side is {@link MailboxPoller}.
 *
 * <p>There is no capacity check here: a claimant has to know from elsewhere (credits) that there is room. A claim
 * is one wait-free addition. <b>Safe for any number of threads and processes, each with a {@link ClaimMark} of its own.</b>
 *
 * <pre>
 *   mark.intend(box.claimKey(), n);                       this thread is about to claim n slots here
 *   position = box.claim(mark, n);                        SYNC POINT claim: one getAndAdd
 *   box.buffer().putBytes(box.payloadOffset(position), ...)
 *   box.publish(mark, position, type, flags, length, source)   SYNC POINT publish: one release store
 * </pre>
 *
 * Between the claim and the publication nothing may throw: check the arguments before. An Error may all the same, for want of
 * stack: what was not published is given up with {@link #abortNext}.
 */
public final class Mailbox implements ClaimedRing
{
    private final File file;
    private final UnsafeBuffer buffer;
    private final int id;
    private final int incarnation;
    private final int sources;
    private final int ringSlots;
    private final int runSlots;
    private final int lanes;
    private final int laneSlots;
    private final int ringShift;
    private final int ringOffset;
    private final int ringMask;
    private final long claimKey;
    private Consumer<Mailbox> waker = (box) -> {};

    private Mailbox(final File file, final UnsafeBuffer buffer)
    {
        this.file = file;
        this.buffer = buffer;
        id = buffer.getInt(ID_OFFSET);
        incarnation = buffer.getInt(INCARNATION_OFFSET);
        sources = buffer.getInt(SOURCES_OFFSET);
        ringSlots = buffer.getInt(RING_SLOTS_OFFSET);
        runSlots = buffer.getInt(RUN_SLOTS_OFFSET);
        lanes = buffer.getInt(LANES_OFFSET);
        laneSlots = buffer.getInt(LANE_SLOTS_OFFSET);
        checkShape(file, id, sources, ringSlots, runSlots);
        checkLanes(file, lanes, laneSlots);
        final long length = MailboxDescriptor.fileLength(sources, ringSlots, runSlots, lanes, laneSlots);
        if (length != buffer.capacity())
        {
            throw new MailboxException("mailbox file does not fit its own header: file=" + file + ", found=" +
                buffer.capacity() + ", expected=" + length + " for sources=" + sources + ", ringSlots=" + ringSlots +
                ", runSlots=" + runSlots + ", lanes=" + lanes + ", laneSlots=" + laneSlots);
        }
        ringShift = Integer.numberOfTrailingZeros(ringSlots);
        ringMask = ringSlots - 1;
        ringOffset = MailboxDescriptor.ringOffset(sources);
        claimKey = ClaimMark.key(id, incarnation);
    }

    /**
     * Creates a mailbox file and maps it. The file is complete, and its pages are reserved, before it is visible.
     *
     * @param file        to create, in an existing directory; an older file of the name is replaced.
     * @param id          of the mailbox among those that share a registry, below 2^20.
     * @param incarnation of the mailbox: a new one each time it is created anew, not 0.
     * @param sources     number of sources, at most 2^20.
     * @param ringSlots   number of slots, a power of two, at most 2^24.
     * @param runSlots    longest run in slots, at most 64 and at most the ring.
     * @param lanes       number of express lanes, at most {@link LaneDescriptor#MAX_LANES}.
     * @param laneSlots   slots of each, a power of two, or 0 if there are none.
     * @return the mailbox.
     * @throws IllegalArgumentException if a number is out of its range.
     * @throws MailboxException if the file cannot be made or there is no room for it.
     */
    public static Mailbox create(
        final File file,
        final int id,
        final int incarnation,
        final int sources,
        final int ringSlots,
        final int runSlots,
        final int lanes,
        final int laneSlots)
    {
        try (UnshownMailbox unshown = prepare(
            UnshownFile.SUFFIX, file, id, incarnation, sources, ringSlots, runSlots, lanes, laneSlots))
        {
            unshown.show();
            return unshown.mailbox();
        }
    }

    /**
     * Creates a mailbox file and maps it as {@link #create(File, int, int, int, int, int, int, int)}, but does not show it yet.
     * The caller need not hold the node's lock.
     *
     * @param suffix      of the file's name until it is shown, by {@link UnshownFiles#suffix}.
     * @param file        to create, in an existing directory; an older file of the name is replaced.
     * @param id          of the mailbox among those that share a registry, below 2^20.
     * @param incarnation of the mailbox: a new one each time it is created anew, not 0.
     * @param sources     number of sources, at most 2^20.
     * @param ringSlots   number of slots, a power of two, at most 2^24.
     * @param runSlots    longest run in slots, at most 64 and at most the ring.
     * @param lanes       number of express lanes, at most {@link LaneDescriptor#MAX_LANES}.
     * @param laneSlots   slots of each, a power of two, or 0 if there are none.
     * @return the mailbox, to be shown and closed.
     * @throws IllegalArgumentException if a number is out of its range.
     * @throws MailboxException if the file cannot be made or there is no room for it.
     */
    public static UnshownMailbox prepare(
        final String suffix,
        final File file,
        final int id,
        final int incarnation,
        final int sources,
        final int ringSlots,
        final int runSlots,
        final int lanes,
        final int laneSlots)
    {
        try
        {
            checkShape(file, id, sources, ringSlots, runSlots);
            checkLanes(file, lanes, laneSlots);
        }
        catch (final MailboxException ex)
        {
            throw new IllegalArgumentException(ex.getMessage(), ex);
        }
        final long length = MailboxDescriptor.fileLength(sources, ringSlots, runSlots, lanes, laneSlots);
        final UnshownFile unshown = MappedFiles.prepare(file, suffix, length, (b) ->
        {
            b.putLong(MAGIC_OFFSET, MAGIC);
            b.putInt(ID_OFFSET, id);
            b.putLong(FILE_LENGTH_OFFSET, length);
            b.putInt(RING_SLOTS_OFFSET, ringSlots);
            b.putInt(RUN_SLOTS_OFFSET, runSlots);
            b.putInt(SOURCES_OFFSET, sources);
            b.putInt(INCARNATION_OFFSET, incarnation);
            b.putInt(LANES_OFFSET, lanes);
            b.putInt(LANE_SLOTS_OFFSET, laneSlots);
            // SYNC POINT file-complete
            b.putIntRelease(VERSION_OFFSET, VERSION);
        });
        return new UnshownMailbox(unshown, new Mailbox(file, unshown.buffer()));
    }

    /**
     * Creates a mailbox file without express lanes, as
     * {@link #create(File, int, int, int, int, int, int, int)}.
     *
     * @param file        to create, in an existing directory; an older file of the name is replaced.
     * @param id          of the mailbox among those that share a registry, below 2^20.
     * @param incarnation of the mailbox: a new one each time it is created anew, not 0.
     * @param sources     number of sources, at most 2^20.
     * @param ringSlots   number of slots, a power of two, at most 2^24.
     * @param runSlots    longest run in slots, at most 64 and at most the ring.
     * @return the mailbox.
     */
    public static Mailbox create(
        final File file, final int id, final int incarnation, final int sources, final int ringSlots, final int runSlots)
    {
        return create(file, id, incarnation, sources, ringSlots, runSlots, 0, 0);
    }

    /**
     * Maps an existing mailbox.
     *
     * @param file to map.
     * @return the mailbox.
     * @throws MailboxException that names file, found and expected if it is missing, half created, truncated, of
     *                          another version, or not a mailbox.
     */
    public static Mailbox attach(final File file)
    {
        return MappedFiles.attach(file, SOURCE_LINES_OFFSET, "mailbox", (buffer) ->
        {
            MappedFiles.checkHeader(buffer, file, "mailbox", MAGIC, VERSION, FILE_LENGTH_OFFSET);
            return new Mailbox(file, buffer);
        });
    }

    /**
     * Claims a run. {@link ClaimMark#intend} comes first, so that a claim has its mark at every moment.
     *
     * @param mark  of this thread.
     * @param slots of the run, from 1 to {@link #runSlots()}; or of several runs one behind the other, at most 4,095, each to
     *              be published with {@link #settle(ClaimMark, long, int, int, int, int)}, in order, before {@link #finish}.
     * @return position of the run in slots.
     */
    public long claim(final ClaimMark mark, final int slots)
    {
        final long position = buffer.getAndAddLong(WRITE_POSITION_OFFSET, slots);
        // no call between the addition and these: see ClaimMark
        mark.next = position;
        mark.end = position + slots;
        mark.isPlaced = true;
        mark.claimed(position);
        return position;
    }

    /**
     * Claims a run if it ends early enough: for senders that together have more credits than the ring has slots. As {@link
     * #claim}, but another sender's claim makes it try again.
     *
     * @param mark  of this thread.
     * @param slots of the run, or of several.
     * @param read  a read position that was seen; one that is damaged is taken for a full ring.
     * @return position of the run in slots, or -1 if there is no room behind what is unread; then nothing was claimed.
     */
    public long claimWithin(final ClaimMark mark, final int slots, final long read)
    {
        while (true)
        {
            final long position = buffer.getLongVolatile(WRITE_POSITION_OFFSET);
            // neither position is believed: what is unread cannot be less than nothing
            final long unread = position - read;
            if (position < 0 || unread < 0 || unread > ringSlots - slots)
            {
                return -1;
            }
            if (buffer.compareAndSetLong(WRITE_POSITION_OFFSET, position, position + slots))
            {
                mark.next = position;
                mark.end = position + slots;
                mark.isPlaced = true;
                mark.claimed(position);
                return position;
            }
        }
    }

    /**
     * Publishes a claimed run, with release semantics, and clears the mark.
     *
     * @param mark     of this thread.
     * @param position of the run.
     * @param type     of the run, {@link MailboxDescriptor#TYPE_ABORTED} to 15.
     * @param flags    0 to 15.
     * @param length   of the payload in bytes; it decides how many slots the run has, which must be those claimed.
     * @param source   of the run.
     */
    public void publish(
        final ClaimMark mark, final long position, final int type, final int flags, final int length, final int source)
    {
        settle(mark, position, type, flags, length, source);
        finish(mark);
    }

    /**
     * Publishes one of several runs that were claimed together, with release semantics.
     *
     * @param mark     of this thread.
     * @param position of the run, behind those that are published.
     * @param type     of the run, {@link MailboxDescriptor#TYPE_ABORTED} to 15.
     * @param flags    0 to 15.
     * @param length   of the payload in bytes.
     * @param source   of the run.
     */
    public void settle(
        final ClaimMark mark, final long position, final int type, final int flags, final int length, final int source)
    {
        final long behind = position + MailboxDescriptor.slots(length);
        settle(position, type, flags, length, source);
        // no call between the header and this
        mark.next = behind;
    }

    /**
     * Gives up the next slots of a claim that an Error has ended, as many as one run has. Repeated until it returns 0, and then
     * ended with {@link #finish}. May itself be ended by an Error and begun again: nothing is given up twice.
     *
     * <p>For the mark's thread, outside of the claim; or for another one that has seen, with acquire semantics, that it is
     * outside and does not come back, or is dead.
     *
     * @param mark   of the thread.
     * @param source of the runs.
     * @return slots of the run that was given up; 0 if all is published.
     */
    public int abortNext(final ClaimMark mark, final int source)
    {
        final int slots = (int)Math.min(mark.end - mark.next, runSlots);
        return endNext(mark, TYPE_ABORTED, MailboxDescriptor.payloadLength(slots), source);
    }

    /**
     * Publishes the next slot of a claim that an Error has ended, instead of giving it up as {@link #abortNext}, with the same
     * conditions. Does nothing if it is published.
     *
     * @param mark   of the thread.
     * @param type   of the run of one slot.
     * @param value  its payload.
     * @param source of the run.
     */
    public void publishNext(final ClaimMark mark, final int type, final int value, final int source)
    {
        final long position = mark.next;
        if (mark.isPlaced && mark.end - position > 0 &&
            MailboxDescriptor.lap(buffer.getLongVolatile(slotOffset(position))) == lap(position - ringSlots))
        {
            buffer.putInt(payloadOffset(position), value);
            endNext(mark, type, Integer.BYTES, source);
        }
    }

    private int endNext(final ClaimMark mark, final int type, final int length, final int source)
    {
        final long position = mark.next;
        if (!mark.isPlaced || mark.end - position <= 0)
        {
            return 0;
        }
        final int slots = MailboxDescriptor.slots(length);
        final long found = buffer.getLongVolatile(slotOffset(position));
        final long header = MailboxDescriptor.header(lap(position), type, 0, length, source);
        if (MailboxDescriptor.lap(found) != lap(position - ringSlots) ||
            !buffer.compareAndSetLong(slotOffset(position), found, header))
        {
            // it was published after all, by a thread that a debugger has ended right behind it; or the header is damaged
            mark.next = mark.end;
            return 0;
        }
        mark.next = position + slots;
        return slots;
    }

    /**
     * Ends a claim of several runs, all of which are settled: clears the mark and wakes the consumer.
     *
     * @param mark of this thread.
     */
    public void finish(final ClaimMark mark)
    {
        mark.clear();
        // SYNC POINT armed: comes after the addition to the write position, which is a full fence
        wakeIfArmed();
    }

    /**
     * Turns a claim into one that stays open without the mark: its header names the source that will settle it.
     *
     * @param mark     of this thread.
     * @param position of the run.
     * @param length   of the payload in bytes.
     * @param source   of the run.
     */
    public void defer(final ClaimMark mark, final long position, final int length, final int source)
    {
        publish(mark, position, TYPE_CLAIMED, 0, length, source);
    }

    /**
     * Publishes a deferred run.
     *
     * @param position of the run.
     * @param type     of the run: {@link MailboxDescriptor#TYPE_ABORTED} makes the consumer skip it.
     * @param flags    0 to 15.
     * @param length   of the payload in bytes.
     * @param source   of the run.
     */
    public void settle(final long position, final int type, final int flags, final int length, final int source)
    {
        // SYNC POINT publish: pairs with the consumer's acquire load; all of the payload is ordered before it
        buffer.putLongRelease(slotOffset(position), MailboxDescriptor.header(lap(position), type, flags, length, source));
    }

    /** After a publication. */
    public void wakeIfArmed()
    {
        if (isArmed())
        {
            waker.accept(this);
        }
    }

    /**
     * Sets what is called after a publication, or a deferral, if the consumer is armed. It is called by the publishing thread
     * and must not throw.
     *
     * @param wakerValue to call; to be set before the mailbox is shared with other threads.
     * @return this.
     */
    public Mailbox wakeWith(final Consumer<Mailbox> wakerValue)
    {
        waker = wakerValue;
        return this;
    }

    /**
     * Whether the consumer wants to be woken (volatile load of a line that is seldom written).
     *
     * @return true if so.
     */
    public boolean isArmed()
    {
        return buffer.getIntVolatile(ARMED_OFFSET) != 0;
    }

    /**
     * Arms the mailbox: for its consumer, which has to look at the write position afterwards and before it parks. A full fence.
     *
     * @param how {@link MailboxDescriptor#ARMED} or {@link MailboxDescriptor#ARMED_WITHIN_PROCESS}.
     * @return whether it was armed before: if not, another thread may have taken it, and is about to wake those that armed it.
     */
    public boolean arm(final int how)
    {
        // SYNC POINT armed
        return buffer.getAndSetInt(ARMED_OFFSET, how) != 0;
    }

    /** No thread sleeps any more: for the consumer. */
    public void disarm()
    {
        buffer.putIntRelease(ARMED_OFFSET, 0);
    }

    /**
     * Takes the duty to wake the consumer: of all that find it armed, one.
     *
     * @param isOwn whether the consumer is in this process.
     * @return true if the caller has to wake it.
     */
    public boolean takeArmed(final boolean isOwn)
    {
        final int found = buffer.getIntVolatile(ARMED_OFFSET);
        return found != 0 && (isOwn || found == ARMED) && buffer.compareAndSetInt(ARMED_OFFSET, found, 0);
    }

    /**
     * Where the payload of a run begins.
     *
     * @param position of the run.
     * @return offset into {@link #buffer()}; the payload is contiguous, also beyond the end of the ring.
     */
    public int payloadOffset(final long position)
    {
        return slotOffset(position) + HEADER_LENGTH;
    }

    /**
     * Offset of a slot.
     *
     * @param position of the slot, of any lap.
     * @return offset into {@link #buffer()}.
     */
    int slotOffset(final long position)
    {
        return ringOffset + (((int)position & ringMask) << SLOT_SHIFT);
    }

    /**
     * Stamps slots with their laps: for each lap a loop of stores, between which nothing is looked up. For the consumer.
     *
     * @param from first of the slots.
     * @param to   end of the slots.
     */
    void stamp(final long from, final long to)
    {
        final long ring = buffer.addressOffset() + ringOffset;
        long position = from;
        while (position < to)
        {
            final long end = Math.min(to, (position | ringMask) + 1);
            final long stamp = MailboxDescriptor.header(lap(position), MailboxDescriptor.TYPE_STAMP, 0, 0, 0);
            final long first = ring + ((position & ringMask) << SLOT_SHIFT);
            final long last = first + (end - position << SLOT_SHIFT);
            for (long at = first; at < last; at += MailboxDescriptor.SLOT_LENGTH)
            {
                UnsafeApi.putLong(at, stamp);
            }
            position = end;
        }
    }

    int lap(final long position)
    {
        return MailboxDescriptor.lap(position, ringShift);
    }

    /**
     * Number of slots claimed since the start.
     *
     * @return the write position, read with volatile semantics; costs the producers a cache miss.
     */
    @Override
    public long writePosition()
    {
        return buffer.getLongVolatile(WRITE_POSITION_OFFSET);
    }

    /**
     * Number of slots freed since the start.
     *
     * @return the read position as last published by the consumer, once a batch (acquire).
     */
    public long readPosition()
    {
        return buffer.getLongAcquire(READ_POSITION_OFFSET);
    }

    /**
     * The whole mapping.
     *
     * @return the buffer.
     */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /**
     * The file.
     *
     * @return the file.
     */
    public File file()
    {
        return file;
    }

    /**
     * Id of the mailbox.
     *
     * @return below 2^20.
     */
    public int id()
    {
        return id;
    }

    /**
     * Incarnation of the mailbox.
     *
     * @return the number given at creation.
     */
    public int incarnation()
    {
        return incarnation;
    }

    /**
     * Number of sources.
     *
     * @return at most 2^20.
     */
    public int sources()
    {
        return sources;
    }

    /**
     * Slots of the ring.
     *
     * @return a power of two.
     */
    public int ringSlots()
    {
        return ringSlots;
    }

    /**
     * Longest run.
     *
     * @return in slots.
     */
    public int runSlots()
    {
        return runSlots;
    }

    /**
     * Number of express lanes.
     *
     * @return at most {@link LaneDescriptor#MAX_LANES}.
     */
    public int lanes()
    {
        return lanes;
    }

    /**
     * Slots of an express lane.
     *
     * @return a power of two, or 0 if there are no lanes.
     */
    public int laneSlots()
    {
        return laneSlots;
    }

    /**
     * What is unread: claimed slots of the ring, and published or open ones of the lanes, found by looking at their headers.
     * Any thread.
     *
     * @return number of slots; never negative, and at most those of ring and lanes.
     */
    public long backlogSlots()
    {
        // positions may be damaged: no more is claimed than there is
        long slots = Math.min(ringSlots, Math.max(0, writePosition() - readPosition()));
        for (int lane = 0; lane < lanes; lane++)
        {
            slots += laneBacklogSlots(lane);
        }
        return slots;
    }

    private int laneBacklogSlots(final int index)
    {
        final int shift = Integer.numberOfTrailingZeros(laneSlots);
        final int offset = laneOffset(index);
        final long start = buffer.getLongAcquire(offset + LaneDescriptor.READ_POSITION_OFFSET);
        long position = start;
        int within = LaneDescriptor.within(buffer.getInt(offset + LaneDescriptor.READ_WITHIN_OFFSET));
        while (position - start < laneSlots)
        {
            final int slot = (int)position & laneSlots - 1;
            final long header = buffer.getLongAcquire(offset + LaneDescriptor.SLOTS_OFFSET + (slot << SLOT_SHIFT) + within);
            final boolean isOpen = within == 0 &&
                LaneDescriptor.isOpen(header, MailboxDescriptor.lap(position - laneSlots, shift));
            if (MailboxDescriptor.lap(header) != MailboxDescriptor.lap(position, shift) && !isOpen)
            {
                break;
            }
            position += LaneDescriptor.slots(header);
            within = 0;
        }
        // the length in a damaged header may be anything
        return (int)Math.min(laneSlots, position - start);
    }

    /**
     * Where an express lane begins in the file.
     *
     * @param index of the lane.
     * @return the offset in bytes.
     */
    public int laneOffset(final int index)
    {
        if (index < 0 || index >= lanes)
        {
            throw new IndexOutOfBoundsException("no such lane: found=" + index + ", expected=0 to " + (lanes - 1) +
                ", file=" + file);
        }
        return (int)MailboxDescriptor.lanesOffset(sources, ringSlots, runSlots) + index * LaneDescriptor.length(laneSlots);
    }

    /**
     * What a {@link ClaimMark} says of a claim in this mailbox.
     *
     * @return the key.
     */
    @Override
    public long claimKey()
    {
        return claimKey;
    }

    private static void checkShape(
        final File file, final int id, final int sources, final int ringSlots, final int runSlots)
    {
        check(file, "mailbox id", id, 0, MAX_SOURCES - 1);
        check(file, "sources", sources, 1, MAX_SOURCES);
        check(file, "ring slots", ringSlots, MIN_RING_SLOTS, MAX_RING_SLOTS);
        check(file, "run slots", runSlots, 1, Math.min(MAX_RUN_SLOTS, ringSlots));
        if (Integer.bitCount(ringSlots) != 1)
        {
            throw new MailboxException("ring slots are no power of two: file=" + file + ", found=" + ringSlots);
        }
    }

    private static void checkLanes(final File file, final int lanes, final int laneSlots)
    {
        check(file, "lanes", lanes, 0, LaneDescriptor.MAX_LANES);
        if (lanes > 0)
        {
            check(file, "lane slots", laneSlots, LaneDescriptor.MIN_LANE_SLOTS, LaneDescriptor.MAX_LANE_SLOTS);
        }
        if (Integer.bitCount(laneSlots) > 1 || lanes == 0 && laneSlots != 0)
        {
            throw new MailboxException("lane slots are no power of two, or there are no lanes: file=" + file + ", lanes=" +
                lanes + ", found=" + laneSlots);
        }
    }

    private static void check(final File file, final String what, final int found, final int least, final int most)
    {
        if (found < least || found > most)
        {
            throw new MailboxException(what + " out of range: file=" + file + ", found=" + found + ", expected=" + least +
                " to " + most);
        }
    }
}
