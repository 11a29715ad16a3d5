// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.rma.CrossMemory;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.node.Node;

/**
 * What a rank has beside the mailbox: memory that others map, for buffers of the program and for long messages of other nodes;
 * and the right to read private memory of the others. What has neither takes the mailbox.
 */
final class WorldMemory
{
    /** Most bytes of a rank's mapped memory; 0 for none. What is not in use takes no room. */
    static final String LENGTH = "tallypost.mpi.regionMemory";
    /** Whether private memory is read by a system call: true, false, or auto, which is the default. */
    static final String CROSS = "tallypost.mpi.crossMemory";

    /** Most bytes for copies of long messages, and which part of the mapped memory. */
    private static final int COPY_ROOM = 8 << 20;
    private static final int COPY_SHARE = 8;
    /** The same of the areas that longer ones come into. */
    private static final int STAGING_LENGTH = 16 << 20;
    private static final int STAGING_SHARE = 4;

    private static final Path PTRACE_SCOPE = Path.of("/proc/sys/kernel/yama/ptrace_scope");

    private WorldMemory()
    {
    }

    static MessengerContext context(final Endpoint endpoint, final RegionMemory memory, final boolean isOneNode)
    {
        final MessengerContext context = new MessengerContext().endpoint(endpoint).regionMemory(memory).crossMemory(isCross())
            .copyRoom(memory == null ? 0 : Math.min(COPY_ROOM, length() / COPY_SHARE));
        return isOneNode ? context.stagingLength(stagingLength()) : context;
    }

    private static int stagingLength()
    {
        final int length = Math.min(STAGING_LENGTH, length() / STAGING_SHARE);
        return length < MessengerContext.MIN_STAGING_LENGTH ? 0 : length;
    }

    /** Most bytes of a rank's mapped memory. */
    static int length()
    {
        return Integer.getInteger(LENGTH, RegionMemory.DEFAULT_MAX_LENGTH);
    }

    /** Null if there is to be none, or no room for it. */
    static RegionMemory open(final Node node, final Endpoint endpoint)
    {
        final int length = length();
        try
        {
            return length == 0 ? null : RegionMemory.open(
                node, endpoint, length, RegionMemory.DEFAULT_MAX_ENTRIES, RegionMemory.DEFAULT_MAX_LOANS);
        }
        catch (final MailboxException ex)
        {
            // no room for it, which a program can do without
            return null;
        }
    }

    static boolean isCross()
    {
        final String wanted = System.getProperty(CROSS, "auto");
        switch (wanted)
        {
            case "true":
                return true;
            case "false":
                return false;
            case "auto":
                return isNativeAccessAllowed() && isReadingOthersAllowed() && CrossMemory.whyNot() == null;
            default:
                throw new IllegalArgumentException(CROSS + ": found=" + wanted + ", expected=true, false or auto");
        }
    }

    /** A JVM that was not told to allow it prints a warning at the first call, and Java before 22 has none. */
    private static boolean isNativeAccessAllowed()
    {
        try
        {
            return (boolean)Module.class.getMethod("isNativeAccessEnabled").invoke(CrossMemory.class.getModule());
        }
        catch (final ReflectiveOperationException ex)
        {
            return false;
        }
    }

    /** A kernel without the file has no such limit. */
    private static boolean isReadingOthersAllowed()
    {
        try
        {
            return !Files.exists(PTRACE_SCOPE) || Files.readString(PTRACE_SCOPE).trim().equals("0");
        }
        catch (final IOException ex)
        {
            return false;
        }
    }
}
