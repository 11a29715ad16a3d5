// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class NamespacesTest
{
    private static String output(final List<String> command) throws IOException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.destroyForcibly();
        return text;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldGiveEachNodeANetworkOfItsOwnOrSayWhyNot(final int nodes) throws IOException
    {
        final String whyNot = Namespaces.whyNot(nodes);
        if (whyNot != null)
        {
            assertTrue(whyNot.matches("(?is).*(permitted|denied|not supported|cannot run|unknown device type|read-only).*"),
                whyNot);
            System.out.println("NamespacesTest: none here: " + whyNot);
            return;
        }
        final List<String> names = Namespaces.names(nodes);
        final Namespaces namespaces = Namespaces.create(names);
        try
        {
            for (int node = 0; node < nodes; node++)
            {
                final List<String> command = new ArrayList<>(Namespaces.prefix(names.get(node)));
                command.addAll(List.of("ip", "addr"));
                final String seen = output(command);
                for (int other = 0; other < nodes; other++)
                {
                    assertEquals(other == node, seen.contains(Namespaces.address(other) + "/24"), seen);
                }
            }
        }
        finally
        {
            namespaces.close();
        }
        final String left = output(List.of("ip", "netns", "list"));
        names.forEach((name) -> assertFalse(left.contains(name), left));
    }

    @ParameterizedTest
    @EnumSource(Namespaces.Wire.class)
    void shouldMakeEachWireOrSayWhyNot(final Namespaces.Wire wire) throws IOException
    {
        final String whyNot = Namespaces.whyNot(2, wire);
        if (whyNot != null)
        {
            assertFalse(whyNot.isBlank());
            System.out.println("NamespacesTest: no wire " + wire + " here: " + whyNot);
            return;
        }
        final List<String> names = Namespaces.names(2);
        final Namespaces namespaces = Namespaces.create(names, wire);
        try
        {
            final List<String> command = new ArrayList<>(Namespaces.prefix(names.get(1)));
            command.addAll(List.of("ip", "link", "show", "dev", "veth0"));
            final String seen = output(command);
            assertEquals(wire != Namespaces.Wire.FREE, seen.contains("tbf"), seen);
            assertTrue(seen.contains(wire == Namespaces.Wire.FREE ? "mtu 9000" : "mtu 1500"), seen);
        }
        finally
        {
            namespaces.close();
        }
    }
}
