// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A network namespace for each node, as if it were a host of its own: two are joined by a veth link, more by a veth link each to
 * a bridge in one more. Needs {@code ip} and the right to use it. What a run that was killed has left behind goes away with the
 * next.
 */
public final class Namespaces implements AutoCloseable
{
    private static final String PREFIX = "tallypost-";
    private static final String DEVICE = "veth0";
    private static final String BRIDGE = "bridge0";
    private static final String QUEUE = "ifb0";
    private static final String SUBNET = "10.231.0.";
    /** Room for the datagrams that the transport sends at most by default. */
    private static final String MTU = "9000";
    private static final String ETHERNET_MTU = "1500";
    private static final int MAX_NODES = 200;
    private static final long TIMEOUT_MS = 60_000;

    /** How the links are. */
    public enum Wire
    {
        /** As fast as the machine. */
        FREE(null),
        /** 10 Mb/s, which all share: whatever one sends, no other can send meanwhile. */
        BUS_10("10mbit"),
        /** 100 Mb/s into each host and out of it. */
        SWITCH_100("100mbit");

        private final String rate;

        Wire(final String rate)
        {
            this.rate = rate;
        }
    }

    private final List<String> names;
    private final Wire wire;
    private final String hub;

    private Namespaces(final List<String> names, final Wire wire, final String hub)
    {
        this.names = names;
        this.wire = wire;
        this.hub = hub;
    }

    /**
     * Names for a run of this process.
     *
     * @param nodes number of nodes.
     * @return a name for each.
     */
    public static List<String> names(final int nodes)
    {
        return IntStream.range(0, nodes).mapToObj((node) -> PREFIX + ProcessHandle.current().pid() + "-" + node).toList();
    }

    /**
     * Address of a node in its namespace.
     *
     * @param node index of the node.
     * @return the address.
     */
    public static String address(final int node)
    {
        return SUBNET + (node + 1);
    }

    /**
     * Address of all nodes.
     *
     * @return the broadcast address of their network.
     */
    public static String broadcastAddress()
    {
        return SUBNET + "255";
    }

    /**
     * Why there can be none: tries it.
     *
     * @param nodes number of nodes.
     * @return the reason, or null if they can be made.
     */
    public static String whyNot(final int nodes)
    {
        return whyNot(nodes, Wire.FREE);
    }

    /**
     * Why there can be none: tries it.
     *
     * @param nodes number of nodes.
     * @param wire  between them.
     * @return the reason, or null if they can be made.
     */
    public static String whyNot(final int nodes, final Wire wire)
    {
        if (nodes > MAX_NODES)
        {
            return "more than " + MAX_NODES + " nodes";
        }
        try (Namespaces tried = create(names(nodes), wire))
        {
            for (final String name : tried.names)
            {
                ip("netns", "exec", name, "true");
            }
            return null;
        }
        catch (final IOException ex)
        {
            return ex.getMessage();
        }
    }

    /**
     * Makes the namespaces and their links, as fast as the machine.
     *
     * @param names of {@link #names}.
     * @return that has to be closed.
     * @throws IOException with what {@code ip} said if it did not work; nothing is left then.
     */
    static Namespaces create(final List<String> names) throws IOException
    {
        return create(names, Wire.FREE);
    }

    /**
     * Makes the namespaces and their links.
     *
     * @param names of {@link #names}.
     * @param wire  between them; other wires than a free one need {@code tc}.
     * @return that has to be closed.
     * @throws IOException with what {@code ip} or {@code tc} said if it did not work; nothing is left then.
     */
    public static Namespaces create(final List<String> names, final Wire wire) throws IOException
    {
        removeLeft();
        final boolean isPair = names.size() == 2 && wire == Wire.FREE;
        final Namespaces made = new Namespaces(names, wire, isPair ? null : names.get(0) + "-hub");
        try
        {
            for (final String name : names)
            {
                ip("netns", "add", name);
                ip("-n", name, "link", "set", "lo", "up");
            }
            made.join();
            for (int node = 0; node < names.size(); node++)
            {
                ip("-n", names.get(node), "addr", "add", address(node) + "/24", "dev", DEVICE);
                ip("-n", names.get(node), "link", "set", DEVICE, "mtu", made.mtu(), "up");
            }
            if (wire != Wire.FREE)
            {
                made.shape();
            }
            return made;
        }
        catch (final IOException ex)
        {
            made.close();
            throw ex;
        }
    }

    private String mtu()
    {
        return wire == Wire.FREE ? MTU : ETHERNET_MTU;
    }

    /** What hosts send waits at their own device, so that a program waits with it. */
    private void shape() throws IOException
    {
        for (final String name : names)
        {
            limit(name, DEVICE);
        }
        if (wire == Wire.BUS_10)
        {
            // all that comes into the bridge goes through one queue
            ip("-n", hub, "link", "add", "name", QUEUE, "type", "ifb");
            ip("-n", hub, "link", "set", QUEUE, "up");
            limit(hub, QUEUE);
        }
        for (int node = 0; node < names.size(); node++)
        {
            if (wire == Wire.BUS_10)
            {
                run("tc", "-n", hub, "qdisc", "add", "dev", port(node), "handle", "ffff:", "ingress");
                run("tc", "-n", hub, "filter", "add", "dev", port(node), "parent", "ffff:", "protocol", "all", "u32", "match",
                    "u32", "0", "0", "action", "mirred", "egress", "redirect", "dev", QUEUE);
            }
            else
            {
                limit(hub, port(node));
            }
        }
    }

    /** Counts what Ethernet adds to a frame, and has room for some megabytes. */
    private void limit(final String name, final String device) throws IOException
    {
        run("tc", "-n", name, "qdisc", "add", "dev", device, "root", "tbf", "rate", wire.rate, "burst", "3200", "limit",
            "4000000", "overhead", "24");
    }

    private static String port(final int node)
    {
        return "port" + node;
    }

    private void join() throws IOException
    {
        if (hub == null)
        {
            ip("link", "add", "name", DEVICE, "netns", names.get(0), "type", "veth", "peer", "name", DEVICE,
                "netns", names.get(1));
            return;
        }
        ip("netns", "add", hub);
        ip("-n", hub, "link", "add", "name", BRIDGE, "type", "bridge");
        ip("-n", hub, "link", "set", BRIDGE, "mtu", mtu(), "up");
        for (int node = 0; node < names.size(); node++)
        {
            final String port = port(node);
            ip("link", "add", "name", DEVICE, "netns", names.get(node), "type", "veth", "peer", "name", port, "netns", hub);
            ip("-n", hub, "link", "set", port, "mtu", mtu(), "master", BRIDGE, "up");
        }
    }

    /**
     * What comes before a command that is to run on a node.
     *
     * @param name of the node's namespace.
     * @return words.
     */
    public static List<String> prefix(final String name)
    {
        return List.of("ip", "netns", "exec", name);
    }

    private static void removeLeft() throws IOException
    {
        for (final String line : ip("netns", "list").split("\n"))
        {
            final String name = line.split(" ")[0];
            final String[] parts = name.split("-");
            if (name.startsWith(PREFIX) && parts.length > 2 && parts[1].matches("[0-9]{1,9}") &&
                ProcessHandle.of(Long.parseLong(parts[1])).isEmpty())
            {
                ip("netns", "del", name);
            }
        }
    }

    private static String ip(final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        return run(command.toArray(new String[0]));
    }

    private static String run(final String... command) throws IOException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream output = process.getInputStream())
        {
            final String said = new String(output.readAllBytes(), Charset.defaultCharset()).trim();
            if (!process.waitFor(TIMEOUT_MS, TimeUnit.MILLISECONDS) || process.exitValue() != 0)
            {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
            return said;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted: " + String.join(" ", command), ex);
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    /** Removes the namespaces, and with them the links. */
    @Override
    public void close()
    {
        final List<String> all = new ArrayList<>(names);
        if (hub != null)
        {
            all.add(hub);
        }
        for (final String name : all)
        {
            try
            {
                ip("netns", "del", name);
            }
            catch (final IOException ignore)
            {
                // was not made, or is gone already
            }
        }
    }
}
