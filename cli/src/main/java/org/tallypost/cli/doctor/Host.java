// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.io.File;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the checks know of the machine. Nothing here throws: what cannot be read is empty.
 */
public interface Host
{
    /**
     * The contents of a file of /proc or /sys.
     *
     * @param path of it, such as "/proc/self/limits".
     * @return the contents without white space at their ends.
     */
    Optional<String> text(String path);

    /**
     * The names in a directory of /proc or /sys.
     *
     * @param path of it.
     * @return in their order; none if there is no such directory.
     */
    List<String> names(String path);

    /**
     * A directory, or the nearest one above it that is there.
     *
     * @param directory that need not be there.
     * @return it or one above it.
     */
    File nearest(File directory);

    /**
     * The file system of a directory, or of the nearest one above it that is there.
     *
     * @param directory that need not be there.
     * @return its bytes.
     */
    Optional<Room> room(File directory);

    /**
     * Owner and permissions.
     *
     * @param file that need not be there.
     * @return nothing if it is not there.
     */
    Optional<Place> place(File file);

    /**
     * The user of this process.
     *
     * @return the number of the user, or nothing if the system has none.
     */
    Optional<Integer> uid();

    /**
     * This process.
     *
     * @return its id as the process itself knows it.
     */
    long pid();

    /**
     * The JVM.
     *
     * @return what it says.
     */
    Jvm jvm();

    /**
     * The node of a directory.
     *
     * @param directory that may have none.
     * @return nothing if there is none.
     */
    Optional<NodeFacts> node(File directory);

    /**
     * The directories of nodes below a directory that is no node's itself.
     *
     * @param directory to look in, a few levels deep.
     * @return those that this user may see.
     */
    List<File> nodesBelow(File directory);

    /**
     * Bytes of a file system.
     *
     * @param total in bytes.
     * @param free  of these, for this user.
     */
    record Room(long total, long free)
    {
    }

    /**
     * A file or directory.
     *
     * @param isDirectory whether it is one.
     * @param uid         of its owner.
     * @param mode        its permissions.
     * @param isSticky    whether only owners remove their files.
     * @param isWritable  whether this process may write to it.
     */
    record Place(
        boolean isDirectory, int uid, Set<PosixFilePermission> mode, boolean isSticky, boolean isWritable)
    {
    }

    /**
     * A JVM.
     *
     * @param feature version, such as 17.
     * @param system  name of the operating system.
     * @param arch    name of the processor's architecture.
     * @param isOpen  whether Agrona may use the package of the JDK that it needs.
     */
    record Jvm(int feature, String system, String arch, boolean isOpen)
    {
    }
}
