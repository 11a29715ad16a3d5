// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

import org.tallypost.benchmarks.harness.TuningFlags;

/**
 * How the JVMs of a comparison are started.
 */
public final class JvmFlags
{
    /** Further flags where messages may be long: they are kept outside of the heap, but for those that Aeron puts together. */
    public static final List<String> BULK = List.of("-Xmx512m", "-XX:MaxDirectMemorySize=4g");

    private static final int HEAP_MEBIBYTES = 64;
    private static final int JDK_WITH_UNSAFE_WARNING = 24;

    private JvmFlags()
    {
    }

    /**
     * Flags of all JVMs: those of every run, and the parent's own tuning flags.
     *
     * @return the flags.
     */
    public static List<String> flags()
    {
        final List<String> flags = new ArrayList<>(List.of(
            "-Xms" + HEAP_MEBIBYTES + "m",
            "-Xmx" + HEAP_MEBIBYTES + "m",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-XX:+DisplayVMOutputToStderr",
            "-Dagrona.disable.bounds.checks=true",
            "-Daeron.disable.bounds.checks=true",
            "--add-opens",
            "java.base/jdk.internal.misc=ALL-UNNAMED"));
        if (Runtime.version().feature() >= JDK_WITH_UNSAFE_WARNING)
        {
            flags.add("--sun-misc-unsafe-memory-access=allow");
        }
        TuningFlags.ofThisJvm().stream().filter((flag) -> !flags.contains(flag)).forEach(flags::add);
        return flags;
    }

    /**
     * How a JVM is started.
     *
     * @param further   flags.
     * @param classPath of another build, or null for this JVM's own.
     * @param main      its class.
     * @param arguments of it.
     * @return the command line.
     */
    public static List<String> command(
        final List<String> further, final String classPath, final Class<?> main, final String... arguments)
    {
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(flags());
        command.addAll(further);
        command.add("-cp");
        command.add(classPath != null ? classPath : System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return command;
    }
}
