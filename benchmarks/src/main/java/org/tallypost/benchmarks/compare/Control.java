// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.MappedFiles;

/**
 * The file by which the parties of a fork keep in step.
 *
 * <pre>
 *      0   8   go: the step that may begin       written by the first party
 *    128   8   stop: the run that has ended      written by the first party
 *    256   8   finished: no more steps           written by the first party
 *    384   8   aborted                           written by whoever fails
 *   1024 + 256 p     8   arrived: step before which party p waits
 *   1024 + 256 p + 8   8   sent: messages of party p so far
 *   1024 + 256 p + 16  8   wrong: messages that party p found damaged
 *   1024 + 256 p + 24  8   sent-step: the run after which 'sent' was written
 *   1024 + 256 p + 32  8   busy: share of the last run in which party p had a core, as the bits of a double
 *   1024 + 256 p + 40  8   compiled: milliseconds for which the JVM of party p compiled during the last run
 *   1024 + 256 p + 48  8   work: nanoseconds that a piece of work took party p (0 or 1), as the bits of a double
 *  32768   lines of the raw probe
 * </pre>
 */
final class Control
{
    static final int MAX_PARTIES = 64;
    static final int PROBE_OFFSET = 32768;

    private static final int GO_OFFSET = 0;
    private static final int STOP_OFFSET = 128;
    private static final int FINISHED_OFFSET = 256;
    private static final int ABORTED_OFFSET = 384;
    private static final int PARTIES_OFFSET = 1024;
    private static final int PARTY_LENGTH = 256;
    private static final int SENT_OFFSET = 8;
    private static final int WRONG_OFFSET = 16;
    private static final int SENT_STEP_OFFSET = 24;
    private static final int BUSY_OFFSET = 32;
    private static final int COMPILED_OFFSET = 40;
    private static final int WORK_OFFSET = 48;

    private final UnsafeBuffer buffer;

    private Control(final UnsafeBuffer buffer)
    {
        this.buffer = buffer;
    }

    static Control create(final File file)
    {
        return new Control(MappedFiles.create(file, PROBE_OFFSET + RawLines.LENGTH, UnsafeBuffer::verifyAlignment));
    }

    static Control attach(final File file)
    {
        return new Control(MappedFiles.map(file, PROBE_OFFSET + RawLines.LENGTH, "control"));
    }

    RawLines probeLines()
    {
        return new RawLines(buffer, PROBE_OFFSET);
    }

    /** Waits until all parties have come to a step. */
    void await(final int party, final int parties, final long step, final Patience patience)
    {
        // SYNC POINT step-arrived
        buffer.putLongRelease(partyOffset(party), step);
        if (party == 0)
        {
            for (int other = 1; other < parties; other++)
            {
                while (buffer.getLongAcquire(partyOffset(other)) < step)
                {
                    patience.idle("party " + other + " at step " + step);
                }
            }
            // SYNC POINT step-go
            buffer.putLongRelease(GO_OFFSET, step);
        }
        else
        {
            while (buffer.getLongAcquire(GO_OFFSET) < step)
            {
                if (party == 1)
                {
                    patience.idle("step " + step);
                }
                else
                {
                    // Others than the first two may have to wait during a probe, and would disturb it.
                    patience.rest("step " + step);
                }
            }
        }
    }

    /** Comes to a step without waiting for the others. */
    void arrive(final int party, final long step)
    {
        buffer.putLongRelease(partyOffset(party), step);
    }

    /** Whether a party has come to a step. */
    boolean hasArrived(final int party, final long step)
    {
        return buffer.getLongAcquire(partyOffset(party)) >= step;
    }

    void stop(final long step)
    {
        // SYNC POINT run-stop
        buffer.putLongRelease(STOP_OFFSET, step);
    }

    boolean isStopped(final long step)
    {
        return buffer.getLongAcquire(STOP_OFFSET) >= step;
    }

    void finish()
    {
        buffer.putLongRelease(FINISHED_OFFSET, 1);
    }

    boolean isFinished()
    {
        return buffer.getLongAcquire(FINISHED_OFFSET) != 0;
    }

    void abort()
    {
        buffer.putLongRelease(ABORTED_OFFSET, 1);
    }

    boolean isAborted()
    {
        return buffer.getLongAcquire(ABORTED_OFFSET) != 0;
    }

    /** All messages of a run are sent: how many there were since the beginning. */
    void sent(final int party, final long step, final long messages)
    {
        buffer.putLong(partyOffset(party) + SENT_OFFSET, messages);
        buffer.putLongRelease(partyOffset(party) + SENT_STEP_OFFSET, step);
    }

    boolean hasSent(final int party, final long step)
    {
        return buffer.getLongAcquire(partyOffset(party) + SENT_STEP_OFFSET) >= step;
    }

    long sent(final int party)
    {
        return buffer.getLong(partyOffset(party) + SENT_OFFSET);
    }

    void busy(final int party, final double share)
    {
        buffer.putDouble(partyOffset(party) + BUSY_OFFSET, share);
    }

    /** The least share of all parties; to be called when all of them have come to a later step. */
    double busy(final int parties)
    {
        double least = 1;
        for (int party = 0; party < parties; party++)
        {
            least = Math.min(least, buffer.getDouble(partyOffset(party) + BUSY_OFFSET));
        }
        return least;
    }

    void work(final int party, final double ns)
    {
        buffer.putDouble(partyOffset(party) + WORK_OFFSET, ns);
    }

    /** The longest of the first two parties'; for one who has seen something later of the other, or does not use it. */
    double work()
    {
        return Math.max(buffer.getDouble(partyOffset(0) + WORK_OFFSET), buffer.getDouble(partyOffset(1) + WORK_OFFSET));
    }

    void compiled(final int party, final long milliseconds)
    {
        buffer.putLong(partyOffset(party) + COMPILED_OFFSET, milliseconds);
    }

    /** The most of all parties; to be called when all of them have come to a later step. */
    long compiled(final int parties)
    {
        long most = 0;
        for (int party = 0; party < parties; party++)
        {
            most = Math.max(most, buffer.getLong(partyOffset(party) + COMPILED_OFFSET));
        }
        return most;
    }

    void wrong(final int party, final long messages)
    {
        buffer.putLongRelease(partyOffset(party) + WRONG_OFFSET, messages);
    }

    long wrong(final int parties)
    {
        long sum = 0;
        for (int party = 0; party < parties; party++)
        {
            sum += buffer.getLongAcquire(partyOffset(party) + WRONG_OFFSET);
        }
        return sum;
    }

    private static int partyOffset(final int party)
    {
        return PARTIES_OFFSET + party * PARTY_LENGTH;
    }
}
