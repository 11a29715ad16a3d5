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
    description = "Prints the counters of a node's endpoints while they run, and names the one that others wait for. Reads " +
        "only: it joins nothing and changes nothing. 'most unread' is sampled, and leaves out express lanes.",
    mixinStandardHelpOptions = true)
public final class StatCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Directory of the node.")
    private File directory;

    @Option(names = "--json", description = "One line of JSON for each look instead of a table.")
    private boolean json;

    @Option(names = "--interval", paramLabel = "TIME", defaultValue = "1s", converter = DurationConverter.class,
        description = "Time between two looks, such as 500ms, 1s or 2m; default ${DEFAULT-VALUE}.")
    private Duration interval;

    @Option(names = "--count", paramLabel = "N", defaultValue = "0",
        description = "Looks to take; 0, the default, goes on until it is stopped, or until the ranks of the node are dead, or " +
            "its directory is gone.")
    private long count;

    @Override
    public Integer call() throws InterruptedException
    {
        if (count < 0)
        {
            throw new OptionException(spec.commandLine(), "--count: found " + count + ", expected 0 or more");
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

    private void show() throws InterruptedException
    {
        final PrintWriter out = spec.commandLine().getOut();
        MappedNodeReader reader = attach();
        Laggard laggards = new Laggard();
        NodeSample before = null;
        for (long i = 0; count == 0 || i < count; i++)
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
                laggards = new Laggard();
                before = null;
            }
            final NodeSample sample = reader.read();
            final Optional<Laggard.Finding> laggard = laggards.update(sample);
            out.println(json ? StatFormat.json(sample, laggard) : StatFormat.table(sample, before, laggard));
            out.flush();
            before = sample;
            if (count == 0 && isDead(sample))
            {
                return;
            }
        }
    }

    private MappedNodeReader attach()
    {
        final MappedNodeReader reader = new MappedNodeReader(directory);
        if (!json)
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

    /** Whether ranks have died and none is open: nothing changes any more until somebody launches the node anew. */
    private static boolean isDead(final NodeSample sample)
    {
        return sample.endpoints().stream().anyMatch((rank) -> "dead".equals(rank.state())) &&
            sample.endpoints().stream().noneMatch((rank) -> "open".equals(rank.state()));
    }
}
