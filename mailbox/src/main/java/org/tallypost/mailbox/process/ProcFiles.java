// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.StringTokenizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tallypost.mailbox.process.ProcessIdentity.Liveness;

/**
 * What Linux's /proc tells of processes, and whether that is evidence. It is only if /proc counts pids as this process does: a
 * sandbox may have a pid namespace of its own and show the /proc of its host. Start times count only if both processes are in one
 * time namespace. That a process is not seen proves nothing where processes are hidden.
 */
final class ProcFiles
{
    private static final String NS_PID = "\nNSpid:";
    private static final Pattern HIDE_PID = Pattern.compile("[ ,]hidepid=(\\w+)");
    private static final int MOUNT_POINT_FIELD = 4;
    /** Fields of "stat" from the third on. */
    private static final int STATE_FIELD = 0;
    private static final int THREADS_FIELD = 17;
    private static final int START_TIME_FIELD = 19;

    private final Path root;
    private final long pid;
    private final long startTime;
    private final long namespace;
    private final boolean isOurs;
    private final boolean isHiding;

    /**
     * Looks at what is there.
     *
     * @param root where it is mounted.
     * @param pid  of this process as the process itself knows it, 0 if it does not.
     */
    ProcFiles(final Path root, final long pid)
    {
        this.root = root;
        final long[] pids = namespacePids();
        this.pid = pid != 0 || pids.length == 0 ? pid : pids[pids.length - 1];
        startTime = ownStartTime();
        namespace = namespaces();
        // one number for each namespace from that of the mount to that of the process
        isOurs = pids.length == 0 ? isSelf() : pids.length == 1 && pids[0] == this.pid;
        isHiding = hides();
    }

    /** This process. */
    ProcessIdentity current()
    {
        return new ProcessIdentity(pid, startTime, namespace);
    }

    /** Whether a process is there: UNKNOWN if what is seen here is no evidence. */
    Liveness probe(final ProcessIdentity process)
    {
        if (!isOurs || namespace == 0 || process.namespace() != namespace || process.startTime() == 0)
        {
            return Liveness.UNKNOWN;
        }
        final Path directory = root.resolve(Long.toString(process.pid()));
        try
        {
            final String[] fields = statFields(directory);
            final char state = fields[STATE_FIELD].charAt(0);
            // a zombie may still store, as long as not all of its other threads have left the processor
            return Long.parseLong(fields[START_TIME_FIELD]) != process.startTime() ||
                (state == 'Z' || state == 'X') && Integer.parseInt(fields[THREADS_FIELD]) <= 1 ? Liveness.DEAD : Liveness.ALIVE;
        }
        catch (final NoSuchFileException ex)
        {
            return absent();
        }
        catch (final IOException | RuntimeException ex)
        {
            // the process can go while its file is being read: then the next look finds no file
            return isHiding ? Liveness.UNKNOWN : Files.exists(directory) ? Liveness.ALIVE :
                Files.notExists(directory) ? absent() : Liveness.UNKNOWN;
        }
    }

    /** A process that is not seen is dead, unless it may be hidden, or this process is not seen either. */
    private Liveness absent()
    {
        try
        {
            final boolean isSeen =
                Long.parseLong(statFields(root.resolve(Long.toString(pid)))[START_TIME_FIELD]) == startTime;
            return isSeen && !isHiding ? Liveness.DEAD : Liveness.UNKNOWN;
        }
        catch (final IOException | RuntimeException ex)
        {
            return Liveness.UNKNOWN;
        }
    }

    /** Fields of PID/stat from the third, "state", on: the second may hold blanks and parentheses. */
    private static String[] statFields(final Path directory) throws IOException
    {
        final String stat = new String(Files.readAllBytes(directory.resolve("stat")), StandardCharsets.ISO_8859_1);
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private long ownStartTime()
    {
        try
        {
            return Long.parseLong(statFields(root.resolve("self"))[START_TIME_FIELD]);
        }
        catch (final IOException | RuntimeException ex)
        {
            return 0;
        }
    }

    private long[] namespacePids()
    {
        try
        {
            final String status = text("self/status");
            final int begin = status.indexOf(NS_PID);
            final int end = status.indexOf('\n', begin + 1);
            if (begin < 0 || end < 0)
            {
                return new long[0];
            }
            final StringTokenizer numbers = new StringTokenizer(status.substring(begin + NS_PID.length(), end));
            final long[] pids = new long[numbers.countTokens()];
            for (int i = 0; i < pids.length; i++)
            {
                pids[i] = Long.parseLong(numbers.nextToken());
            }
            return pids;
        }
        catch (final IOException | RuntimeException ex)
        {
            return new long[0];
        }
    }

    /** Before Linux 4.1, and where /proc is in parts only. */
    private boolean isSelf()
    {
        try
        {
            return Files.readSymbolicLink(root.resolve("self")).getFileName().toString().equals(Long.toString(pid));
        }
        catch (final IOException | RuntimeException ex)
        {
            return false;
        }
    }

    /** Inodes of the namespaces: of pids below, of time above; 0 if that of pids is not known. */
    private long namespaces()
    {
        final long pids = inode("self/ns/pid");
        return pids == 0 ? 0 : inode("self/ns/time") << Integer.SIZE | pids;
    }

    private long inode(final String link)
    {
        try
        {
            // "pid:[4026531836]"
            return Long.parseLong(Files.readSymbolicLink(root.resolve(link)).toString().replaceAll("\\D", "")) & 0xFFFF_FFFFL;
        }
        catch (final IOException | RuntimeException ex)
        {
            return 0;
        }
    }

    /** Whether processes may be there that are not shown: also if that cannot be found out. */
    private boolean hides()
    {
        boolean isFound = false;
        boolean isHidden = true;
        try
        {
            for (final String line : text("self/mountinfo").split("\n"))
            {
                final String[] fields = line.split(" ");
                if (fields.length > MOUNT_POINT_FIELD && fields[MOUNT_POINT_FIELD].equals(root.toString()))
                {
                    // of several at one place the last one is seen
                    final Matcher option = HIDE_PID.matcher(line);
                    isHidden = option.find() && !option.group(1).equals("0") && !option.group(1).equals("off");
                    isFound = true;
                }
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            return true;
        }
        return !isFound || isHidden;
    }

    private String text(final String name) throws IOException
    {
        return new String(Files.readAllBytes(root.resolve(name)), StandardCharsets.ISO_8859_1);
    }
}
