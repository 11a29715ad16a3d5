// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.clean;

import java.io.File;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.tallypost.cli.console.PrintableText;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.NodeLeftovers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost clean}: removes what dead processes left in a node's directory.
 */
@Command(
    name = "clean",
    description = "Removes what dead processes left in a node's directory, and nothing else. If no process of the node is " +
        "left, the node goes, and the directory with it if it is empty then. A directory that is no node's is refused.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
        "0:Nothing is left of dead processes, or would be with --dry-run.",
        "1:Refused: no node, another user's, or of another version; or a file could not be removed.",
        "2:The command line was not understood."},
    mixinStandardHelpOptions = true)
public final class CleanCommand implements Callable<Integer>
{
    private static final int KIB = 1024;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Directory of the node.")
    private File directory;

    @Option(names = "--dry-run", description = "Says what would be removed, and removes nothing.")
    private boolean dryRun;

    @Override
    public Integer call()
    {
        try
        {
            final NodeLeftovers left = dryRun ? NodeLeftovers.find(directory) : NodeLeftovers.remove(directory);
            final PrintWriter out = spec.commandLine().getOut();
            left.files().forEach((file) -> out.println((dryRun ? "would remove " : "removed ") + PrintableText.of(file)));
            out.println(sentence(left));
            out.flush();
            left.stuck().forEach((file) -> spec.commandLine().getErr().println("not removed: " + PrintableText.of(file)));
            spec.commandLine().getErr().flush();
            return left.stuck().isEmpty() ? 0 : 1;
        }
        catch (final MailboxException ex)
        {
            spec.commandLine().getErr().println(PrintableText.of(ex.getMessage()));
            spec.commandLine().getErr().flush();
            return 1;
        }
    }

    private String sentence(final NodeLeftovers left)
    {
        final String files = String.format(Locale.ROOT, "%d %s, %,d KiB", left.files().size(),
            left.files().size() == 1 ? "file" : "files", left.bytes() / KIB);
        final String rest = switch (left.liveness())
        {
            case ALIVE -> "; the node has living processes and stays";
            case UNKNOWN -> dryRun ? "; whether its processes are there only their heartbeats tell: without --dry-run they are " +
                "watched, and if all are silent the node goes" : "; the node has processes with a heartbeat and stays";
            case DEAD -> dryRun ? "; no process of the node is left, it would go" :
                directory.exists() ? "; no process of the node was left; the directory stays, it has other files: " + others() :
                "; no process of the node was left, and the directory is gone";
        };
        return (dryRun ? "would remove " : "removed ") + files + rest;
    }

    private String others()
    {
        final String[] names = directory.list();
        return names == null ? "unknown" : PrintableText.of(String.join(", ", names));
    }
}
