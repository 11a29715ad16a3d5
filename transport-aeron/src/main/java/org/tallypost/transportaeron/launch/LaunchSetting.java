// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.launch;

import java.util.Locale;

/**
 * What a process has to be told about its group. Each can come from several places, see {@link LaunchConfiguration}.
 */
public enum LaunchSetting
{
    /** Name of the group. */
    GROUP("group"),
    /** Number of ranks. */
    RANKS("ranks"),
    /** Rank of this process, if it has one of its own. */
    RANK("rank"),
    /** The nodes: addresses, each with the number of its ranks or without. */
    NODES("nodes"),
    /** Index of this process's node in that list. */
    NODE("node"),
    /** UDP port of nodes with an address that names none. */
    PORT("port"),
    /** Domain behind the names of hosts that a launcher numbers. */
    DOMAIN("domain"),
    /** Directory on each host in which the nodes' directories are. */
    DIRECTORY("directory"),
    /** File that holds the group's secret. */
    SECRET_FILE("secretFile"),
    /** Seconds for which a process may stand still before others take it, or its node, for gone. */
    LIVENESS_SECONDS("livenessSeconds"),
    /** File that holds settings. */
    FILE("launchFile");

    private final String key;

    LaunchSetting(final String key)
    {
        this.key = key;
    }

    /**
     * Name in a file.
     *
     * @return the key.
     */
    public String key()
    {
        return key;
    }

    /**
     * Name of the system property.
     *
     * @return "tallypost." and the key.
     */
    public String property()
    {
        return "tallypost." + key;
    }

    /**
     * Name of the environment variable.
     *
     * @return such as TALLYPOST_SECRET_FILE.
     */
    public String variable()
    {
        return "TALLYPOST_" + key.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    }
}
