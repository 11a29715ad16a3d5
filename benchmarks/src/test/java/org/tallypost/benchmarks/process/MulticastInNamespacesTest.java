// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.ForkedJvm;

/** Broadcasts by multicast between namespaces, through a switch that has room for some datagrams and drops the others. */
@Tag("once")
class MulticastInNamespacesTest
{
    private static final int NODES = 3;
    private static final Pattern DROPPED = Pattern.compile("dropped ([0-9]+)");

    @TempDir
    private Path directory;

    private static String run(final String... command) throws IOException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try
        {
            assertEquals(0, process.waitFor(), said);
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
        return said;
    }

    private static void limit(final String namespace, final String device) throws IOException
    {
        // a dozen datagrams of 1,408 bytes wait; others are lost
        run("tc", "-n", namespace, "qdisc", "replace", "dev", device, "root", "tbf", "rate", "40mbit", "burst", "3200", "limit",
            "20000");
    }

    private static long dropped(final String namespace) throws IOException
    {
        final Matcher found = DROPPED.matcher(run("tc", "-n", namespace, "-s", "qdisc", "show"));
        long sum = 0;
        while (found.find())
        {
            sum += Long.parseLong(found.group(1));
        }
        return sum;
    }

    /** What the switch drops is sent again, and a receiver that is cut off ends the team, at itself as well. */
    @Test
    void shouldBroadcastWithLossAndEndWhenAReceiverIsCutOff() throws IOException
    {
        final String whyNot = Namespaces.whyNot(NODES, Namespaces.Wire.SWITCH_100);
        if (whyNot != null)
        {
            System.out.println("MulticastInNamespacesTest: no namespaces here: " + whyNot);
            return;
        }
        final List<String> names = Namespaces.names(NODES);
        final List<ForkedJvm> children = new ArrayList<>();
        final Namespaces namespaces = Namespaces.create(names, Namespaces.Wire.SWITCH_100);
        try
        {
            final String hub = names.get(0) + "-hub";
            for (int node = 0; node < NODES; node++)
            {
                limit(hub, "port" + node);
                children.add(TeamInNamespaceProcess.start(Namespaces.prefix(names.get(node)), directory, NODES, node));
            }
            for (final ForkedJvm child : children)
            {
                assertEquals("multicast true", child.readLine());
                assertEquals("whole " + TeamInNamespaceProcess.BROADCASTS, child.readLine());
            }
            final long dropped = dropped(hub);
            System.out.println("MulticastInNamespacesTest: datagrams dropped=" + dropped);
            assertTrue(dropped > 0, "nothing was lost");
            run("ip", "-n", names.get(2), "link", "set", "veth0", "down");
            for (int node = 0; node < NODES; node++)
            {
                final String end = children.get(node).readLine();
                System.out.println("MulticastInNamespacesTest: node " + node + ": " + end);
                assertTrue(end.startsWith("MEMBER_GONE"), end);
                assertEquals(node == 2, !end.endsWith(" 2"), end);
                assertEquals(0, children.get(node).waitFor());
            }
            assertFalse(directory.resolve("node-0").toFile().exists(), "nothing is left behind");
        }
        finally
        {
            children.forEach(ForkedJvm::close);
            namespaces.close();
        }
    }
}
