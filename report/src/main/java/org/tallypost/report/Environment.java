// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The machine and the software that a run ran on. A time without them says nothing.
 *
 * @param processor   model, as the kernel names it.
 * @param cores       that this JVM may use.
 * @param memoryBytes of the machine, or 0 if unknown.
 * @param kernel      name, release and architecture.
 * @param jvm         name and version.
 * @param flags       of the workers' JVMs.
 * @param versions    of Tallypost and its libraries.
 * @param time        when this was written down, in UTC.
 */
public record Environment(
    String processor,
    int cores,
    long memoryBytes,
    String kernel,
    String jvm,
    List<String> flags,
    Map<String, String> versions,
    String time)
{
    /**
     * Looks round.
     *
     * @param flags of the workers' JVMs.
     * @return this machine.
     */
    public static Environment current(final List<String> flags)
    {
        return new Environment(
            processor(Path.of("/proc/cpuinfo")),
            Runtime.getRuntime().availableProcessors(),
            kilobytes(firstValue(Path.of("/proc/meminfo"), "MemTotal", "0 kB")),
            System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch"),
            System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
            flags,
            readVersions(),
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** Many processors share a name, and their family and model tell them apart. */
    private static String processor(final Path cpus)
    {
        final String name = firstValue(cpus, "model name", System.getProperty("os.arch"));
        final String family = firstValue(cpus, "cpu family", "");
        return name + (family.isEmpty() ? "" : " (family " + family + ", model " + firstValue(cpus, "model\t", "") + ")");
    }

    private static String firstValue(final Path path, final String name, final String otherwise)
    {
        if (!Files.isReadable(path))
        {
            return otherwise;
        }
        try (Stream<String> lines = Files.lines(path))
        {
            return lines.filter(line -> line.startsWith(name) && line.indexOf(':') > 0)
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse(otherwise);
        }
        catch (final IOException | UncheckedIOException ex)
        {
            return otherwise;
        }
    }

    private static long kilobytes(final String text)
    {
        return Long.parseLong(text.replaceAll("\\D", "")) * 1024L;
    }

    /** From a resource that the build fills in: a single jar of everything has no manifests to ask. */
    private static Map<String, String> readVersions()
    {
        final Properties properties = new Properties();
        try (InputStream stream = Environment.class.getResourceAsStream("versions.properties"))
        {
            properties.load(stream);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        final Map<String, String> versions = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> versions.put(name, properties.getProperty(name)));
        return versions;
    }
}
