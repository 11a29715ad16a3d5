// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.tallypost.cli.console.JsonText;
import org.tallypost.cli.console.OptionException;
import org.tallypost.cli.console.PrintableText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost doctor}: what goes wrong first, looked for before it does.
 */
@Command(
    name = "doctor",
    description = "Looks for what goes wrong first on this machine, and says what to change. Reads only. Prints one line if " +
        "nothing is wrong.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
        "0:Nothing is wrong; there may be notes.",
        "1:There are warnings: it works slowly, or not always.",
        "2:There are faults: it does not work. Also if the command line was not understood."},
    mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer>
{
    /** Of the JSON: what is there keeps its name and meaning as long as this is the same. */
    private static final int SCHEMA = 1;

    private final Host host;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", arity = "0..1", defaultValue = "/dev/shm",
        description = "Directory of a node, also of one that is not there yet; default ${DEFAULT-VALUE}.")
    private File directory;

    @Option(names = "--ranks", paramLabel = "N",
        description = "Ranks on this machine that are planned. Of a node that is there, its own number counts.")
    private int ranks;

    @Option(names = "--slots", paramLabel = "N", defaultValue = "64",
        description = "Slots per sender that are planned; default ${DEFAULT-VALUE}.")
    private int slots;

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "1",
        description = "Nodes that are planned: with more than one, the network is checked; default ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(names = "--spinning", paramLabel = "N",
        description = "Threads on this machine that spin, as those that never call an idle strategy; default: unknown.")
    private int spinning;

    @Option(names = "--verbose", description = "Also shows notes, what is as it should be, and what cannot be read.")
    private boolean verbose;

    @Option(names = "--json", description = "One line of JSON with all checks.")
    private boolean json;

    /** Of this machine. */
    public DoctorCommand()
    {
        this(new SystemHost(Path.of("/")));
    }

    /**
     * Of another machine.
     *
     * @param host to look at.
     */
    DoctorCommand(final Host host)
    {
        this.host = host;
    }

    @Override
    public Integer call()
    {
        final Plan plan = plan();
        final List<Finding> findings = Doctor.examine(host, plan);
        final PrintWriter out = spec.commandLine().getOut();
        if (json)
        {
            out.println(json(plan, findings));
        }
        else
        {
            findings.stream().filter((finding) -> verbose || finding.level().compareTo(Level.WARNING) >= 0)
                .forEach((finding) -> print(out, finding));
            out.println(summary(findings));
        }
        out.flush();
        return Math.max(0, Doctor.worst(findings).compareTo(Level.NOTE));
    }

    private Plan plan()
    {
        atLeast("--ranks", ranks, 0);
        atLeast("--slots", slots, 1);
        atLeast("--nodes", nodes, 1);
        atLeast("--spinning", spinning, 0);
        final Optional<NodeFacts> node = host.node(directory);
        final Optional<NodeFacts> known = node.filter((each) -> each.problem().isEmpty());
        final Plan plan = new Plan(directory, node, known.map(NodeFacts::ranks).orElse(ranks),
            known.map(NodeFacts::slotsPerSender).orElse(slots), known.map(NodeFacts::nodes).orElse(nodes), spinning);
        try
        {
            plan.neededLength();
            return plan;
        }
        catch (final IllegalArgumentException ex)
        {
            throw new OptionException(spec.commandLine(), ex.getMessage(), ex);
        }
    }

    private void atLeast(final String option, final int value, final int least)
    {
        if (value < least)
        {
            throw new OptionException(spec.commandLine(), option + ": found " + value + ", expected at least " + least);
        }
    }

    private static void print(final PrintWriter out, final Finding finding)
    {
        out.printf(Locale.ROOT, "%-8s %s: %s%n", finding.level().label(), finding.check(), PrintableText.of(finding.found()));
        if (!finding.expected().isEmpty())
        {
            out.printf(Locale.ROOT, "         expected: %s%n         change: %s%n",
                PrintableText.of(finding.expected()), PrintableText.of(finding.change()));
        }
    }

    private String summary(final List<Finding> findings)
    {
        final long notes = count(findings, Level.NOTE);
        final long unknown = count(findings, Level.UNKNOWN);
        final long warnings = count(findings, Level.WARNING);
        final long faults = count(findings, Level.FAULT);
        final StringBuilder text = new StringBuilder().append(findings.size()).append(" checks of ")
            .append(PrintableText.of(directory)).append(": ").append(number(faults, "fault")).append(", ")
            .append(number(warnings, "warning"));
        if (notes > 0)
        {
            text.append(", ").append(number(notes, "note"));
        }
        if (unknown > 0)
        {
            text.append(", ").append(unknown).append(" unknown");
        }
        return text.append(verbose || notes + unknown == 0 ? "" : " (--verbose shows all)").toString();
    }

    private static String number(final long count, final String what)
    {
        return (count == 0 ? "no" : Long.toString(count)) + " " + what + (count == 1 ? "" : "s");
    }

    private static long count(final List<Finding> findings, final Level level)
    {
        return findings.stream().filter((finding) -> finding.level() == level).count();
    }

    private static String json(final Plan plan, final List<Finding> findings)
    {
        final Map<String, Object> root = new LinkedHashMap<>();
        root.put("schema", SCHEMA);
        root.put("time", Instant.now().toString());
        root.put("directory", plan.directory().getAbsolutePath());
        root.put("worst", Doctor.worst(findings).label());
        root.put("checks", findings.stream().map(DoctorCommand::members).toList());
        return JsonText.of(root);
    }

    private static Map<String, Object> members(final Finding finding)
    {
        final Map<String, Object> members = new LinkedHashMap<>();
        members.put("check", finding.check());
        members.put("level", finding.level().label());
        members.put("found", finding.found());
        members.put("expected", finding.expected());
        members.put("change", finding.change());
        return members;
    }
}
