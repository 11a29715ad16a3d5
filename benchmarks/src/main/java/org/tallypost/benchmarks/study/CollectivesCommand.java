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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.cli.console.TextTable;
import org.tallypost.collectives.Algorithm;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.CostProfile;
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
        description = "What calibrate collectives has written; without it, it is measured first.")
    private File profile;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes all figures to a file.")
    private Path json;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        options.check(spec.commandLine(), LENGTHS);
        CollectiveOptions.checkFile(spec.commandLine(), "--json", json);
        final PrintWriter out = spec.commandLine().getOut();
        final CostProfile costs = costs();
        out.println(costs);
        final CollectivesContext context = new CollectivesContext().profile(costs);
        final List<CollectiveCell> cells = new ArrayList<>();
        final CollectiveTimes times = new CollectiveTimes(WorkDirectory.defaultParent(), context, options.rounds());
        for (final int count : options.members())
        {
            cells.addAll(times.measure(count, calls, options.bytes()));
        }
        print(out, cells);
        out.flush();
        if (json != null)
        {
            JsonFile.write(json, tree(costs, cells));
        }
        return 0;
    }

    private CostProfile costs() throws IOException, InterruptedException
    {
        try
        {
            return profile == null ? new CostMeter(WorkDirectory.defaultParent()).measure(
                options.members(), CalibrateCollectivesCommand.LENGTHS, options.rounds()) : CostProfile.read(profile);
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
            table.add(cell.call().toString(), Integer.toString(cell.members()), Integer.toString(cell.length()),
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
        return String.format(Locale.ROOT, "%.1f", cell.nanos().get(algorithm) / 1e3);
    }

    private static String ratio(final double value)
    {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static ObjectNode tree(final CostProfile costs, final List<CollectiveCell> cells)
    {
        final ObjectMapper mapper = new ObjectMapper();
        final ObjectNode root = mapper.createObjectNode();
        root.put("profile", costs.toText());
        for (final CollectiveCell cell : cells)
        {
            final ObjectNode node = root.withArray("cells").addObject();
            node.put("operation", cell.call().toString()).put("members", cell.members()).put("bytes", cell.length())
                .put("chosen", name(cell.chosen())).put("openMpiRules", name(cell.byRules()));
            for (final Map.Entry<Algorithm, Double> entry : cell.nanos().entrySet())
            {
                node.withObject("/medianNs").put(name(entry.getKey()), Math.round(entry.getValue()));
            }
        }
        root.set("environment", mapper.valueToTree(Environment.current(List.of())));
        return root;
    }
}
