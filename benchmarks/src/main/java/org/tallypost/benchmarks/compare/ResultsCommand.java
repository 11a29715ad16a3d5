// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost results}: pages of figures out of the JSON of {@code compare}.
 * <p>
 * Exit codes: 0 if all pages were written, 1 if a file cannot be read or written or is no report.
 */
@Command(
    name = "results",
    description = "Writes pages out of JSON files of compare: one for each processor and JDK, with the endpoint beside the " +
        "best other transport of each table, and an index. docs/results is made that way.",
    mixinStandardHelpOptions = true)
public final class ResultsCommand implements Callable<Integer>
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String INDEX = "README.md";

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "JSON files that compare has written.")
    private List<Path> files;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "docs/results",
        description = "Directory of the pages, made if it is missing; default ${DEFAULT-VALUE}.")
    private Path out;

    @Override
    public Integer call()
    {
        try
        {
            final Map<String, List<JsonNode>> pages = new TreeMap<>();
            for (final Path file : files)
            {
                final JsonNode report = read(file);
                pages.computeIfAbsent(ResultsPage.title(report), (title) -> new ArrayList<>()).add(report);
            }
            Files.createDirectories(out);
            final StringBuilder index = new StringBuilder(ResultsPage.INDEX_HEAD);
            for (final Map.Entry<String, List<JsonNode>> page : pages.entrySet())
            {
                final String name = ResultsPage.fileName(page.getKey());
                Files.writeString(out.resolve(name), ResultsPage.of(page.getKey(), page.getValue()));
                index.append("- [").append(page.getKey()).append("](").append(name).append(")\n");
            }
            Files.writeString(out.resolve(INDEX), index.toString());
            return 0;
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            final PrintWriter err = spec.commandLine().getErr();
            err.println("results: " + (ex instanceof IllegalArgumentException ? ex.getMessage() : ex.toString()));
            err.flush();
            return 1;
        }
    }

    private static JsonNode read(final Path file) throws IOException
    {
        try
        {
            final JsonNode report = MAPPER.readTree(Files.readString(file));
            if (report.path("rows").isArray() && report.path("settings").isObject() && report.path("environment").isObject())
            {
                return report;
            }
        }
        catch (final JacksonException ex)
        {
            throw new IllegalArgumentException(file + ": found " + ex.getOriginalMessage() + ", expected JSON of compare", ex);
        }
        throw new IllegalArgumentException(
            file + ": found no rows, settings and environment, expected JSON that compare has written with --json");
    }
}
