// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * The options with which the JVM of this process was tuned.
 */
public final class TuningFlags
{
    private static final List<String> OWN = List.of("-XX:HeapDumpPath", "-XX:ErrorFile", "-XX:StartFlightRecording");

    private TuningFlags()
    {
    }

    /**
     * The options that the processes of a run get from their parent, so that what is tried with one JVM is tried with all:
     * {@code -XX:}, but for the collector, and for what names a file.
     *
     * @return the options in their order.
     */
    public static List<String> ofThisJvm()
    {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream().filter(TuningFlags::isForAll).toList();
    }

    private static boolean isForAll(final String argument)
    {
        final boolean isCollector = argument.startsWith("-XX:+Use") && argument.endsWith("GC");
        return argument.startsWith("-XX:") && !isCollector && OWN.stream().noneMatch(argument::startsWith);
    }
}
