// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.knobs;

import java.io.File;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.tallypost.activemessages.LoggpKnobs;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.cli.console.OptionException;
import org.tallypost.cli.console.TextTable;
import org.tallypost.mailbox.files.MailboxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost knobs}: shows and sets the LogGP knobs of the ranks of a node while they run.
 */
@Command(
    name = "knobs",
    description = "Slows the active messages of a running program down, by the four parameters of LogGP: latency L, overhead " +
        "o, gap g between messages, gap G between bytes. What is set is added to what the machine takes, from the next message " +
        "on. Ranks take part that have opened their knobs (LoggpKnobs.open). Without options it shows what is set.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
        "0:The knobs are shown, and set if that was asked for.",
        "1:No node, no rank with knobs, or none of that number.",
        "2:The command line was not understood, or a value is out of range."},
    mixinStandardHelpOptions = true)
public final class KnobsCommand implements Callable<Integer>
{
    private static final String ALL = "all";
    private static final int PS_IN_NS = 1_000;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Directory of the node.")
    private File directory;

    @Option(names = "--rank", paramLabel = "N|all", defaultValue = ALL, description = "Which rank; default ${DEFAULT-VALUE}.")
    private String rank;

    @Option(names = "--o", paramLabel = "TIME", converter = KnobTime.OfMessage.class,
        description = "Overhead: time of the processor for each message, at each end, such as 2us; at most 1s.")
    private Long overhead;

    @Option(names = "--g", paramLabel = "TIME", converter = KnobTime.OfMessage.class,
        description = "Gap: least time between two messages of a rank; at most 1s.")
    private Long gap;

    @Option(names = "--G", paramLabel = "TIME/BYTES", converter = KnobTime.OfByte.class,
        description = "Gap for the bytes of a block, such as 11us/100B; at most 1ms/B.")
    private Long byteGap;

    @Option(names = "--L", paramLabel = "TIME", converter = KnobTime.OfMessage.class,
        description = "Latency: time for which a message is held back; at most 1s.")
    private Long latency;

    @Option(names = "--reset", description = "Sets all knobs to 0 that have no option of their own.")
    private boolean isReset;

    @Override
    public Integer call()
    {
        try
        {
            final List<LoggpKnobs> knobs = chosen();
            final Map<Knob, Long> values = values();
            if (knobs.isEmpty())
            {
                return fail("no rank with knobs: directory=" + directory + ", rank=" + rank +
                    "; a program opens them by LoggpKnobs.open, and they go with it");
            }
            knobs.forEach((each) -> values.forEach(each::set));
            spec.commandLine().getOut().print(table(knobs));
            spec.commandLine().getOut().flush();
            return 0;
        }
        catch (final MailboxException | IllegalStateException ex)
        {
            return fail(ex.getMessage());
        }
    }

    private int fail(final String message)
    {
        spec.commandLine().getErr().println(message);
        spec.commandLine().getErr().flush();
        return 1;
    }

    private List<LoggpKnobs> chosen()
    {
        if (!ALL.equals(rank) && !rank.matches("\\d{1,9}"))
        {
            throw new OptionException(spec.commandLine(), "--rank: found '" + rank + "', expected the number of a rank, or all");
        }
        final List<LoggpKnobs> found = new ArrayList<>(LoggpKnobs.find(directory));
        found.removeIf((each) -> !ALL.equals(rank) && each.rank() != Integer.parseInt(rank));
        return found;
    }

    private Map<Knob, Long> values()
    {
        final Map<Knob, Long> values = new EnumMap<>(Knob.class);
        if (isReset)
        {
            for (final Knob knob : Knob.values())
            {
                values.put(knob, 0L);
            }
        }
        put(values, Knob.OVERHEAD, "--o", overhead, LoggpKnobs.MAX_NS, "1s");
        put(values, Knob.GAP, "--g", gap, LoggpKnobs.MAX_NS, "1s");
        put(values, Knob.BYTE_GAP, "--G", byteGap, LoggpKnobs.MAX_BYTE_GAP_PS, "1ms/B");
        put(values, Knob.LATENCY, "--L", latency, LoggpKnobs.MAX_NS, "1s");
        return values;
    }

    private void put(
        final Map<Knob, Long> values, final Knob knob, final String option, final Long value, final long most, final String text)
    {
        if (value == null)
        {
            return;
        }
        if (value > most)
        {
            throw new OptionException(
                spec.commandLine(), option + " is out of range: found " + value + ", expected at most " + text);
        }
        values.put(knob, value);
    }

    private static String table(final List<LoggpKnobs> knobs)
    {
        final TextTable table = new TextTable("rank", "o us", "g us", "G us/100B", "L us");
        for (final LoggpKnobs each : knobs)
        {
            table.add(Integer.toString(each.rank()), KnobTime.text(each.get(Knob.OVERHEAD)), KnobTime.text(each.get(Knob.GAP)),
                KnobTime.text(each.get(Knob.BYTE_GAP) * 100 / PS_IN_NS), KnobTime.text(each.get(Knob.LATENCY)));
        }
        return table.toString();
    }
}
