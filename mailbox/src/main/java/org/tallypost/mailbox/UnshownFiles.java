// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.File;

/**
 * Files of a node that are being made and do not have their names yet. A process that is ended meanwhile leaves them behind, with
 * all the room that they reserve. Nobody makes one without the node's lock, which the system frees with the process: so a
 * process that holds the lock and is not making one finds only such leftovers.
 */
public final class UnshownFiles
{
    /** Begin of their names. */
    static final String PREFIX = ".";
    /** End of their names. */
    static final String SUFFIX = ".new";

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
        return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
    }

    private static File[] find(final File directory)
    {
        final File[] found = directory.listFiles((parent, name) -> isName(name));
        return found == null ? new File[0] : found;
    }

    /**
     * Removes them. The caller holds the node's lock, and is not making one.
     *
     * @param directory of the node.
     */
    public static void remove(final File directory)
    {
        for (final File file : find(directory))
        {
            file.delete();
        }
    }

    /**
     * Removes them if there are any, unless somebody has the lock at this moment. Does not wait for another process.
     *
     * @param directory of the node.
     * @return false if this is to be tried again.
     */
    public static boolean tryRemove(final File directory)
    {
        // the process that has the lock may be making one
        return find(directory).length == 0 || NodeLock.tryLocked(NodeLock.file(directory), () -> remove(directory));
    }
}
