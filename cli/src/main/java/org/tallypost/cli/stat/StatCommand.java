// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.io.File;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.cli.console.OptionException;
import org.tallypost.cli.console.Screen;
import org.tallypost.mailbox.files.MailboxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost stat}: counters of a running node, read from outside.
 */
@Command(
    name = "stat",
    description = "Shows the counters of a node's endpoints while they run, the ranks that wait first, and names the one that " +
        "others wait for. Reads only: it joins nothing and changes nothing. From the second look on the tables have rates, and " +
        "'waited' is the share of the time in which messages waited for credits. 'most', of the unread slots, is sampled, and " +
        "leaves out express lanes.",
    mixinStandardHelpOptions = true)
public final class StatCommand implements Callable<Integer>
{
    /** Titles, sums, sentences and the cursor's own row. */
    private static final int FIXED_ROWS = 13;
    private static final int ROWS_OF_RANK = 5;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Directory of the node.")
    private File directory;

    @Option(names = "--json", description = "One line of JSON for each look instead of a table.")
    private boolean json;

    @Option(names = "--prometheus", description = "All counters in the text format of Prometheus, once if --count is not given.")
    private boolean prometheus;

    @Option(names = "--top", paramLabel = "N",
        description = "Most ranks in the tables; default: as many as fit on the terminal, else all.")
    private int top;

    @Option(names = "--interval", paramLabel = "TIME", defaultValue = "1s", converter = DurationConverter.class,
        description = "Time between two looks, such as 500ms, 1s or 2m; default ${DEFAULT-VALUE}.")
    private Duration interval;

    @Option(names = "--count", paramLabel = "N", defaultValue = "0",
        description = "Looks to take; 0, the default, goes on until it is stopped, or until the ranks of the node are dead, or " +
            "its directory is gone.")
    private long count;

    private Screen screen;
    private Laggard laggards;
    private NodeSample before;

    @Override
    public Integer call() throws InterruptedException
    {
        atLeastNone("--count", count);
        atLeastNone("--top", top);
        if (json && prometheus)
        {
            throw new OptionException(spec.commandLine(), "--json and --prometheus: found both, expected one of them");
        }
        try
        {
            show();
            return 0;
        }
        catch (final MailboxException ex)
        {
            spec.commandLine().getErr().println(ex.getMessage());
            spec.commandLine().getErr().flush();
            return 1;
        }
    }

    private void atLeastNone(final String option, final long value)
    {
        if (value < 0)
        {
            throw new OptionException(spec.commandLine(), option + ": found " + value + ", expected 0 or more");
        }
    }

    private void show() throws InterruptedException
    {
        final long looks = prometheus && count == 0 ? 1 : count;
        screen = new Screen(spec.commandLine().getOut(), !json && !prometheus && looks != 1 && Screen.isOnTerminal());
        MappedNodeReader reader = attach();
        for (long i = 0; looks == 0 || i < looks; i++)
        {
            if (i > 0)
            {
                TimeUnit.NANOSECONDS.sleep(interval.toNanos());
            }
            if (!reader.isCurrent())
            {
                // another node may have been founded there
                final Optional<MappedNodeReader> next = attachAgain();
                if (next.isEmpty())
                {
                    return;
                }
                reader = next.get();
            }
            final NodeSample sample = reader.read();
            print(reader, sample);
            before = sample;
            if (looks == 0 && isDead(sample))
            {
                return;
            }
        }
    }

    private void print(final MappedNodeReader reader, final NodeSample sample)
    {
        final PrintWriter out = spec.commandLine().getOut();
        final Optional<Laggard.Finding> laggard = laggards.update(sample);
        if (prometheus)
        {
            out.print(PrometheusText.of(sample, reader.counters()));
            out.flush();
        }
        else if (json)
        {
            out.println(StatFormat.json(sample, laggard));
            out.flush();
        }
        else
        {
            screen.draw(StatTable.of(sample, before, laggard, mostRanks()));
        }
    }

    /** A rank has a row in two tables, and perhaps a line for its lanes, one for bulk and one for damage. */
    private int mostRanks()
    {
        return top > 0 ? top : screen.isTerminal() ? Math.max(1, (Screen.rows() - FIXED_ROWS) / ROWS_OF_RANK) : Integer.MAX_VALUE;
    }

    private MappedNodeReader attach()
    {
        final MappedNodeReader reader = new MappedNodeReader(directory);
        laggards = new Laggard();
        before = null;
        screen.leave();
        if (!json && !prometheus)
        {
            spec.commandLine().getOut().println(reader.describe());
        }
        return reader;
    }

    private Optional<MappedNodeReader> attachAgain()
    {
        try
        {
            return Optional.of(attach());
        }
        catch (final MailboxException ex)
        {
            spec.commandLine().getErr().println("the node has ended: " + ex.getMessage());
            spec.commandLine().getErr().flush();
            return Optional.empty();
        }
    }

    /** Whether ranks have died and none is open: nothing changes any more until the node is launched anew. */
    private static boolean isDead(final NodeSample sample)
    {
        return sample.endpoints().stream().anyMatch((rank) -> "dead".equals(rank.state())) &&
            sample.endpoints().stream().noneMatch((rank) -> "open".equals(rank.state()));
    }
}
