// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.faults.NetworkFaults;

/**
 * A child process with two ranks of one of two nodes. Both send to all others and check what they receive, each by a thread of
 * its own; the second is closed and opened again all the time. Lines on standard input: "sample" (say what of the machine it has
 * in use), "exhaust" and "relieve" (have no descriptors left, and give them back), "exit" (close all). It says "ready", and
 * "event TEXT" and "error TEXT" for each kind of them that is new to it.
 */
public final class NodesSoakProcess
{
    static final int SLOTS = 32;
    static final String GROUP = "soak";
    private static final double LOSS = 0.015;
    private static final int FRAMES = 6;
    private static final long RETRY_NS = 20_000_000;
    private static final long LEAST_OPEN_NS = 20_000_000;
    private static final int OPEN_RANGE_NS = 200_000_000;

    private final Settings settings;
    private final Random random;
    private final Books books;
    private final Topology topology;
    private final AeronTransport transport;
    private final Node node;
    private final SoakRank steady;
    private final Thread visitor = new Thread(this::visit, "visitor");
    private volatile boolean isEnding;
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final List<FileInputStream> descriptors = new ArrayList<>();

    /** What a process is told by its arguments. */
    record Settings(
        File directory, int firstPort, int secondPort, int node, boolean carry, File books, long intervalNs, long pauseNs,
        long seed, int steadyRank, int visitorRank)
    {
        Object[] arguments()
        {
            return new Object[]{directory, firstPort, secondPort, node, carry, books, intervalNs, pauseNs, seed, steadyRank,
                visitorRank};
        }

        static Settings of(final String... text)
        {
            return new Settings(new File(text[0]), Integer.parseInt(text[1]), Integer.parseInt(text[2]),
                Integer.parseInt(text[3]), Boolean.parseBoolean(text[4]), new File(text[5]), Long.parseLong(text[6]),
                Long.parseLong(text[7]), Long.parseLong(text[8]), Integer.parseInt(text[9]), Integer.parseInt(text[10]));
        }
    }

    private NodesSoakProcess(final Settings settings)
    {
        this.settings = settings;
        random = new Random(settings.seed());
        topology = Topology.blocks(List.of(new NodeAddress("127.0.0.1", settings.firstPort()),
            new NodeAddress("127.0.0.1", settings.secondPort())), new int[]{NodesSoakTest.RANKS / 2, NodesSoakTest.RANKS / 2});
        books = new Books(settings.books(), NodesSoakTest.RANKS, false);
        transport = new AeronTransport(topology, settings.node()).secret(NodesRig.SECRET)
            .faults(new NetworkFaults(settings.seed()).loss(LOSS));
        node = until("launch", () -> Node.launch(new NodeContext()
            .directory(settings.directory())
            .groupName(GROUP)
            .rankCount(NodesSoakTest.RANKS)
            .slotsPerSender(SLOTS)
            .checkInvariants(true)
            .deleteOnClose(true)
            .maxSendingThreads(64)
            .maxProcesses(16)
            .livenessIntervalNs(settings.intervalNs())
            .errorHandler(this::tell)
            .transport(transport)
            .transportSettings(new TransportSettings().carry(settings.carry()).eventHandler(this::onEvent))));
        steady = until("open", () -> new SoakRank(node, settings.steadyRank(), books));
    }

    /** What a machine that fails this process throws: tries again until it does not. */
    private <T> T until(final String what, final java.util.function.Supplier<T> attempt)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ", told=" + told);
        while (true)
        {
            try
            {
                return attempt.get();
            }
            catch (final RuntimeException ex)
            {
                tell(ex);
                watchdog.check();
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    /**
     * Works.
     *
     * @param arguments of {@link Settings}.
     * @throws Exception if it cannot.
     */
    public static void main(final String[] arguments) throws Exception
    {
        load();
        final NodesSoakProcess process = new NodesSoakProcess(Settings.of(arguments));
        final Queue<String> lines = new ConcurrentLinkedQueue<>();
        final Thread reader = new Thread(() -> read(lines), "input");
        reader.setDaemon(true);
        reader.start();
        process.visitor.start();
        System.out.println("ready");
        while (process.obey(lines.poll()))
        {
            process.turn();
            LockSupport.parkNanos(process.settings.pauseNs());
        }
        process.close();
        System.exit(0);
    }

    /** Classes in directories: without descriptors they cannot be loaded, and the JVM would not try again. */
    private static void load() throws IOException, ClassNotFoundException
    {
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator))
        {
            final Path root = Path.of(entry);
            if (Files.isDirectory(root) && entry.endsWith("classes") && !entry.endsWith("test-classes"))
            {
                try (Stream<Path> all = Files.walk(root))
                {
                    for (final Path path : all.filter((file) -> file.toString().endsWith(".class")).toList())
                    {
                        final String name = root.relativize(path).toString();
                        if (!name.contains("-info"))
                        {
                            Class.forName(name.substring(0, name.length() - ".class".length()).replace(File.separatorChar, '.'));
                        }
                    }
                }
            }
        }
    }

    private static void read(final Queue<String> lines)
    {
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try
        {
            for (String line = input.readLine(); line != null; line = input.readLine())
            {
                lines.add(line);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        // the test is gone
        Runtime.getRuntime().halt(1);
    }

    private void onEvent(final TransportEvent event)
    {
        if (event.kind() == TransportEvent.Kind.MESSAGES_LOST)
        {
            books.add(Books.TOLD, event.localRank(), event.peerRank(), event.count());
        }
        books.count(settings.node(), event.kind());
        say("event " + event.kind() + " " + event.text());
    }

    private void tell(final Throwable t)
    {
        if (t instanceof NoRoomException)
        {
            books.countRefusal();
        }
        say("error " + t + (t instanceof MailboxException ? "" : " at " + Stream.of(t.getStackTrace()).limit(FRAMES)
            .map(StackTraceElement::toString).toList()));
    }

    /** Says each kind of a line once. */
    private void say(final String line)
    {
        final String one = line.replaceAll("\\s+", " ");
        if (told.add(one.replaceAll("[0-9a-f]*[0-9][0-9a-f-]*", "#")))
        {
            System.out.println(one);
        }
    }

    private boolean obey(final String line)
    {
        if (line == null)
        {
            return true;
        }
        switch (line)
        {
            case "sample":
                System.out.println(sample());
                return true;
            case "exhaust":
                exhaust();
                return true;
            case "relieve":
                CloseHelper.closeAll(descriptors);
                descriptors.clear();
                return true;
            default:
                return false;
        }
    }

    private void exhaust()
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
            System.out.println("exhausted");
        }
    }

    private void turn()
    {
        if (transport.counts() != null)
        {
            books.carrier(settings.node(), ProcessHandle.current().pid());
        }
        steady.turn();
    }

    /** Comes and goes; stays when the test has stopped all that sends. */
    private void visit()
    {
        try
        {
            while (!isEnding)
            {
                try (SoakRank rank = open())
                {
                    stay(rank, System.nanoTime() + LEAST_OPEN_NS + random.nextInt(OPEN_RANGE_NS));
                }
                books.add(Books.REOPENED, settings.visitorRank(), settings.visitorRank(), 1);
            }
        }
        catch (final RuntimeException | Error ex)
        {
            System.out.println("wrong visitor " + ex + " at " + List.of(ex.getStackTrace()));
        }
    }

    /** However long there is no room, or no descriptor. */
    private SoakRank open()
    {
        while (true)
        {
            try
            {
                return new SoakRank(node, settings.visitorRank(), books);
            }
            catch (final RuntimeException ex)
            {
                tell(ex);
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    private void stay(final SoakRank rank, final long untilNs)
    {
        while (!isEnding && (books.isStopped() || System.nanoTime() - untilNs < 0))
        {
            rank.turn();
            LockSupport.parkNanos(settings.pauseNs());
        }
        if (isEnding)
        {
            System.out.println("end " + rank.end());
        }
    }

    private String sample()
    {
        try
        {
            final List<String> status = Files.readAllLines(Path.of("/proc/self/status"));
            final List<String> maps = Files.readAllLines(Path.of("/proc/self/maps"));
            final String own = settings.directory().getPath();
            return "sample anonymous=" + kib(status, "RssAnon") + " resident=" + kib(status, "VmRSS") + " mappings=" +
                maps.size() + " files=" + maps.stream().filter((line) -> line.contains(own)).count() + " descriptors=" +
                (new File("/proc/self/fd").list().length - descriptors.size()) + " threads=" +
                ManagementFactory.getThreadMXBean().getThreadCount();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static long kib(final List<String> status, final String name)
    {
        return status.stream().filter((line) -> line.startsWith(name))
            .mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElseThrow();
    }

    private void close() throws InterruptedException
    {
        isEnding = true;
        visitor.join();
        System.out.println("end " + steady.end() + "network " + transport.settings().faults() + " told=" + told.size());
        CloseHelper.closeAll(steady, node);
        books.close();
        System.out.println("closed");
    }
}
