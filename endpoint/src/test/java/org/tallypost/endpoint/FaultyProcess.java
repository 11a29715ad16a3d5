// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.tallypost.node.Internals.local;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;

/**
 * A child process with a node in which rank 0 sends to rank 1 for ever, while the machine fails it. It does what lines on its
 * standard input say, says what came of it, and "error MESSAGE" when its error handler is called or a call throws. It ends
 * with exit code 0 after "exit", whatever happened.
 */
public final class FaultyProcess
{
    private static final int RANKS = 8;
    private static final long PARK_NS = 100_000;

    private final File directory;
    private final int slots;
    private final AtomicLong received = new AtomicLong();
    private final List<FileInputStream> descriptors = new ArrayList<>();
    private volatile boolean isRunning = true;
    private Node node;
    private Thread traffic;
    private String lastError = "";

    private FaultyProcess(final File directory, final int slots)
    {
        this.directory = directory;
        this.slots = slots;
    }

    /**
     * Obeys.
     *
     * @param arguments directory of the node, slots for each sender.
     * @throws Exception if it cannot.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final FaultyProcess process = new FaultyProcess(new File(arguments[0]), Integer.parseInt(arguments[1]));
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        for (String line = input.readLine(); line != null; line = input.readLine())
        {
            process.obey(line);
            if ("exit".equals(line))
            {
                System.exit(0);
            }
        }
        Runtime.getRuntime().halt(1);
    }

    private void obey(final String line) throws Exception
    {
        final String[] words = line.split(" ");
        switch (words[0])
        {
            case "launch":
                attempt(() -> node = Node.launch(context()));
                break;
            case "open":
                attempt(() -> node.open(Integer.parseInt(words[1])));
                break;
            case "start":
                start();
                break;
            case "received":
                System.out.println("received " + received.get());
                break;
            case "exhaust":
                exhaust();
                break;
            case "relieve":
                CloseHelper.closeAll(descriptors);
                descriptors.clear();
                System.out.println("done");
                break;
            case "touch":
                attempt(this::touch);
                break;
            case "park":
                attempt(this::park);
                break;
            case "modes":
                modes();
                break;
            default:
                close();
                break;
        }
    }

    private NodeContext context()
    {
        return new NodeContext().directory(directory).groupName("faults").rankCount(RANKS).slotsPerSender(slots)
            .livenessIntervalNs(100_000_000L).maxProcesses(4).maxSendingThreads(16).errorHandler(this::tell);
    }

    private synchronized void tell(final Throwable t)
    {
        final String text = t instanceof MailboxException ? t.getMessage() : t.toString();
        // what goes on failing is told once
        if (!text.equals(lastError))
        {
            lastError = text;
            System.out.println("error " + text.replace('\n', ' '));
        }
    }

    private void attempt(final Runnable action)
    {
        try
        {
            action.run();
            System.out.println("done");
        }
        catch (final RuntimeException | Error ex)
        {
            lastError = "";
            tell(ex);
        }
    }

    private void start()
    {
        final Endpoint sender = node.open(0);
        final Endpoint receiver = node.open(1);
        traffic = new Thread(() -> run(sender, receiver), "traffic");
        traffic.start();
        System.out.println("done");
    }

    private void run(final Endpoint sender, final Endpoint receiver)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[2048]);
        for (int i = 0; isRunning; i++)
        {
            try
            {
                final long sent = sender.offer(1, 1, message, 0, (i & 63) == 0 ? 2048 : 40);
                if (receiver.poll((source, tag, buffer, offset, length) -> received.incrementAndGet(), 10) == 0 && sent < 0)
                {
                    Thread.yield();
                }
            }
            catch (final RuntimeException | Error ex)
            {
                tell(ex);
                LockSupport.parkNanos(PARK_NS);
            }
        }
    }

    private void exhaust() throws IOException
    {
        try
        {
            while (true)
            {
                descriptors.add(new FileInputStream("/dev/null"));
            }
        }
        catch (final IOException ex)
        {
            System.out.println("done");
        }
    }

    /** Writes every byte of all mailboxes that this process has: each page has to be there. */
    private void touch()
    {
        for (final Endpoint endpoint : local(node).endpoints().all())
        {
            final UnsafeBuffer buffer = local(endpoint).mailbox().buffer();
            for (int at = 0; at < buffer.capacity(); at += Long.BYTES)
            {
                buffer.getAndAddLong(at, 0L);
            }
        }
    }

    private void park()
    {
        final Endpoint endpoint = node.open(2);
        final DeadlineIdleStrategy idle = endpoint.newIdleStrategy();
        // the plain call parks for a millisecond at most, so that it is looked again whether the bell is there
        Watchdog.await("a bell, made by the first thread that parks", () ->
        {
            idle.idle(endpoint.poll(Fixtures.NOTHING, 1));
            return directory.list((file, name) -> name.startsWith(NodeFiles.BELL_PREFIX)).length > 0;
        });
    }

    private void modes() throws IOException
    {
        try (Stream<Path> all = Files.walk(directory.toPath()))
        {
            for (final Path path : all.sorted().toList())
            {
                System.out.println("mode " + PosixFilePermissions.toString(Files.getPosixFilePermissions(path)) + " " +
                    directory.toPath().relativize(path));
            }
        }
        System.out.println("done");
    }

    private void close() throws InterruptedException
    {
        isRunning = false;
        if (traffic != null)
        {
            traffic.join();
        }
        if (node != null)
        {
            attempt(node::close);
        }
        System.out.println("closed");
    }
}
