// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Which file system a directory is on, as /proc/self/mountinfo says.
 */
final class MountTable
{
    private static final String SEPARATOR = " - ";
    private static final int MOUNT_POINT_FIELD = 4;
    private static final int OPTIONS_FIELD = 5;

    private MountTable()
    {
    }

    /**
     * A mounted file system.
     *
     * @param point   directory at which it is mounted.
     * @param type    such as tmpfs.
     * @param options of the mount and of the file system.
     */
    record Mount(String point, String type, List<String> options)
    {
    }

    /** The mount that a path is on: of the longest mount point above it, the one that was mounted last. */
    static Optional<Mount> find(final Host host, final String path)
    {
        Mount found = null;
        for (final String line : host.text("/proc/self/mountinfo").orElse("").split("\n"))
        {
            final int separator = line.indexOf(SEPARATOR);
            final String[] left = line.split(" ");
            if (separator < 0 || left.length <= OPTIONS_FIELD)
            {
                continue;
            }
            final String point = left[MOUNT_POINT_FIELD].replace("\\040", " ");
            final String[] right = line.substring(separator + SEPARATOR.length()).split(" ");
            if (isBelow(path, point) && (found == null || point.length() >= found.point().length()))
            {
                final String options = left[OPTIONS_FIELD] + "," + right[right.length - 1];
                found = new Mount(point, right[0], Arrays.asList(options.split(",")));
            }
        }
        return Optional.ofNullable(found);
    }

    static Optional<Mount> find(final Host host, final File directory)
    {
        return find(host, host.nearest(directory).toPath().normalize().toString());
    }

    private static boolean isBelow(final String path, final String point)
    {
        return point.equals("/") || path.equals(point) || path.startsWith(point + "/");
    }
}
