// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.cli.console.OptionException;
import org.tallypost.cli.console.PrintableText;
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
    /** Two titles, and how many links are not shown. */
    private static final int ROWS_OF_LINKS = 3;
    private static final int ROWS_OF_LATE = 2;
    private static final int MOST_PORT = 65_535;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Directory of the node.")
    private File directory;

    @Option(names = "--json", description = "One line of JSON for each look instead of a table.")
    private boolean json;

    @Option(names = "--prometheus", description = "All counters in the text format of Prometheus, once if --count is not given.")
    private boolean prometheus;

    @Option(names = "--top", paramLabel = "N",
        description = "Most ranks, links and late members to be shown; default: as many as fit on the terminal, else all.")
    private int top;

    @Option(names = "--interval", paramLabel = "TIME", defaultValue = "1s", converter = DurationConverter.class,
        description = "Time between two looks, such as 500ms, 1s or 2m; default ${DEFAULT-VALUE}.")
    private Duration interval;

    @Option(names = "--count", paramLabel = "N", defaultValue = "0",
        description = "Looks to take; 0, the default, goes on until it is stopped, or until the ranks of the node are dead, or " +
            "its directory is gone.")
    private long count;

    @Option(names = "--web", paramLabel = "PORT",
        description = "A page with live plots instead of a table, at this port of the loopback; 0 takes a free one and prints " +
            "it. It goes on until it is stopped; /metrics is what --prometheus prints.")
    private Integer web;

    private Screen screen;
    private NodeSample before;

    @Override
    public Integer call() throws InterruptedException
    {
        atLeastNone("--count", count);
        atLeastNone("--top", top);
        if (json && prometheus || web != null && (json || prometheus))
        {
            throw new OptionException(spec.commandLine(),
                "--json, --prometheus and --web: found " + (json && prometheus ? "the first two" : "--web and another one") +
                ", expected one of them");
        }
        if (web != null && (count != 0 || top != 0))
        {
            throw new OptionException(spec.commandLine(),
                "--web shows all ranks until it is stopped: found --" + (count != 0 ? "count" : "top") + ", expected none");
        }
        try
        {
            if (web != null)
            {
                serve();
            }
            else
            {
                show();
            }
            return 0;
        }
        catch (final MailboxException ex)
        {
            return failed(ex.getMessage());
        }
    }

    private int failed(final String message)
    {
        spec.commandLine().getErr().println(PrintableText.of(message));
        spec.commandLine().getErr().flush();
        return 1;
    }

    private void atLeastNone(final String option, final long value)
    {
        if (value < 0)
        {
            throw new OptionException(spec.commandLine(), option + ": found " + value + ", expected 0 or more");
        }
    }

    private void serve() throws InterruptedException
    {
        if (web < 0 || web > MOST_PORT)
        {
            throw new OptionException(spec.commandLine(), "--web: found " + web + ", expected a port from 0 to " + MOST_PORT);
        }
        final NodeWatch watch = new NodeWatch(directory);
        watch.look();
        final PrintWriter out = spec.commandLine().getOut();
        try (StatServer server = StatServer.start(watch, web, interval))
        {
            out.println(watch.describe());
            out.println("http://127.0.0.1:" + server.port() + "/");
            out.flush();
            Thread.currentThread().join();
        }
        catch (final BindException ex)
        {
            throw new OptionException(
                spec.commandLine(), "--web: port " + web + " cannot be had (" + ex.getMessage() + "), try 0 for a free one", ex);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void show() throws InterruptedException
    {
        final long looks = prometheus && count == 0 ? 1 : count;
        screen = new Screen(spec.commandLine().getOut(), !json && !prometheus && looks != 1 && Screen.isOnTerminal());
        final NodeWatch watch = new NodeWatch(directory);
        for (long i = 0; looks == 0 || i < looks; i++)
        {
            if (i > 0)
            {
                TimeUnit.NANOSECONDS.sleep(interval.toNanos());
            }
            final NodeWatch.Look look;
            try
            {
                look = watch.look();
            }
            catch (final MailboxException ex)
            {
                if (i == 0)
                {
                    throw ex;
                }
                failed("the node has ended: " + ex.getMessage());
                return;
            }
            if (look.isFirst())
            {
                begin(watch);
            }
            print(look);
            before = look.sample();
            if (looks == 0 && isDead(look.sample()))
            {
                return;
            }
        }
    }

    /** Another node may have been founded in place of the one before. */
    private void begin(final NodeWatch watch)
    {
        before = null;
        screen.leave();
        if (!json && !prometheus)
        {
            spec.commandLine().getOut().println(watch.describe());
        }
    }

    private void print(final NodeWatch.Look look)
    {
        final PrintWriter out = spec.commandLine().getOut();
        if (prometheus)
        {
            out.print(PrometheusText.of(look.sample(), look.counters()));
            out.flush();
        }
        else if (json)
        {
            out.println(StatFormat.json(look.sample(), look.laggard(), look.late()));
            out.flush();
        }
        else
        {
            final int most = mostRanks(look);
            screen.draw(StatTable.of(look.sample(), before, look.laggard(), most) + StatFormat.late(look.late(), most));
        }
    }

    /**
     * A rank has a row in two tables, and perhaps a line for its lanes, one for bulk and one for damage. A link has a row. A late
     * member has two, and one tells how many are not shown.
     */
    private int mostRanks(final NodeWatch.Look look)
    {
        final boolean hasLinks = !look.sample().links().isEmpty();
        final boolean hasLate = !look.late().isEmpty();
        final int fixed = FIXED_ROWS + (hasLinks ? ROWS_OF_LINKS : 0) + (hasLate ? 1 : 0);
        final int each = ROWS_OF_RANK + (hasLinks ? 1 : 0) + (hasLate ? ROWS_OF_LATE : 0);
        return top > 0 ? top : screen.isTerminal() ? Math.max(1, (Screen.rows() - fixed) / each) : Integer.MAX_VALUE;
    }

    /** Whether ranks have died and none is open: nothing changes any more until the node is launched anew. */
    private static boolean isDead(final NodeSample sample)
    {
        return sample.endpoints().stream().anyMatch((rank) -> "dead".equals(rank.state())) &&
            sample.endpoints().stream().noneMatch((rank) -> "open".equals(rank.state()));
    }
}
