// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.reports.LossReportUtil;
import io.aeron.logbuffer.LogBufferDescriptor;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.tallypost.mailbox.files.NoRoomException;

/**
 * Room for the files of an embedded media driver. All of them are mapped: where a page is not reserved when the file system
 * gets full, the first touch is a bus error, which ends the JVM. Aeron reserves its command and counter file. It reserves logs
 * that are not sparse, and checks before that there is room for each. It does not reserve the loss report, which is done here.
 */
final class DriverFiles
{
    /** Command and counter file with the default lengths, and the loss report: some 47 MiB. */
    static final long FIXED_LENGTH = 48L << 20;

    private static final int PAGE_LENGTH = 4096;

    private DriverFiles()
    {
    }

    /** Bytes of a stream's log. */
    static long logLength(final int termLength)
    {
        return LogBufferDescriptor.computeLogLength(termLength, PAGE_LENGTH);
    }

    /**
     * Refuses to launch a driver if its files cannot all be reserved.
     *
     * @param directory for the files, which exists.
     * @param length    of all of them in bytes.
     * @throws NoRoomException with the numbers.
     */
    static void checkRoom(final File directory, final long length)
    {
        final long usable = directory.getUsableSpace();
        if (usable < length)
        {
            throw noRoom(directory, length, usable, null);
        }
    }

    /**
     * Reserves what a driver has left sparse. Before it does anything: nothing is in these files yet.
     *
     * @param driver that was launched just now.
     * @throws NoRoomException with the numbers.
     */
    static void reserve(final MediaDriver driver)
    {
        final File directory = new File(driver.aeronDirectoryName());
        final File file = LossReportUtil.file(driver.aeronDirectoryName());
        try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.WRITE))
        {
            final ByteBuffer zeros = ByteBuffer.allocate(PAGE_LENGTH);
            for (long at = 0; at < file.length(); at += zeros.position())
            {
                zeros.clear().limit((int)Math.min(PAGE_LENGTH, file.length() - at));
                channel.write(zeros, at);
            }
        }
        catch (final IOException ex)
        {
            throw noRoom(directory, file.length(), directory.getUsableSpace(), ex);
        }
    }

    private static NoRoomException noRoom(
        final File directory, final long needed, final long usable, final IOException cause)
    {
        return new NoRoomException("no room for the media driver's files: directory=" + directory + ", needed=" + needed +
            " bytes, free now=" + usable + "; lower slotsPerSender or termLength, put the node into a directory with more " +
            "room, or give aeronDirectory of a driver that is elsewhere" + (cause == null ? "" : ", cause=" + cause.getMessage()),
            cause, needed);
    }
}
