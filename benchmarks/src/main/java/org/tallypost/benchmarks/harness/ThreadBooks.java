// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;

/**
 * Reads what the kernel has booked for this thread and the machine. What is not there is {@link Booking#UNKNOWN}. For one thread,
 * which makes it.
 */
public final class ThreadBooks
{
    private static final int BUFFER_LENGTH = 4096;
    private static final int STEAL_FIELD = 8;
    private static final long TICK_NS = 10_000_000;
    private static final String SWITCHES = "nonvoluntary_ctxt_switches:";

    private final RandomAccessFile delays = open("/proc/thread-self/schedstat");
    private final RandomAccessFile status = open("/proc/thread-self/status");
    private final RandomAccessFile machine = open("/proc/stat");
    private final byte[] bytes = new byte[BUFFER_LENGTH];
    private long startDelayNs;
    private long startSwitches;
    private long startStealNs;

    /** Of this thread. */
    public ThreadBooks()
    {
    }

    private static RandomAccessFile open(final String name)
    {
        try
        {
            return new RandomAccessFile(name, "r");
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    /** A turn begins. */
    public void start()
    {
        startDelayNs = runDelayNs();
        startSwitches = switches();
        startStealNs = stealNs();
    }

    /**
     * A turn of a thread that measures nothing of its own ends.
     *
     * @param elapsedNs since its start, in nanoseconds.
     * @return as {@link Booking#lostShare(int)} on this machine.
     */
    public double lostShare(final long elapsedNs)
    {
        return end(elapsedNs, Role.Measured.nothing(0)).lostShare(Runtime.getRuntime().availableProcessors());
    }

    Booking end(final long elapsedNs, final Role.Measured measured)
    {
        return new Booking(elapsedNs, measured.countedNs(), measured.messages(), measured.wrong(),
            since(startSwitches, switches()), since(startDelayNs, runDelayNs()), since(startStealNs, stealNs()),
            measured.detail());
    }

    private static long since(final long start, final long end)
    {
        return start < 0 || end < 0 ? Booking.UNKNOWN : Math.max(0, end - start);
    }

    private long runDelayNs()
    {
        return field(read(delays), 1);
    }

    private long switches()
    {
        final String text = read(status);
        final int at = text.indexOf(SWITCHES);
        return at < 0 ? Booking.UNKNOWN : field(text.substring(at), 1);
    }

    private long stealNs()
    {
        final String text = read(machine);
        final long ticks = text.startsWith("cpu ") ? field(text, STEAL_FIELD) : Booking.UNKNOWN;
        return ticks < 0 ? Booking.UNKNOWN : ticks * TICK_NS;
    }

    private String read(final RandomAccessFile file)
    {
        if (file != null)
        {
            try
            {
                file.seek(0);
                final int count = file.read(bytes);
                return count <= 0 ? "" : new String(bytes, 0, count, StandardCharsets.US_ASCII);
            }
            catch (final IOException ignore)
            {
                // the machine does not tell
            }
        }
        return "";
    }

    private static long field(final String text, final int index)
    {
        final String[] fields = text.strip().split("\\s+", index + 2);
        try
        {
            return fields.length > index ? Long.parseLong(fields[index]) : Booking.UNKNOWN;
        }
        catch (final NumberFormatException ex)
        {
            return Booking.UNKNOWN;
        }
    }
}
