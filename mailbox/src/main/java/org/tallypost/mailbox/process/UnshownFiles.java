// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import java.io.File;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tallypost.mailbox.files.UnshownFile;

/**
 * Files of a node that are being made and do not have their names yet. A process that is ended meanwhile leaves them behind, with
 * all the room that they reserve. Some are made under the node's lock, which the system frees with the process: a process that
 * holds the lock and is not making one finds only leftovers of these. The names of the others tell which process makes them.
 */
public final class UnshownFiles
{
    private static final Pattern OWNED = Pattern.compile("\\..*\\.(\\d{1,9})-(\\d{1,10})" + Pattern.quote(UnshownFile.SUFFIX));

    private UnshownFiles()
    {
    }

    /**
     * Whether a file is one of them.
     *
     * @param name of the file.
     * @return true if so.
     */
    public static boolean isName(final String name)
    {
        return name.startsWith(UnshownFile.PREFIX) && name.endsWith(UnshownFile.SUFFIX);
    }

    /**
     * End of the name of a file that a process makes without the node's lock.
     *
     * @param process     index of the process.
     * @param incarnation of it.
     * @return the suffix.
     */
    public static String suffix(final int process, final int incarnation)
    {
        return "." + process + "-" + incarnation + UnshownFile.SUFFIX;
    }

    /** Those that no process is making, seen by the holder of the lock. */
    private static File[] find(final File directory, final Registry registry)
    {
        final File[] found = directory.listFiles((parent, name) -> isLeft(name, registry));
        return found == null ? new File[0] : found;
    }

    /**
     * Whether a file is one of them that no process is making, seen by the holder of the node's lock, or while the lock is free.
     *
     * @param name     of the file.
     * @param registry of the node.
     * @return true if so.
     */
    public static boolean isLeft(final String name, final Registry registry)
    {
        return isName(name) && !isOfLiveProcess(name, registry);
    }

    private static boolean isOfLiveProcess(final String name, final Registry registry)
    {
        final Matcher owner = OWNED.matcher(name);
        return owner.matches() && registry.isLive(Integer.parseInt(owner.group(1)), (int)Long.parseLong(owner.group(2)));
    }

    /**
     * Removes those that no process is making. The caller holds the node's lock, and is not making one under it.
     *
     * @param directory of the node.
     * @param registry  of the node.
     */
    public static void remove(final File directory, final Registry registry)
    {
        for (final File file : find(directory, registry))
        {
            file.delete();
        }
    }

    /**
     * Removes them if there are any, unless the lock is held at this moment. Does not wait for another process.
     *
     * @param directory of the node.
     * @param registry  of the node.
     * @return false if this is to be tried again.
     */
    public static boolean tryRemove(final File directory, final Registry registry)
    {
        // the process that has the lock may be making one
        return find(directory, registry).length == 0 ||
            NodeLock.tryLocked(NodeLock.file(directory), () -> remove(directory, registry));
    }
}
