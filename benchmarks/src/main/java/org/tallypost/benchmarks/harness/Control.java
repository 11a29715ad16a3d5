// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.io.File;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MappedFiles;

/**
 * The file by which the parties of a team begin and end a turn together.
 *
 * <pre>
 *      0   8   go: the step that may begin       written by the first party
 *    128   8   stop: the step in which no more is to be sent, written by the first party
 *    256   8   aborted                           written by a party that fails
 *    384   8   begin: when the first message of a turn or burst was due, written by the second party
 *    392   8   begun: number of that turn or burst, written behind it
 *    512   8   delivered: messages that have come, written by the first party
 *    640   8   end: the step of which all has come, written by the first party
 *   1024 + 256 p      8   arrived: the step that party p is ready for
 *   1024 + 256 p + 8  8   sent: messages of party p so far
 *   1024 + 256 p + 16 8   sent-step: the step after which 'sent' was written
 * </pre>
 */
public final class Control
{
    /** Most parties of a team. */
    public static final int MAX_PARTIES = 64;

    private static final long PAUSE_NS = 1_000_000;
    private static final int GO_OFFSET = 0;
    private static final int STOP_OFFSET = 128;
    private static final int ABORTED_OFFSET = 256;
    private static final int BEGIN_OFFSET = 384;
    private static final int BEGUN_OFFSET = 392;
    private static final int DELIVERED_OFFSET = 512;
    private static final int END_OFFSET = 640;
    private static final int PARTIES_OFFSET = 1024;
    private static final int PARTY_LENGTH = 256;
    private static final int SENT_OFFSET = 8;
    private static final int SENT_STEP_OFFSET = 16;
    private static final int LENGTH = PARTIES_OFFSET + MAX_PARTIES * PARTY_LENGTH;

    private final UnsafeBuffer buffer;

    private Control(final UnsafeBuffer buffer)
    {
        this.buffer = buffer;
    }

    /**
     * Makes the file.
     *
     * @param file that is not there yet.
     * @return the control.
     */
    public static Control create(final File file)
    {
        return new Control(MappedFiles.create(file, LENGTH, UnsafeBuffer::verifyAlignment));
    }

    /**
     * Maps the file that another process has made.
     *
     * @param file that is there.
     * @return the control.
     */
    public static Control attach(final File file)
    {
        return new Control(MappedFiles.map(file, LENGTH, "control"));
    }

    /**
     * Waits for the file that another process makes, and maps it.
     *
     * @param file      that may not be there yet.
     * @param process   number of the process that waits, for the message.
     * @param timeoutMs longest time, in milliseconds.
     * @return the control.
     * @throws IllegalStateException if the time is up.
     */
    public static Control await(final File file, final int process, final int timeoutMs)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (!file.exists())
        {
            if (System.nanoTime() - deadlineNs >= 0)
            {
                throw new IllegalStateException("timeout: process " + process + " waited for the first process");
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        return attach(file);
    }

    /**
     * Waits until all parties are ready for a step.
     *
     * @param party    that is ready.
     * @param parties  that take part in the step, with the numbers from 0.
     * @param step     greater than all before.
     * @param patience of the party.
     */
    public void await(final int party, final int parties, final long step, final Patience patience)
    {
        // SYNC POINT step-arrived
        buffer.putLongRelease(partyOffset(party), step);
        patience.begin();
        if (party == 0)
        {
            for (int other = 1; other < parties; other++)
            {
                while (buffer.getLongAcquire(partyOffset(other)) < step)
                {
                    patience.idle("another party at the start of the turn");
                }
            }
            // SYNC POINT step-go
            buffer.putLongRelease(GO_OFFSET, step);
        }
        else
        {
            while (buffer.getLongAcquire(GO_OFFSET) < step)
            {
                patience.idle("the first party at the start of the turn");
            }
        }
    }

    /**
     * Stops all parties: no more messages of a step are to be sent. What was sent is still under way.
     *
     * @param step of the turn.
     */
    public void stop(final long step)
    {
        // SYNC POINT run-stop
        buffer.putLongRelease(STOP_OFFSET, step);
    }

    /**
     * Whether no more messages of a step are to be sent.
     *
     * @param step of the turn.
     * @return true if so.
     */
    public boolean isStopped(final long step)
    {
        return buffer.getLongAcquire(STOP_OFFSET) >= step;
    }

    /**
     * Ends a step for all parties: all of its messages have come.
     *
     * @param step that ends.
     */
    public void end(final long step)
    {
        stop(step);
        buffer.putLongRelease(END_OFFSET, step);
    }

    /**
     * Whether all messages of a step have come.
     *
     * @param step that may have ended.
     * @return true if so.
     */
    public boolean isEnded(final long step)
    {
        return buffer.getLongAcquire(END_OFFSET) >= step;
    }

    /** Tells all parties that one of them failed. */
    public void abort()
    {
        buffer.putLongRelease(ABORTED_OFFSET, 1);
    }

    boolean isAborted()
    {
        return buffer.getLongAcquire(ABORTED_OFFSET) != 0;
    }

    /**
     * Says when the first message of a turn or burst is due, before it is sent.
     *
     * @param number of the turn or burst, greater than all before.
     * @param ns     by the clock of {@link System#nanoTime()}, which is the same in all processes.
     */
    public void begin(final long number, final long ns)
    {
        buffer.putLong(BEGIN_OFFSET, ns);
        // SYNC POINT begun
        buffer.putLongRelease(BEGUN_OFFSET, number);
    }

    /**
     * When the first message of a turn or burst was due; for a party that has received a message of it.
     *
     * @param number   of the turn or burst.
     * @param patience of the party.
     * @return nanoseconds by the same clock.
     */
    public long beganNs(final long number, final Patience patience)
    {
        while (buffer.getLongAcquire(BEGUN_OFFSET) != number)
        {
            patience.idle("the time of the first message");
        }
        return buffer.getLong(BEGIN_OFFSET);
    }

    /**
     * Says how many messages have come.
     *
     * @param messages since the party began.
     */
    public void delivered(final long messages)
    {
        buffer.putLongRelease(DELIVERED_OFFSET, messages);
    }

    /**
     * Messages that have come.
     *
     * @return their number since the first party began.
     */
    public long delivered()
    {
        return buffer.getLongAcquire(DELIVERED_OFFSET);
    }

    /**
     * All messages of a step are sent.
     *
     * @param party    that sent them.
     * @param step     of the turn.
     * @param messages that it has sent since it began.
     */
    public void sent(final int party, final long step, final long messages)
    {
        buffer.putLong(partyOffset(party) + SENT_OFFSET, messages);
        buffer.putLongRelease(partyOffset(party) + SENT_STEP_OFFSET, step);
    }

    /**
     * Whether a party has sent all messages of a step.
     *
     * @param party that sends.
     * @param step  of the turn.
     * @return true if so.
     */
    public boolean hasSent(final int party, final long step)
    {
        return buffer.getLongAcquire(partyOffset(party) + SENT_STEP_OFFSET) >= step;
    }

    /**
     * Messages that a party has sent, once {@link #hasSent} is true.
     *
     * @param party that sent.
     * @return their number since it began.
     */
    public long sent(final int party)
    {
        return buffer.getLong(partyOffset(party) + SENT_OFFSET);
    }

    private static int partyOffset(final int party)
    {
        return PARTIES_OFFSET + party * PARTY_LENGTH;
    }
}
