// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.tallypost.cli.console.OptionException;
import org.tallypost.cli.console.TextTable;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.fabric.FabricParameters;
import org.tallypost.report.StatusLine;
import org.tallypost.thesis.Cell;
import org.tallypost.thesis.CellResult;
import org.tallypost.thesis.CellRunner;
import org.tallypost.thesis.FabricRunner;
import org.tallypost.thesis.PatternKind;
import org.tallypost.thesis.Rule;
import org.tallypost.thesis.SlotSearch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost plan}: how many slots some traffic needs, by simulation.
 * <p>
 * Exit codes: 0 if an answer was found for at least one kind of flow control, 1 if not, 2 for options that cannot be.
 */
@Command(
    name = "plan",
    description = "How many slots each sender needs, with static and with dynamic credits: simulates an alltoall of the active " +
        "ranks until the overhead is low enough.",
    mixinStandardHelpOptions = true)
public final class PlanCommand implements Callable<Integer>
{
    private static final int PARALLEL = 2;
    private static final int MAX_RANKS = 2048;
    private static final int SLOT_LENGTH = 64;
    private static final int MAX_TIMES = 8;
    private static final double MIB = 1024.0 * 1024;

    private static final int DEFAULT_CREDIT_SLOTS = 2;
    /** The rules that are searched for, the endpoint's default among them. */
    private static final List<Rule> RULES = List.of(Rule.OWN, Rule.STATIC, Rule.DYNAMIC, Rule.LENDING);

    @Spec
    private CommandSpec spec;

    @Option(names = "--ranks", paramLabel = "N", required = true,
        description = "Number of processes that may send to each other.")
    private int ranks;

    @Option(names = "--active", paramLabel = "N", description = "Number of processes that send at a time; default all.")
    private Integer active;

    @Option(names = {"--length", "--message-length"}, paramLabel = "BYTES", defaultValue = "2048",
        description = "Bytes of a message; default ${DEFAULT-VALUE}.")
    private int messageLength;

    @Option(names = "--overhead", paramLabel = "PERCENT", defaultValue = "3%",
        description = "Time that flow control may cost, in percent of the time without it, as 3%% or 3; " +
            "default ${DEFAULT-VALUE}.")
    private String overhead;

    @Option(names = "--credit-slots", paramLabel = "N", defaultValue = "2",
        description = "Slots of each sender for credit packets; default ${DEFAULT-VALUE}.")
    private int creditSlots;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of the times at which processes start; default ${DEFAULT-VALUE}.")
    private long seed;

    @Override
    public Integer call() throws InterruptedException
    {
        final int found = active == null ? ranks : active;
        require(ranks >= 2 && ranks <= MAX_RANKS, "--ranks", ranks, "2 to " + MAX_RANKS);
        require(found >= 2 && found <= ranks, "--active", found, "2 to " + ranks);
        require(messageLength >= 0 && messageLength <= FabricParameters.EAGER_LIMIT, "--length", messageLength,
            "0 to " + FabricParameters.EAGER_LIMIT);
        require(creditSlots >= 1 && creditSlots <= SlotSearch.MOST / 2, "--credit-slots", creditSlots,
            "1 to " + SlotSearch.MOST / 2);
        final double bound = percent();
        final int times = Math.max(1, Math.min(MAX_TIMES, MAX_RANKS / 2 / found));
        final Cell reference = Cell.of(PatternKind.ALLTOALL, ranks).active(found).length(messageLength).times(times, times, 1);
        final SearchProgress runner = new SearchProgress(
            new FabricRunner(FabricParameters.fitted(), seed), new StatusLine(System.err, 2, TimeUnit.SECONDS));
        final SlotSearch search;
        final Map<Rule, SlotSearch.Found> answers;
        try
        {
            search = new SlotSearch(runner, reference, bound);
            answers = search(search);
        }
        finally
        {
            runner.end();
        }
        print(reference, search.referenceNs(), bound, answers);
        return answers.values().stream().anyMatch((answer) -> answer.slots() > 0) ? 0 : 1;
    }

    private double percent()
    {
        try
        {
            final boolean hasSign = overhead.endsWith("%");
            final double bound = Double.parseDouble(hasSign ? overhead.substring(0, overhead.length() - 1) : overhead);
            require(bound > 0 && bound <= 1000, "--overhead", overhead, "more than 0 to 1000%");
            return bound;
        }
        catch (final NumberFormatException ex)
        {
            throw new OptionException(
                spec.commandLine(), "--overhead: found " + overhead + ", expected a percentage, like 3%", ex);
        }
    }

    private Map<Rule, SlotSearch.Found> search(final SlotSearch search) throws InterruptedException
    {
        final ExecutorService threads = Executors.newFixedThreadPool(PARALLEL);
        try
        {
            final Map<Rule, Future<SlotSearch.Found>> futures = new LinkedHashMap<>();
            for (final Rule rule : RULES)
            {
                futures.put(rule, threads.submit(() -> search.search(rule, creditSlots)));
            }
            final Map<Rule, SlotSearch.Found> answers = new LinkedHashMap<>();
            for (final Map.Entry<Rule, Future<SlotSearch.Found>> entry : futures.entrySet())
            {
                answers.put(entry.getKey(), entry.getValue().get());
            }
            return answers;
        }
        catch (final ExecutionException ex)
        {
            throw new IllegalStateException("a simulation failed: " + ex.getCause().getMessage(), ex.getCause());
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    /** Tells how far the search is. Nothing tells how many sizes it will need. */
    private static final class SearchProgress implements CellRunner
    {
        private final CellRunner runner;
        private final StatusLine line;
        private final long startNs = System.nanoTime();
        private int simulated;

        SearchProgress(final CellRunner runner, final StatusLine line)
        {
            this.runner = runner;
            this.line = line;
        }

        @Override
        public CellResult run(final Cell cell) throws InterruptedException
        {
            begin(cell);
            final CellResult result = runner.run(cell);
            count();
            return result;
        }

        private synchronized void begin(final Cell cell)
        {
            if (line.isDue())
            {
                line.show(String.format(Locale.ROOT, "plan: %d sizes simulated in %d s, now %s", simulated,
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs), cell.slots() == 0 ? "without flow control" :
                    name(cell.rule()) + " with " + cell.slots() + " slots"));
            }
        }

        private synchronized void count()
        {
            simulated++;
        }

        synchronized void end()
        {
            line.end();
        }
    }

    private void print(
        final Cell reference, final double referenceNs, final double bound, final Map<Rule, SlotSearch.Found> answers)
    {
        final PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, "%,d ranks, %,d of them active, messages of %,d bytes, %d credit slots, overhead at most %s%%%n",
            ranks, reference.active(), messageLength, creditSlots, number(bound));
        out.printf(Locale.ROOT, "without flow control an alltoall of the active ranks takes %,.1f us%n%n", referenceNs / 1000);
        final TextTable table = new TextTable("flow", "slots per sender", "bytes per receiver", "MiB of all", "overhead");
        answers.forEach((rule, found) ->
        {
            final long bytes = (long)found.slots() * SLOT_LENGTH * ranks;
            table.add(name(rule), found.slots() < 0 ? "> " + SlotSearch.MOST : String.valueOf(found.slots()),
                found.slots() < 0 ? "-" : String.format(Locale.ROOT, "%,d", bytes),
                found.slots() < 0 ? "-" : String.format(Locale.ROOT, "%,.1f", bytes * ranks / MIB),
                found.slots() < 0 ? "-" : String.format(Locale.ROOT, "%.1f%%", found.tried().get(found.slots())));
        });
        out.println(table);
        out.println("simulated, slots: overhead");
        answers.forEach((rule, found) -> out.print(list("  " + name(rule) + " ", found.tried().entrySet().stream()
            .map((entry) -> String.format(Locale.ROOT, "%d: %.1f%%", entry.getKey(), entry.getValue())).toList())));
        out.println();
        out.println("to set, in all processes; which of them: docs/design/stealing.md");
        answers.forEach((rule, found) ->
        {
            if (found.slots() > 0)
            {
                out.println("  " + code(rule, found.slots()));
            }
        });
        out.flush();
    }

    /** A list behind its name, in as many lines as it takes. */
    private static String list(final String name, final List<String> items)
    {
        final StringBuilder text = new StringBuilder();
        final StringBuilder line = new StringBuilder(name);
        for (int i = 0; i < items.size(); i++)
        {
            final String item = items.get(i) + (i + 1 < items.size() ? "," : "");
            if (line.length() + 1 + item.length() > TextTable.MOST_WIDTH)
            {
                text.append(line).append(System.lineSeparator());
                line.setLength(0);
                line.append("   ");
            }
            line.append(' ').append(item);
        }
        return text.append(line).append(System.lineSeparator()).toString();
    }

    /** A rule by the name that a program gives it. */
    private static String name(final Rule rule)
    {
        return switch (rule)
        {
            case OWN -> StealPolicy.IDLE_FIRST + " (default)";
            case DYNAMIC -> StealPolicy.MONITORED.toString();
            case LENDING -> StealPolicy.LENDING.toString();
            default -> rule.label();
        };
    }

    private String code(final Rule rule, final int slots)
    {
        final String credits = creditSlots == DEFAULT_CREDIT_SLOTS ? "" : ".creditSlots(" + creditSlots + ")";
        final String context = "new NodeContext().slotsPerSender(" + slots + ")" + credits;
        return switch (rule)
        {
            case OWN -> context;
            case DYNAMIC -> context + ".stealPolicy(StealPolicy.MONITORED)";
            case LENDING -> context + ".stealPolicy(StealPolicy.LENDING)";
            default -> context + ".flow(Flow.STATIC)";
        };
    }

    private static String number(final double value)
    {
        return value == Math.rint(value) ? String.valueOf((long)value) : String.valueOf(value);
    }

    private void require(final boolean isMet, final String name, final Object found, final String expected)
    {
        if (!isMet)
        {
            throw new OptionException(spec.commandLine(), name + ": found " + found + ", expected " + expected);
        }
    }
}
