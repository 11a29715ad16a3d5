// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.cli.console.TextTable;
import org.tallypost.collectives.Algorithm;
import org.tallypost.collectives.CostProfile;
import org.tallypost.collectives.MeasuredTime;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost study collectives}: how good the choice of algorithms is.
 */
@Command(
    name = "collectives",
    description = "Collectives of threads by each algorithm: what a team chooses beside the best one, and beside what " +
        "the fixed rules of Open MPI would choose among the same.",
    mixinStandardHelpOptions = true)
final class CollectivesCommand implements Callable<Integer>
{
    private static final List<Integer> LENGTHS = List.of(8, 1_024, 8_192, 65_536, 262_144, 1_048_576);
    private static final double GOOD = 1.1;

    @Spec
    private CommandSpec spec;

    @Mixin
    private CollectiveOptions options;

    @Option(names = "--operation", paramLabel = "NAME", split = ",", converter = CollectiveCall.Converter.class,
        description = "Operations, as all-reduce; default all.")
    private List<CollectiveCall> calls = List.of(CollectiveCall.values());

    @Option(names = "--profile", paramLabel = "FILE",
        description = "What calibrate collectives has written; without it, it is measured by turns with what it is judged by.")
    private File profile;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes all figures to a file.")
    private Path json;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        options.check(spec.commandLine(), LENGTHS);
        CollectiveOptions.checkFile(spec.commandLine(), "--json", json);
        final PrintWriter out = spec.commandLine().getOut();
        final CostMeter meter = new CostMeter(WorkDirectory.defaultParent());
        final CollectiveTimes times = new CollectiveTimes(WorkDirectory.defaultParent(), options.rounds());
        final CostProfile given = given();
        final List<List<Integer>> lists = given == null ?
            List.of(options.bytes(), CalibrateCollectivesCommand.LENGTHS) : List.of(options.bytes());
        final CostProfile parameters = given == null ? meter.parameters() : given;
        final List<List<CollectiveTime>> measured = new ArrayList<>();
        final List<MeasuredTime> profiled = new ArrayList<>();
        final List<Double> ways = new ArrayList<>(List.of(CostMeter.lines()[0]));
        for (final int count : options.members())
        {
            final List<List<CollectiveTime>> found = times.measure(count, calls, lists);
            measured.add(found.get(0));
            found.subList(1, found.size()).forEach((list) -> list.forEach((time) -> profiled.addAll(time.toProfile())));
            ways.add(CostMeter.lines()[0]);
        }
        final CostProfile costs = given == null ? parameters.with(profiled) : given;
        final List<CollectiveCell> cells = new ArrayList<>();
        for (final List<CollectiveTime> each : measured)
        {
            cells.addAll(times.choose(costs, each));
        }
        out.println(costs);
        out.println("way of a line to another core, before and after each number of members, ns: " +
            ways.stream().map((way) -> String.format(Locale.ROOT, "%.0f", way)).collect(Collectors.joining(" ")));
        print(out, cells);
        out.flush();
        if (json != null)
        {
            JsonFile.write(json, tree(costs, ways, cells));
        }
        return 0;
    }

    /** The profile of a file, or null. */
    private CostProfile given()
    {
        try
        {
            return profile == null ? null : CostProfile.read(profile);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static void print(final PrintWriter out, final List<CollectiveCell> cells)
    {
        final TextTable table = new TextTable(
            3, "operation", "members", "bytes", "chosen", "us", "best", "us", "ratio", "Open MPI's rules", "ratio");
        for (final CollectiveCell cell : cells)
        {
            final CollectiveTime time = cell.time();
            table.add(time.call().toString(), Integer.toString(time.members()), Integer.toString(time.length()),
                name(cell.chosen()), micros(cell, cell.chosen()), name(cell.best()), micros(cell, cell.best()),
                ratio(cell.ratio(cell.chosen())), name(cell.byRules()), ratio(cell.ratio(cell.byRules())));
        }
        out.print(table);
        out.printf(Locale.ROOT, "within 10 %% of the best: chosen %.1f %% of %d cells, Open MPI's rules %.1f %%%n",
            100 * share(cells, (cell) -> cell.ratio(cell.chosen())), cells.size(),
            100 * share(cells, (cell) -> cell.ratio(cell.byRules())));
        out.printf(Locale.ROOT, "geometric mean of the ratios: chosen %.3f, Open MPI's rules %.3f%n",
            mean(cells, (cell) -> cell.ratio(cell.chosen())), mean(cells, (cell) -> cell.ratio(cell.byRules())));
    }

    private static double share(final List<CollectiveCell> cells, final ToDoubleFunction<CollectiveCell> ratio)
    {
        return cells.stream().filter((cell) -> ratio.applyAsDouble(cell) <= GOOD).count() / (double)cells.size();
    }

    private static double mean(final List<CollectiveCell> cells, final ToDoubleFunction<CollectiveCell> ratio)
    {
        return Math.exp(cells.stream().mapToDouble((cell) -> Math.log(ratio.applyAsDouble(cell))).average().orElse(0));
    }

    private static String name(final Algorithm algorithm)
    {
        return algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String micros(final CollectiveCell cell, final Algorithm algorithm)
    {
        return String.format(Locale.ROOT, "%.1f", cell.nanos(algorithm) / 1e3);
    }

    private static String ratio(final double value)
    {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static ObjectNode tree(final CostProfile costs, final List<Double> ways, final List<CollectiveCell> cells)
    {
        final ObjectMapper mapper = new ObjectMapper();
        final ObjectNode root = mapper.createObjectNode();
        root.put("profile", costs.toText());
        ways.forEach(root.withArray("lineNs")::add);
        for (final CollectiveCell cell : cells)
        {
            final CollectiveTime time = cell.time();
            final ObjectNode node = root.withArray("cells").addObject();
            node.put("operation", time.call().toString()).put("members", time.members()).put("bytes", time.length())
                .put("chosen", name(cell.chosen())).put("openMpiRules", name(cell.byRules()));
            for (final Map.Entry<Algorithm, Double> entry : time.nanos().entrySet())
            {
                node.withObject("/medianNs").put(name(entry.getKey()), Math.round(entry.getValue()));
            }
        }
        root.set("environment", mapper.valueToTree(Environment.current(List.of())));
        return root;
    }
}
