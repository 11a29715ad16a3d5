// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.benchmarks.Tallypost;
import picocli.CommandLine;

class ResultsCommandTest
{
    private static final String CONTESTANTS = "{\"label\":\"tallypost-endpoint\",\"kind\":\"TALLYPOST_ENDPOINT\"}," +
        "{\"label\":\"raw\",\"kind\":\"RAW\"},{\"label\":\"aeron-ipc\",\"kind\":\"AERON_IPC\"}," +
        "{\"label\":\"agrona-one-to-one\",\"kind\":\"AGRONA_ONE_TO_ONE\"}";

    @TempDir
    private Path directory;
    private final StringWriter errors = new StringWriter();

    private int execute(final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of("results", "--out", directory.resolve("out").toString()));
        all.addAll(Arrays.asList(arguments));
        return new CommandLine(new Tallypost()).setErr(new PrintWriter(errors)).execute(all.toArray(new String[0]));
    }

    private static String row(
        final String mode, final String against, final double median, final double ratio, final String verdict)
    {
        return "{\"transport\":\"tallypost-endpoint\",\"mode\":\"" + mode +
            "\",\"scope\":\"processes\",\"length\":48,\"producers\":1,\"against\":\"" + against + "\",\"median\":" + median +
            ",\"ratio\":{\"median\":" + ratio + ",\"low\":" + (ratio - 0.1) + ",\"high\":" + (ratio + 0.1) +
            "},\"verdict\":\"" + verdict + "\",\"offered\":null,\"invalid\":null}";
    }

    private static String reference(final String mode, final String transport, final double median)
    {
        return "{\"transport\":\"" + transport + "\",\"mode\":\"" + mode + "\",\"scope\":\"processes\",\"length\":48," +
            "\"producers\":1,\"against\":null,\"median\":" + median + ",\"offered\":null,\"invalid\":null}";
    }

    private String report(final String name, final int jdk, final int busy, final String... rows) throws IOException
    {
        return Files.writeString(directory.resolve(name), "{\"rows\":[" + String.join(",", rows) +
            "],\"settings\":{\"busy\":" + busy + ",\"contestants\":[" + CONTESTANTS + "]},\"environment\":{\"processor\":" +
            "\"CPU X\",\"cores\":2,\"kernel\":\"Linux 6\",\"jvm\":\"Some 64-Bit VM " + jdk + ".0.1+6\",\"flags\":[" +
            "\"-Xmx64m\"],\"versions\":{\"aeron\":\"1.2\"},\"time\":\"2026-11-26T12:00:00Z\"},\"command\":" +
            "\"bin/tallypost compare --busy " + busy + "\"}").toString();
    }

    @Test
    void shouldShowTheBestOtherOfEachTableAndWhereTheEndpointIsBehind() throws IOException
    {
        final String first = report("first", 17, 0,
            reference("rtt", "raw", 100), reference("rtt", "aeron-ipc", 200), reference("rtt", "agrona-one-to-one", 150),
            row("rtt", "raw", 180, 1.8, "worse"), row("rtt", "aeron-ipc", 180, 0.9, "better"),
            row("rtt", "agrona-one-to-one", 180, 1.2, "worse"),
            reference("rate", "aeron-ipc", 20e6), reference("rate", "agrona-one-to-one", 40e6),
            row("rate", "aeron-ipc", 60e6, 3, "better"), row("rate", "agrona-one-to-one", 60e6, 1.5, "better"));
        final String second = report("second", 17, 2,
            reference("rate", "aeron-ipc", 20e6), row("rate", "aeron-ipc", 10e6, 0.5, "worse"));
        final String other = report("other", 25, 0,
            reference("rtt", "aeron-ipc", 200), row("rtt", "aeron-ipc", 100, 0.5, "better"));
        assertEquals(0, execute(first, second, other), errors::toString);
        final String page = Files.readString(directory.resolve("out/cpu-x-2-cores-jdk-17.md"));
        assertTrue(page.startsWith("# CPU X, 2 cores, JDK 17\n"), page);
        assertTrue(page.contains(
            "| round trip, 48 bytes | 180 ns | agrona-one-to-one | 150 ns | 1.20 (1.10 to 1.30) | worse |\n"), page);
        assertTrue(page.contains(
            "| rate, 48 bytes, 1 producer | 60.00 M/s | agrona-one-to-one | 40.00 M/s | 1.50 (1.40 to 1.60) | better |\n"), page);
        assertTrue(page.contains("| rate, 48 bytes, 1 producer, beside 2 busy threads | 10.00 M/s | aeron-ipc |"), page);
        assertTrue(page.contains("## Where it is behind\n\n" +
            "- rate, 48 bytes, 1 producer, beside 2 busy threads: 0.50 of the rate of aeron-ipc\n" +
            "- round trip, 48 bytes: 1.20 times the time of agrona-one-to-one\n\n"), page);
        assertTrue(page.contains("    bin/tallypost compare --busy 0\n    bin/tallypost compare --busy 2\n"), page);
        assertFalse(page.contains("raw"), "a bound is no peer");
        final String later = Files.readString(directory.resolve("out/cpu-x-2-cores-jdk-25.md"));
        assertTrue(later.contains("Nowhere in these tables."), later);
        final String index = Files.readString(directory.resolve("out/README.md"));
        assertTrue(index.endsWith("- [CPU X, 2 cores, JDK 17](cpu-x-2-cores-jdk-17.md)\n" +
            "- [CPU X, 2 cores, JDK 25](cpu-x-2-cores-jdk-25.md)\n"), index);
    }

    @Test
    void shouldRefuseWhatIsNoReport() throws IOException
    {
        assertEquals(1, execute(directory.resolve("none").toString()));
        assertEquals(1, execute(Files.writeString(directory.resolve("empty"), "{}").toString()));
        assertTrue(errors.toString().contains("empty: found no rows, settings and environment, expected JSON that compare"),
            errors::toString);
        assertEquals(1, execute(Files.writeString(directory.resolve("broken"), "{").toString()));
        assertTrue(errors.toString().contains("broken: found Unexpected end-of-input"), errors::toString);
        assertEquals(2, execute());
        assertFalse(Files.exists(directory.resolve("out")), "nothing is begun");
    }
}
