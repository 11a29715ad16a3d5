// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.transportaeron.internal.handshake.GroupTerms;

/**
 * Two nodes work while datagrams are lost, ranks are closed and opened again, processes are killed, a stranger sends whatever it
 * likes, and room and descriptors run out for a moment. What is accepted comes once, in order and whole; a link ends when its
 * process is killed and else never; nothing grows, and nothing is left. {@code -Dtallypost.soakSeconds=N} sets for how long;
 * without it each kind of fault comes once, but for those that another one contains.
 *
 * <pre>
 *   process   node   ranks (second one comes and goes)
 *   0         0      0, 1   carries the packets, is never killed
 *   1         0      2, 3   is killed
 *   2         1      4, 5   carries the packets, is killed
 *   3         1      7, 6   is never killed
 * </pre>
 */
@Timeout(14_400)
@Tag("once")
class NodesSoakTest
{
    static final int RANKS = 8;
    private static final int SECONDS = Integer.getInteger("tallypost.soakSeconds", 0);
    /** A trend is looked for in soaks of five minutes and more: before that a JVM still grows into its work. */
    private static final int LONG_SECONDS = 300;
    private static final int SAMPLES = 48;
    private static final int DISK_MIB = 160;
    private static final int DESCRIPTORS = 160;
    private static final long INTERVAL_NS = 20_000_000_000L;
    /** Between two turns of a rank: turns are most of what the processor does here. */
    private static final long PAUSE_NS = SECONDS > 0 ? 300_000 : 1_000_000;
    private static final long STRANGER_NS = 5_000_000;
    private static final List<String> OPTIONS = List.of("-Xms64m", "-XX:+AlwaysPreTouch");
    private static final int[] STEADY = {0, 2, 4, 7};
    private static final int[][] PROCESSES = {{0, 0, 1}, {0, 2, 3}, {1, 4, 5}, {1, 7, 6}};
    private static final int KILLED = 1;
    private static final int CARRIER = 2;

    /** What can be done to the nodes. */
    private enum Fault
    {
        KILL, KILL_CARRIER, FULL, KILL_WHILE_FULL, DESCRIPTORS, STRANGER
    }

    @TempDir
    private File directory;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Topology topology = NodesRig.topology(RANKS / 2, RANKS / 2);
    private final ForkedJvm[] children = new ForkedJvm[PROCESSES.length];
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final Map<String, Integer> told = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private final List<List<long[]>> samples = new ArrayList<>();
    private final List<long[]> disks = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private final long startNs = System.nanoTime();
    private long nextSampleNs = startNs;
    private long lost;
    private long strangers;
    private Books books;
    private SoakDisk disk;
    private SoakStranger stranger;

    private int kills(final Fault fault)
    {
        return faults.getOrDefault(fault, 0);
    }

    private void say(final String text)
    {
        System.out.println("NodesSoakTest: " + (System.nanoTime() - startNs) / 1_000_000_000 + " s, " + text);
    }

    private void violation(final String text)
    {
        say("VIOLATION " + text);
        violations.add(text);
    }

    private void start(final int process)
    {
        final int[] place = PROCESSES[process];
        children[process] = disk.start(DESCRIPTORS, OPTIONS, NodesSoakProcess.class, new NodesSoakProcess.Settings(
            new File(directory, "disk/node-" + place[0]), topology.address(0).port(), topology.address(1).port(), place[0],
            process == 0 || process == CARRIER, new File(directory, "books"), INTERVAL_NS, PAUSE_NS, random.nextLong(), place[1],
            place[2]).arguments());
    }

    private void newStranger()
    {
        if (stranger != null)
        {
            strangers += stranger.sent();
            stranger.close();
        }
        final GroupTerms terms = new GroupTerms().with("groupName", NodesSoakProcess.GROUP).with("rankCount", RANKS)
            .with("nodes", 2).with("slotsPerSender", NodesSoakProcess.SLOTS).with("creditSlots", 2).with("flow", "DYNAMIC")
            .with("ranksOnNodes", topology.map().layout()).with("mtuLength", 8448);
        stranger = new SoakStranger(topology, terms, random.nextLong(), STRANGER_NS);
    }

    /** What the processes say. */
    private void listen()
    {
        for (int i = 0; i < children.length; i++)
        {
            if (children[i] == null)
            {
                continue;
            }
            for (String line = children[i].pollLine(); line != null; line = children[i].pollLine())
            {
                if (line.startsWith("wrong "))
                {
                    violation("process " + i + ": " + line);
                }
                else if (line.startsWith("error ") || line.startsWith("event "))
                {
                    if (told.merge(line.replaceAll("[0-9a-f]*[0-9][0-9a-f-]*", "#"), 1, Integer::sum) == 1)
                    {
                        say("process " + i + ": " + line);
                    }
                }
                else
                {
                    answers.add(line);
                }
            }
            if (!children[i].isAlive() && children[i].pollLine() == null)
            {
                final ForkedJvm dead = children[i];
                children[i] = null;
                throw new AssertionError("process " + i + " ended with exit code " + dead.waitFor() + ": " + state());
            }
        }
    }

    private String state()
    {
        return "seed=" + seed + ", faults=" + faults + ", answers=" + answers + ", told=" + told + ", " + books;
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ": " + state());
        while (!condition.getAsBoolean())
        {
            listen();
            watchdog.idle();
        }
    }

    private void awaitAnswer(final String start)
    {
        await(start, () -> answers.stream().anyMatch((line) -> line.startsWith(start)));
    }

    private int[] all()
    {
        final int[] all = new int[RANKS];
        Arrays.setAll(all, (rank) -> rank);
        return all;
    }

    /** Waits until so many more messages of each pair have come; all pairs are counted from the same moment on. */
    private void awaitTraffic(final String what, final int more, final int... ranks)
    {
        final long[][] start = new long[RANKS][RANKS];
        for (final int source : ranks)
        {
            Arrays.setAll(start[source], (dest) -> books.get(Books.RECEIVED, dest, source));
        }
        for (final int source : ranks)
        {
            for (final int dest : ranks)
            {
                final String pair = what + ", from " + source + " to " + dest + ": ";
                final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> pair + state());
                final long end = start[source][dest] + more;
                long last = start[source][dest];
                while (source != dest && last < end)
                {
                    listen();
                    watchdog.idle();
                    final long now = books.get(Books.RECEIVED, dest, source);
                    if (now != last)
                    {
                        // each message is waited for anew: a pair may be slow
                        watchdog.progress();
                        last = now;
                    }
                }
            }
        }
    }

    private void kill(final int process)
    {
        children[process].kill();
        children[process].close();
        children[process] = null;
    }

    private void restart(final int process)
    {
        answers.clear();
        start(process);
        awaitAnswer("ready");
    }

    private void apply(final Fault fault)
    {
        final long beforeNs = System.nanoTime();
        awaitTraffic("traffic before " + fault, 1 + random.nextInt(200), STEADY);
        faults.merge(fault, 1, Integer::sum);
        switch (fault)
        {
            case KILL:
                kill(KILLED);
                awaitTraffic("others go on", 20, 0, 4, 7);
                restart(KILLED);
                break;
            case KILL_CARRIER:
                kill(CARRIER);
                awaitTraffic("others of the other node go on", 20, 0, 2);
                restart(CARRIER);
                break;
            case STRANGER:
                newStranger();
                break;
            case DESCRIPTORS:
                exhaust();
                break;
            default:
                full(fault == Fault.KILL_WHILE_FULL);
                break;
        }
        awaitTraffic("traffic after " + fault, 20, all());
        check(fault);
        say(fault + " took " + (System.nanoTime() - beforeNs) / 1_000_000 + " ms");
    }

    private void full(final boolean hasKill)
    {
        final long refusals = books.refusals();
        disk.fill();
        if (hasKill)
        {
            kill(KILLED);
            answers.clear();
            start(KILLED);
        }
        await("a process that is told that there is no room", () ->
        {
            // a rank that closes leaves as much room as it needs when it opens again
            disk.fill();
            return books.refusals() > refusals;
        });
        if (hasKill)
        {
            awaitTraffic("all that is open goes on while there is no room", 50, 0, 4, 7);
            disk.empty();
            awaitAnswer("ready");
        }
        else
        {
            awaitTraffic("all that is open goes on while there is no room", 50, STEADY);
            disk.empty();
        }
    }

    private void exhaust()
    {
        final ForkedJvm victim = children[random.nextInt(children.length)];
        answers.clear();
        victim.writeLine("exhaust");
        awaitAnswer("exhausted");
        awaitTraffic("what is open goes on without descriptors", 50, STEADY);
        victim.writeLine("relieve");
    }

    /** A link ends when its process is killed, and nothing is lost else. */
    private void check(final Fault fault)
    {
        final int allowed = kills(Fault.KILL_CARRIER);
        for (int node = 0; node < 2; node++)
        {
            final long downs = books.counted(node, TransportEvent.Kind.LINK_DOWN);
            if (downs > allowed)
            {
                violation(fault + ": LINK_DOWN at node " + node + ": found=" + downs + ", expected at most " + allowed);
            }
        }
        final long toldNow = books.get(Books.TOLD, 0, 7) + books.get(Books.TOLD, 7, 0);
        if (toldNow != lost && fault != Fault.KILL_CARRIER)
        {
            violation(fault + ": MESSAGES_LOST: found=" + toldNow + ", expected=" + lost);
        }
        lost = toldNow;
        final long gone = Math.max(books.get(Books.GONE, 0, 7), books.get(Books.GONE, 7, 0));
        if (gone > allowed)
        {
            violation(fault + ": PEER_GONE between 0 and 7: found=" + gone + ", expected at most " + allowed);
        }
    }

    private static long[] numbers(final String line)
    {
        return Stream.of(line.substring("sample ".length()).split(" "))
            .mapToLong((part) -> Long.parseLong(part.substring(part.indexOf('=') + 1))).toArray();
    }

    private void sample()
    {
        final List<long[]> both = new ArrayList<>();
        for (final int process : new int[]{0, 3})
        {
            answers.clear();
            children[process].writeLine("sample");
            awaitAnswer("sample ");
            final String line = answers.stream().filter((text) -> text.startsWith("sample ")).findFirst().orElseThrow();
            say("process " + process + ": " + line);
            both.add(numbers(line));
        }
        samples.add(both);
        final long[] now = {disk.files().size(), disk.usedKib()};
        disks.add(now);
        say("files=" + now[0] + ", used KiB=" + now[1] + ", received=" + received() + ", faults=" + faults);
    }

    private long received()
    {
        return sum(Books.RECEIVED);
    }

    private long sum(final int field)
    {
        long sum = 0;
        for (int a = 0; a < RANKS; a++)
        {
            for (int b = 0; b < RANKS; b++)
            {
                sum += books.get(field, a, b);
            }
        }
        return sum;
    }

    @Test
    void shouldLoseNothingAndHoldNothingMoreTheLongerTheyWork() throws IOException
    {
        System.out.println("NodesSoakTest: -Dtallypost.seed=" + seed + ", seconds=" + SECONDS);
        final File place = new File(directory, "disk");
        Files.createDirectory(place.toPath());
        books = new Books(new File(directory, "books"), RANKS, true);
        disk = new SoakDisk(place, DISK_MIB);
        final List<Fault> kinds = new ArrayList<>(List.of(Fault.values()));
        if (!disk.isSmall())
        {
            System.out.println("NodesSoakTest: left out, a full file system cannot be tried here: mount failed");
            kinds.removeAll(List.of(Fault.FULL, Fault.KILL_WHILE_FULL));
        }
        else if (SECONDS == 0)
        {
            kinds.removeAll(List.of(Fault.FULL, Fault.KILL));
        }
        try
        {
            for (int i = 0; i < children.length; i++)
            {
                restart(i);
            }
            newStranger();
            awaitTraffic("traffic of all", 50, all());
            while (System.nanoTime() - startNs < SECONDS * 1_000_000_000L || faults.size() < kinds.size())
            {
                round(kinds);
            }
            end();
        }
        finally
        {
            CloseHelper.closeAll(stranger);
            CloseHelper.closeAll(children);
            CloseHelper.closeAll(disk, books);
        }
        judge();
        assertEquals(List.of(), violations, () -> "seed=" + seed);
    }

    /** Every kind of fault once, in any order. */
    private void round(final List<Fault> kinds)
    {
        Collections.shuffle(kinds, random);
        for (final Fault fault : kinds)
        {
            if (System.nanoTime() - nextSampleNs > 0)
            {
                nextSampleNs = System.nanoTime() + SECONDS * 1_000_000_000L / SAMPLES;
                sample();
            }
            apply(fault);
        }
    }

    private void end()
    {
        awaitTraffic("traffic after all faults", 100, all());
        sample();
        books.stop(true);
        for (final int[] pair : new int[][]{{0, 7}, {7, 0}})
        {
            await("all to be received or told", () -> books.get(Books.SENT, pair[0], pair[1]) -
                books.get(Books.RECEIVED, pair[1], pair[0]) - books.get(Books.TOLD, pair[0], pair[1]) <= 0);
        }
        check(Fault.STRANGER);
        strangers += stranger.sent();
        for (final ForkedJvm child : children)
        {
            answers.clear();
            child.writeLine("exit");
            awaitAnswerOrEnd(child);
            final List<String> ends = answers.stream().filter((line) -> line.startsWith("end ")).toList();
            assertEquals(2, ends.size(), () -> "ranks of a process: " + answers);
            for (final String line : ends)
            {
                say(line);
                if (!line.matches("end rank=\\d refused=0 repaired=0 .*"))
                {
                    violation(line);
                }
            }
            assertEquals(0, child.waitFor());
            children[Arrays.asList(children).indexOf(child)] = null;
        }
        say("received=" + received() + ", sent=" + sum(Books.SENT) + ", told as lost=" + sum(Books.TOLD) + ", reopened=" +
            sum(Books.REOPENED) + ", datagrams of a stranger=" + strangers + ", told that there is no room=" + books.refusals() +
            ", faults=" + faults);
        told.forEach((line, count) -> say("told " + count + " times: " + line));
        assertEquals(List.of(), disk.files(), "left behind");
        if (sum(Books.WRONG) != 0)
        {
            violation("wrong=" + sum(Books.WRONG));
        }
    }

    private void awaitAnswerOrEnd(final ForkedJvm child)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "the end of a process: " + state());
        while (!answers.contains("closed"))
        {
            final String line = child.pollLine();
            if (line != null)
            {
                answers.add(line);
            }
            else
            {
                watchdog.idle();
            }
        }
    }

    private void judge()
    {
        if (SECONDS < LONG_SECONDS)
        {
            return;
        }
        final String[] names = {"anonymous KiB", "resident KiB", "mappings", "mapped files", "descriptors", "threads"};
        final long[] slack = {8 << 10, 12 << 10, 16, 4, 3, 2};
        final int count = samples.size();
        assertTrue(count >= 8, () -> "too few samples: " + count);
        for (int process = 0; process < 2; process++)
        {
            for (int field = 0; field < names.length; field++)
            {
                final int p = process;
                final int f = field;
                trend("process " + (process == 0 ? 0 : 3) + ": " + names[field],
                    samples.stream().mapToLong((sample) -> sample.get(p)[f]).toArray(), slack[field]);
            }
        }
        trend("files", disks.stream().mapToLong((sample) -> sample[0]).toArray(), 4);
        trend("used KiB", disks.stream().mapToLong((sample) -> sample[1]).toArray(), 2 << 10);
    }

    /** The least of the last quarter is no more than the most of the second one. */
    private void trend(final String name, final long[] values, final long slack)
    {
        final int count = values.length;
        final long before = Arrays.stream(values, count / 4, count / 2).max().orElseThrow();
        final long after = Arrays.stream(values, count * 3 / 4, count).min().orElseThrow();
        say(name + ": " + Arrays.stream(values).min().orElseThrow() + " to " + Arrays.stream(values).max().orElseThrow() +
            ", most of the second quarter=" + before + ", least of the last=" + after);
        if (after > before + slack)
        {
            violation(name + " grew: " + Arrays.toString(values));
        }
    }
}
