// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.io.File;
import java.nio.MappedByteBuffer;

import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The mapped file in which the processes of a run meet, tell how far they are, and leave their times.
 * <pre>
 *      0  magic            written last by the parent
 *      8  processes (int)
 *     12  ranks (int)
 *     16  timed steps (int)
 *    128  stop word        0, or the reason why all are to stop
 *    256  process lines, 128 bytes each:
 *          +0  arrived     meetings that this process has come to
 *          +8  step        index of the step that it is in
 *         +16  moved       messages, and endpoints opened, so far
 *         rank lines, 128 bytes each, written by a process that has found nothing to do for a while:
 *          +0  sent        of this step
 *          +8  to send
 *         +16  received    of this step
 *         +24  to receive
 *         times: for each process, for each timed step:
 *          +0  start       System.nanoTime(), one clock for all processes of a host
 *          +8  end
 * </pre>
 * Every line has one writer and lies 128 bytes from the next, because processors fetch lines in pairs.
 */
public final class ControlFile implements AutoCloseable
{
    /** There was no request to stop. */
    public static final long RUNNING = 0;
    /** A process has failed. */
    public static final long FAILED = 1;
    /** No message moved for too long. */
    public static final long STALLED = 2;

    /** Instead of a step: the process opens its ranks. */
    public static final int OPENING = -1;

    private static final long MAGIC = 0x3148434e42505454L;
    private static final int MAGIC_OFFSET = 0;
    private static final int PROCESSES_OFFSET = 8;
    private static final int RANKS_OFFSET = 12;
    private static final int TIMED_OFFSET = 16;
    private static final int STOP_OFFSET = 128;
    private static final int LINES_OFFSET = 256;
    private static final int LINE_LENGTH = 128;
    private static final int ARRIVED_OFFSET = 0;
    private static final int STEP_OFFSET = 8;
    private static final int MOVED_OFFSET = 16;
    private static final int SENT_OFFSET = 0;
    private static final int TO_SEND_OFFSET = 8;
    private static final int RECEIVED_OFFSET = 16;
    private static final int TO_RECEIVE_OFFSET = 24;
    private static final int TIME_LENGTH = 16;

    private final MappedByteBuffer mapped;
    private final UnsafeBuffer buffer;
    private final int processes;
    private final int timedCount;
    private final int ranksOffset;
    private final int timesOffset;

    private ControlFile(final MappedByteBuffer mapped, final int processes, final int ranks, final int timedCount)
    {
        this.mapped = mapped;
        this.buffer = new UnsafeBuffer(mapped);
        this.processes = processes;
        this.timedCount = timedCount;
        ranksOffset = LINES_OFFSET + processes * LINE_LENGTH;
        timesOffset = ranksOffset + ranks * LINE_LENGTH;
    }

    /**
     * Creates the file.
     *
     * @param file       to create.
     * @param processes  worker processes.
     * @param ranks      in the group.
     * @param timedCount timed steps in the schedule.
     * @return the mapped file.
     */
    public static ControlFile create(final File file, final int processes, final int ranks, final int timedCount)
    {
        final long length = LINES_OFFSET + (long)LINE_LENGTH * (processes + ranks) + (long)processes * timedCount * TIME_LENGTH;
        if (length > Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException(
                "control file of " + length + " bytes, expected at most " + Integer.MAX_VALUE + ": fewer repeats are needed");
        }
        final ControlFile control = new ControlFile(IoUtil.mapNewFile(file, length), processes, ranks, timedCount);
        control.buffer.putInt(PROCESSES_OFFSET, processes);
        control.buffer.putInt(RANKS_OFFSET, ranks);
        control.buffer.putInt(TIMED_OFFSET, timedCount);
        control.buffer.putLongRelease(MAGIC_OFFSET, MAGIC);
        return control;
    }

    /**
     * Maps the file that the parent has created.
     *
     * @param file to map.
     * @return the mapped file.
     */
    public static ControlFile map(final File file)
    {
        final MappedByteBuffer mapped = IoUtil.mapExistingFile(file, "control file");
        final UnsafeBuffer header = new UnsafeBuffer(mapped);
        final long magic = header.getLongAcquire(MAGIC_OFFSET);
        if (magic != MAGIC)
        {
            IoUtil.unmap(mapped);
            throw new IllegalStateException(file + ": found magic " + Long.toHexString(magic) + ", expected " +
                Long.toHexString(MAGIC));
        }
        return new ControlFile(
            mapped, header.getInt(PROCESSES_OFFSET), header.getInt(RANKS_OFFSET), header.getInt(TIMED_OFFSET));
    }

    /**
     * Comes to a meeting.
     *
     * @param process that comes.
     * @param meeting number of the meeting, from 1.
     */
    public void arrive(final int process, final long meeting)
    {
        buffer.putLongRelease(line(process) + ARRIVED_OFFSET, meeting); // SYNC POINT meeting
    }

    /**
     * Have all processes come to a meeting?
     *
     * @param meeting number of the meeting.
     * @return true if none is missing.
     */
    public boolean haveAllArrived(final long meeting)
    {
        for (int process = 0; process < processes; process++)
        {
            if (buffer.getLongAcquire(line(process) + ARRIVED_OFFSET) < meeting) // SYNC POINT meeting
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Tells which step a process is in.
     *
     * @param process   that tells.
     * @param stepIndex index of the step.
     */
    public void step(final int process, final int stepIndex)
    {
        buffer.putLongOpaque(line(process) + STEP_OFFSET, stepIndex);
    }

    /**
     * The step that a process is in.
     *
     * @param process asked for.
     * @return index of the step, or {@link #OPENING}.
     */
    public int step(final int process)
    {
        return (int)buffer.getLongOpaque(line(process) + STEP_OFFSET);
    }

    /**
     * Tells how much a process has moved.
     *
     * @param process that tells.
     * @param count   messages, and endpoints opened, since its start.
     */
    public void moved(final int process, final long count)
    {
        buffer.putLongOpaque(line(process) + MOVED_OFFSET, count);
    }

    /**
     * How much a process has moved.
     *
     * @param process asked for.
     * @return messages, and endpoints opened, since its start.
     */
    public long moved(final int process)
    {
        return buffer.getLongOpaque(line(process) + MOVED_OFFSET);
    }

    /**
     * Tells how far a rank is in its step.
     *
     * @param rank  of the endpoint.
     * @param state of it.
     */
    public void rankState(final int rank, final RankState state)
    {
        final int offset = ranksOffset + rank * LINE_LENGTH;
        buffer.putLongOpaque(offset + SENT_OFFSET, state.sent());
        buffer.putLongOpaque(offset + TO_SEND_OFFSET, state.toSend());
        buffer.putLongOpaque(offset + RECEIVED_OFFSET, state.received());
        buffer.putLongOpaque(offset + TO_RECEIVE_OFFSET, state.toReceive());
    }

    /**
     * How far a rank was when its process last found nothing to do.
     *
     * @param rank of the endpoint.
     * @return its state, all zero if it never waited.
     */
    public RankState rankState(final int rank)
    {
        final int offset = ranksOffset + rank * LINE_LENGTH;
        return new RankState(
            rank,
            buffer.getLongOpaque(offset + SENT_OFFSET),
            buffer.getLongOpaque(offset + TO_SEND_OFFSET),
            buffer.getLongOpaque(offset + RECEIVED_OFFSET),
            buffer.getLongOpaque(offset + TO_RECEIVE_OFFSET));
    }

    /**
     * Leaves the times of a step.
     *
     * @param process    that leaves them.
     * @param timedIndex of the step.
     * @param startNs    by System.nanoTime().
     * @param endNs      by System.nanoTime().
     */
    public void times(final int process, final int timedIndex, final long startNs, final long endNs)
    {
        final int offset = time(process, timedIndex);
        buffer.putLong(offset, startNs);
        buffer.putLong(offset + 8, endNs);
    }

    /**
     * Time of a step: from the first process's start to the last one's end. Valid once all processes have ended.
     *
     * @param timedIndex of the step.
     * @return nanoseconds.
     */
    public long durationNs(final int timedIndex)
    {
        final long origin = buffer.getLong(time(0, timedIndex));
        long first = 0;
        long last = 0;
        for (int process = 0; process < processes; process++)
        {
            // By subtraction: nanoTime may pass from the largest long to the smallest one.
            first = Math.min(first, buffer.getLong(time(process, timedIndex)) - origin);
            last = Math.max(last, buffer.getLong(time(process, timedIndex) + 8) - origin);
        }
        return last - first;
    }

    /**
     * Asks all processes to stop. The first reason given holds.
     *
     * @param reason {@link #FAILED} or {@link #STALLED}.
     */
    public void stop(final long reason)
    {
        buffer.compareAndSetLong(STOP_OFFSET, RUNNING, reason);
    }

    /**
     * Why all are to stop.
     *
     * @return {@link #RUNNING}, {@link #FAILED} or {@link #STALLED}.
     */
    public long stopReason()
    {
        return buffer.getLongOpaque(STOP_OFFSET);
    }

    @Override
    public void close()
    {
        IoUtil.unmap(mapped);
    }

    private int line(final int process)
    {
        return LINES_OFFSET + process * LINE_LENGTH;
    }

    private int time(final int process, final int timedIndex)
    {
        return timesOffset + (process * timedCount + timedIndex) * TIME_LENGTH;
    }
}
