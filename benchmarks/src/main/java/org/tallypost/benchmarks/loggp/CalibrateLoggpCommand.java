// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.benchmarks.harness.Quartiles;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.cli.console.OptionException;
import org.tallypost.cli.console.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost calibrate loggp}: the LogGP parameters of active messages on this machine, and whether each knob moves its own
 * parameter by what is set, and no other.
 */
@Command(
    name = "loggp",
    description = "Measures the LogGP parameters of active messages between two threads of this machine. With --sweep it sets " +
        "each knob to several values, by turns with none, and prints by how much every parameter moves: the calibration " +
        "table of the LogGP apparatus. Below it stands what is to be true of the knobs, and whether it is.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
        "0:Measured; with --sweep, all statements hold.",
        "2:The command line was not understood.",
        "3:A statement does not hold.",
        "4:None fails, but one could not be judged: the threads had no processor."},
    mixinStandardHelpOptions = true)
public final class CalibrateLoggpCommand implements Callable<Integer>
{
    private static final long[] TIMES_NS = { 1_000, 2_000, 5_000, 10_000, 50_000, 100_000 };
    /** 1, 2, 5 and 11 us for 100 bytes. */
    private static final long[] BYTE_TIMES_PS = { 10_000, 20_000, 50_000, 110_000 };
    private static final int WARM_UP = 40;
    /** Of ranks that are opened for a look with knobs or without. */
    private static final int LOOKS = 7;
    private static final int MAX_ROUNDS = 1_000;
    private static final double NS_IN_US = 1_000;
    /** Nanoseconds for a byte are tenths of microseconds for 100 bytes. */
    private static final int BYTE_UNIT = 10;

    @Spec
    private CommandSpec spec;

    @Option(names = "--sweep", description = "Moves each knob, which takes about half a minute.")
    private boolean isSweep;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "11",
        description = "Looks at each setting, by turns with looks without knobs; default ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--attempts", paramLabel = "N", defaultValue = "20",
        description = "Looks for each one that counts, at most, if the threads had no processor; default ${DEFAULT-VALUE}.")
    private int attempts;

    @Option(names = "--json", paramLabel = "FILE", description = "Write everything to this file as well.")
    private File json;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Existing directory for the mapped files; default /dev/shm, or the system's place for temporary files.")
    private File directory;

    private boolean isOffThere = true;
    private final ObjectMapper mapper = new ObjectMapper();

    @Override
    public Integer call() throws IOException
    {
        final File parent = directory == null ? WorkDirectory.defaultParent() : directory;
        final Optional<String> problem = WorkDirectory.problem(parent);
        require(problem.isEmpty(), "--directory", parent, problem.orElse(""));
        require(rounds >= 1 && rounds <= MAX_ROUNDS, "--rounds", rounds, "1 to " + MAX_ROUNDS);
        require(attempts >= 1 && attempts <= MAX_ROUNDS, "--attempts", attempts, "1 to " + MAX_ROUNDS);
        require(json == null || json.getAbsoluteFile().getParentFile().isDirectory(), "--json", json, "a file in a directory");
        final PrintWriter out = spec.commandLine().getOut();
        final var document = mapper.createObjectNode();
        final LoggpStatements statements = new LoggpStatements();
        try (LoggpMeter meter = new LoggpMeter(parent))
        {
            for (int i = 0; i < WARM_UP; i++)
            {
                meter.measure(0);
            }
            final List<LoggpSignature> bases = new ArrayList<>();
            for (int i = 0; i < rounds; i++)
            {
                bases.add(look(meter));
            }
            out.print(signature(bases));
            document.set("base", mapper.valueToTree(bases));
            if (isSweep)
            {
                out.print(sweep(meter, document.putArray("rows"), statements));
                out.flush();
            }
        }
        if (isSweep)
        {
            off(parent, statements);
            statements.print(document.putArray("statements"));
            out.print(System.lineSeparator() + statements);
        }
        out.flush();
        if (json != null)
        {
            mapper.writerWithDefaultPrettyPrinter().writeValue(json, document);
        }
        return statements.exitCode();
    }

    /** A look while both threads have a processor, if there is such a one within the attempts. */
    private LoggpSignature look(final LoggpMeter meter)
    {
        LoggpSignature signature = meter.measure(0);
        for (int i = 1; i < attempts && !meter.wasThere(); i++)
        {
            signature = meter.measure(0);
        }
        return signature;
    }

    /** Ranks with knobs that are all 0 beside ranks without, by turns. */
    private void off(final File parent, final LoggpStatements statements) throws IOException
    {
        final double[] trips = new double[rounds];
        final double[] gaps = new double[rounds];
        for (int i = 0; i < rounds; i++)
        {
            final LoggpSignature without = look(parent, false);
            final LoggpSignature with = look(parent, true);
            trips[i] = with.roundTrip() / without.roundTrip();
            gaps[i] = with.gap() / without.gap();
        }
        cost("knobs all 0 cost no round trip", trips, statements);
        cost("knobs all 0 cost no gap", gaps, statements);
    }

    private LoggpSignature look(final File parent, final boolean hasKnobs) throws IOException
    {
        try (LoggpMeter meter = new LoggpMeter(parent, hasKnobs))
        {
            final double[][] figures = new double[LoggpSignature.FIGURES][LOOKS];
            for (int look = -LOOKS; look < LOOKS; look++)
            {
                final LoggpSignature signature = look < 0 ? meter.measure(0) : look(meter);
                isOffThere &= look < 0 || meter.wasThere();
                for (int i = 0; look >= 0 && i < figures.length; i++)
                {
                    figures[i][look] = signature.figure(i);
                }
            }
            return new LoggpSignature(Quartiles.of(figures[0]).median(), Quartiles.of(figures[1]).median(),
                Quartiles.of(figures[2]).median(), Quartiles.of(figures[3]).median(), Quartiles.of(figures[4]).median());
        }
    }

    private void cost(final String what, final double[] ratios, final LoggpStatements statements)
    {
        if (!isOffThere)
        {
            statements.invalid(what);
            return;
        }
        final double median = Quartiles.of(ratios).median();
        Arrays.sort(ratios);
        final int rank = LoggpRow.rankOfInterval(ratios.length);
        statements.add(what, ratios[rank] <= 1 + LoggpStatements.COST_SHARE, "%.3f [%.3f, %.3f] of none", median, ratios[rank],
            ratios[ratios.length - 1 - rank]);
    }

    /** Whether a knob moves its own parameters by what is set, and no other. */
    private static void state(final Knob knob, final List<LoggpRow> all, final LoggpStatements statements)
    {
        final String own = " moves by what is set, 5 % + 50 ns";
        final String other = " moves no other one";
        final List<LoggpRow> rows = all.stream().filter((row) -> row.knob() == knob && row.isThere()).toList();
        if (rows.isEmpty())
        {
            statements.invalid(LoggpRow.name(knob) + own);
            statements.invalid(LoggpRow.name(knob) + other);
            return;
        }
        final LoggpRow worst = rows.stream().max(Comparator.comparingDouble(LoggpRow::ownShare)).orElseThrow();
        final String name = LoggpRow.name(knob);
        final boolean isAnyMissing = all.stream().anyMatch((row) -> row.knob() == knob && !row.isThere());
        if (isAnyMissing && worst.ownShare() <= 1)
        {
            statements.invalid(name + own);
        }
        else
        {
            statements.add(name + own, worst.ownShare() <= 1, "%.2f of what may be, at %s", worst.ownShare(), worst.label());
        }
        final List<String> others = rows.stream().flatMap((row) -> row.others().stream()).distinct().toList();
        if (isAnyMissing && others.isEmpty())
        {
            statements.invalid(name + other);
            return;
        }
        statements.add(name + other, others.isEmpty(), "%d of %d settings%s",
            rows.stream().filter((row) -> !row.others().isEmpty()).count(), rows.size(),
            others.isEmpty() ? "" : ": " + String.join(", ", others));
    }

    private void require(final boolean isMet, final String name, final Object found, final String expected)
    {
        if (!isMet)
        {
            throw new OptionException(spec.commandLine(), name + ": found " + found + ", expected " + expected);
        }
    }

    private static String signature(final List<LoggpSignature> looks)
    {
        final TextTable table = new TextTable("parameter", "q1", "median", "q3", "unit");
        final String[] names = { "o send", "o receive", "L", "g", "G" };
        for (int i = 0; i < names.length; i++)
        {
            final int figure = i;
            final boolean isByte = i == LoggpSignature.FIGURES - 1;
            final double unit = isByte ? BYTE_UNIT : NS_IN_US;
            final Quartiles quartiles = Quartiles.of(looks.stream().mapToDouble((look) -> look.figure(figure) / unit).toArray());
            table.add(names[i], LoggpRow.number(quartiles.q1()), LoggpRow.number(quartiles.median()),
                LoggpRow.number(quartiles.q3()), isByte ? "us/100B" : "us");
        }
        return table.toString();
    }

    /** Pairs of looks. Those with a thread that had no processor are made again, and count only if there are too few others. */
    private void measure(final LoggpMeter meter, final LoggpRow row)
    {
        final List<LoggpSignature[]> disturbed = new ArrayList<>();
        int count = 0;
        for (int turn = 0; turn < rounds * attempts && count < rounds; turn++)
        {
            meter.set(row.knob(), 0);
            final LoggpSignature base = meter.measure(row.longestNs());
            boolean isThere = meter.wasThere();
            meter.set(row.knob(), row.value());
            final LoggpSignature moved = meter.measure(row.longestNs());
            isThere &= meter.wasThere();
            if (isThere)
            {
                row.add(base, moved);
                count++;
            }
            else
            {
                disturbed.add(new LoggpSignature[] { base, moved });
            }
        }
        if (count < rounds)
        {
            row.disturbed();
            disturbed.stream().limit(rounds).forEach((pair) -> row.add(pair[0], pair[1]));
        }
    }

    private String sweep(final LoggpMeter meter, final ArrayNode rows, final LoggpStatements statements)
    {
        final List<LoggpRow> settings = new ArrayList<>();
        for (final Knob knob : Knob.values())
        {
            for (final long value : knob == Knob.BYTE_GAP ? BYTE_TIMES_PS : TIMES_NS)
            {
                settings.add(new LoggpRow(knob, value));
            }
        }
        final TextTable table = new TextTable("set", "o send", "o recv", "L", "g", "G/100B", "moves alone");
        for (final LoggpRow row : settings)
        {
            measure(meter, row);
            table.add(row.cells());
            rows.addObject().put("knob", row.knob().name()).put("value", row.value()).put("movesAlone", row.faults().isEmpty())
                .set("cells", mapper.valueToTree(row.cells()));
        }
        for (final Knob knob : Knob.values())
        {
            state(knob, settings, statements);
        }
        final long right = settings.stream().filter((row) -> row.isThere() && row.faults().isEmpty()).count();
        return System.lineSeparator() + "By how much each parameter moves, us; median of " + rounds + " pairs of looks." +
            System.lineSeparator() + table + right + " of " + settings.size() + " settings move their own parameter alone." +
            System.lineSeparator() + "g moves by up to 2 o, and by up to 2 L / " + LoggpMeter.WINDOW + ", the window." +
            System.lineSeparator();
    }
}
