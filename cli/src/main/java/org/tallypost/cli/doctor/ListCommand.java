// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.tallypost.cli.console.JsonText;
import org.tallypost.cli.console.PrintableText;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.NodeLeftovers;
import org.tallypost.node.NodeStat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost ls}: which nodes there are below a directory.
 */
@Command(
    name = "ls",
    description = "Lists the nodes in a directory and up to three levels below it: their ranks, their memory, and whether " +
        "their processes live. Reads only.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
        "0:The nodes were listed; there may be none.",
        "1:There is no such directory.",
        "2:The command line was not understood."},
    mixinStandardHelpOptions = true)
public final class ListCommand implements Callable<Integer>
{
    private static final double MIB = 1 << 20;
    private static final String ROW = "%-9s %6s %6s %9s  %s%n";

    /**
     * A node.
     *
     * @param directory of it.
     * @param group     that it belongs to; why it cannot be read, if that is so.
     * @param processes living, heartbeat, dead, or unreadable.
     * @param ranks     of the group on this node.
     * @param open      of these, those that are open.
     * @param bytes     of its files.
     */
    public record Row(String directory, String group, String processes, int ranks, int open, long bytes)
    {
    }

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", arity = "0..1", defaultValue = "/dev/shm",
        description = "Where to look; default ${DEFAULT-VALUE}.")
    private File directory;

    @Option(names = "--json", description = "One line of JSON for each node instead of a table.")
    private boolean json;

    @Override
    public Integer call()
    {
        if (!directory.isDirectory())
        {
            spec.commandLine().getErr().println("no directory: found=" + (directory.exists() ? "a file" : "nothing") +
                ", expected=a directory in which nodes may be: " + PrintableText.of(directory));
            spec.commandLine().getErr().flush();
            return 1;
        }
        final List<Row> rows = new ArrayList<>();
        final Host host = new SystemHost(Path.of("/"));
        host.nodesBelow(directory).forEach((node) -> rows.add(row(node)));
        if (rows.isEmpty() && host.node(directory).isPresent())
        {
            rows.add(row(directory));
        }
        final PrintWriter out = spec.commandLine().getOut();
        if (json)
        {
            rows.forEach((row) -> out.println(JsonText.of(row)));
        }
        else if (rows.isEmpty())
        {
            out.println("no nodes below " + PrintableText.of(directory));
        }
        else
        {
            out.printf(Locale.ROOT, ROW, "processes", "ranks", "open", "MiB", "directory, group");
            rows.forEach((row) -> out.printf(Locale.ROOT, ROW, row.processes(), row.ranks(), row.open(),
                String.format(Locale.ROOT, "%,.1f", row.bytes() / MIB), PrintableText.of(row.directory() + ", " + row.group())));
        }
        out.flush();
        return 0;
    }

    private static Row row(final File node)
    {
        try
        {
            final NodeStat stat = NodeStat.attach(node);
            final int open = (int)stat.read().stream().filter(NodeStat.EndpointStat::isOpen).count();
            final String processes = switch (NodeLeftovers.find(node).liveness())
            {
                case ALIVE -> "living";
                case UNKNOWN -> "heartbeat";
                case DEAD -> "dead";
            };
            return new Row(node.getAbsolutePath(), stat.groupName(), processes, stat.localRankCount(), open, bytes(node));
        }
        catch (final MailboxException ex)
        {
            return new Row(node.getAbsolutePath(), ex.getMessage(), "unreadable", 0, 0, bytes(node));
        }
    }

    private static long bytes(final File directory)
    {
        long bytes = 0;
        final File[] files = directory.listFiles(File::isFile);
        for (final File file : files == null ? new File[0] : files)
        {
            bytes += file.length();
        }
        return bytes;
    }
}
