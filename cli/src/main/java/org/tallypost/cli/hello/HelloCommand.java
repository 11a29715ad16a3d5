// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.hello;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.launch.LaunchConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost hello}: one rank of a group, as a launcher starts it.
 * <p>
 * Exit codes: 0 if all ranks heard from each other, 1 if not, or if the launch does not fit together.
 */
@Command(
    name = "hello",
    description = "Takes part in a group as the launcher says, exchanges messages with all other ranks and tells from which it " +
        "heard: to try a launch, as in 'mpirun -n 4 bin/tallypost hello'. See docs/guide/launching.md.",
    mixinStandardHelpOptions = true)
public final class HelloCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "60s", converter = DurationConverter.class,
        description = "Time after which it gives up, such as 500ms, 10s or 2m; default ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Override
    public Integer call()
    {
        try
        {
            final LaunchConfiguration launch = LaunchConfiguration.resolve();
            if (launch.rank() < 0)
            {
                return failed("this process has no rank of its own: start it by a launcher, or set TALLYPOST_RANK");
            }
            final LinkNews news = new LinkNews(launch.topology(), launch.node());
            final NodeContext context = launch.context().deleteOnClose(true).errorHandler(news::onError)
                .transportSettings(new TransportSettings().eventHandler(news::onEvent));
            try (Node node = Node.launch(context); Endpoint endpoint = node.open(launch.rank()))
            {
                return greet(launch, node, endpoint, news);
            }
        }
        catch (final IllegalArgumentException | IllegalStateException | MailboxException ex)
        {
            return failed(LinkNews.firstLine(ex));
        }
    }

    private int greet(final LaunchConfiguration launch, final Node node, final Endpoint endpoint, final LinkNews news)
    {
        final Greetings greetings = new Greetings(endpoint, launch.rank(), launch.rankCount());
        final long startNs = System.nanoTime();
        while (!greetings.areExchanged())
        {
            final long nowNs = System.nanoTime();
            if (nowNs - startNs > timeout.toNanos())
            {
                final Path directory = node.context().directory().toPath().toAbsolutePath().normalize();
                failed("rank " + launch.rank() + " of " + launch.rankCount() + " has not heard from all: " + greetings +
                    "; the node's directory is " + directory);
                news.lines().forEach(this::failed);
                return 1;
            }
            if (greetings.turn(nowNs) == 0)
            {
                Thread.yield();
            }
        }
        final PrintWriter out = spec.commandLine().getOut();
        // in one piece: the launcher mixes the lines of all ranks
        out.print("rank " + launch.rank() + " of " + launch.rankCount() + ", node " + launch.node() + " of " +
            launch.topology().nodeCount() +
            (launch.launcher() == null ? ", without a launcher" : ", launched by " + launch.launcher()) +
            (launch.rankCount() == 1 ? ", no other ranks" : ", heard from ") +
            IntStream.range(0, launch.rankCount()).filter((rank) -> rank != launch.rank())
            .mapToObj((rank) -> rank + " on node " + launch.topology().nodeOf(rank)).collect(Collectors.joining(", ")) +
            System.lineSeparator());
        out.flush();
        return 0;
    }

    private int failed(final String why)
    {
        spec.commandLine().getErr().println("hello: " + why);
        spec.commandLine().getErr().flush();
        return 1;
    }
}
