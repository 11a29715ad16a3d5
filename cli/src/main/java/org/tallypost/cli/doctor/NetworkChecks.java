// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What carries packets between nodes: nothing, as long as there is one.
 */
final class NetworkChecks
{
    private static final String INTERFACES = "/sys/class/net";
    private static final String CORE = "/proc/sys/net/core/";
    /** Payload of a datagram by default, and the headers before it. */
    private static final int DATAGRAM_LENGTH = 8_448;
    private static final int HEADERS_LENGTH = 28;
    private static final long SMALL_DATAGRAM_LENGTH = 1_408;
    private static final long FRAME_ALIGNMENT = 32;
    /** What an embedded media driver asks for. */
    private static final long RECEIVE_BUFFER_LENGTH = 2L << 20;
    private static final long SEND_BUFFER_LENGTH = 128L << 10;

    private NetworkChecks()
    {
    }

    static Finding datagrams(final Host host, final Plan plan)
    {
        if (plan.nodes() < 2)
        {
            return Finding.ok("mtu", "one node, no network");
        }
        final List<String> small = new ArrayList<>();
        long least = Long.MAX_VALUE;
        boolean isKnown = false;
        for (final String name : host.names(INTERFACES))
        {
            final OptionalLong mtu = Numbers.of(host.text(INTERFACES + "/" + name + "/mtu"));
            final boolean isUp = !host.text(INTERFACES + "/" + name + "/operstate").orElse("up").equals("down");
            if (!name.equals("lo") && isUp && mtu.isPresent())
            {
                isKnown = true;
                if (mtu.getAsLong() < DATAGRAM_LENGTH + HEADERS_LENGTH)
                {
                    least = Math.min(least, mtu.getAsLong());
                    small.add(name + " " + mtu.getAsLong());
                }
            }
        }
        if (!isKnown)
        {
            return Finding.unknown("mtu", INTERFACES);
        }
        return small.isEmpty() ? Finding.ok("mtu", "datagrams of " + DATAGRAM_LENGTH + " bytes go in one piece") :
            new Finding("mtu", Level.WARNING, String.join(", ", small) + " bytes", "at least " +
                (DATAGRAM_LENGTH + HEADERS_LENGTH) + " between the nodes: else datagrams go in pieces, and are lost with any",
                "AeronTransport.mtuLength(" + datagramLength(least) + ") on all nodes, or an MTU of 9000 on the whole network");
    }

    /** Of a network of 1,500 bytes what Aeron takes there; frames are a multiple of 32 bytes long. */
    private static long datagramLength(final long mtu)
    {
        return Math.min(SMALL_DATAGRAM_LENGTH, mtu - HEADERS_LENGTH & -FRAME_ALIGNMENT);
    }

    static Finding receiveBuffers(final Host host, final Plan plan)
    {
        return buffers(host, plan, "rmem_max", RECEIVE_BUFFER_LENGTH);
    }

    static Finding sendBuffers(final Host host, final Plan plan)
    {
        return buffers(host, plan, "wmem_max", SEND_BUFFER_LENGTH);
    }

    /** What ranks of the node have done with memory of other nodes: a refusal is the program's to know of, or a link's end. */
    static Finding bulk(final Plan plan)
    {
        final Optional<NodeFacts> node = plan.node().filter((each) -> each.bulkOperations() > 0);
        if (node.isEmpty())
        {
            return Finding.ok("bulk", "no operations on memory of other nodes");
        }
        final String found = node.get().bulkOperations() + " operations on memory of other nodes, " + node.get().bulkRefused() +
            " refused or lost, " + node.get().bulkPending() + " under way";
        return node.get().bulkRefused() == 0 ? Finding.ok("bulk", found) : new Finding("bulk", Level.NOTE, found,
            "none refused", "tallypost stat " + plan.directory() + " names the ranks; their results say why");
    }

    private static Finding buffers(final Host host, final Plan plan, final String name, final long needed)
    {
        if (plan.nodes() < 2)
        {
            return Finding.ok(name, "one node, no network");
        }
        final OptionalLong most = Numbers.of(host.text(CORE + name));
        if (most.isEmpty())
        {
            return Finding.unknown(name, CORE + name);
        }
        return most.getAsLong() >= needed ? Finding.ok(name, Numbers.bytes(most.getAsLong())) :
            new Finding(name, Level.WARNING, "net.core." + name + " " + Numbers.bytes(most.getAsLong()),
                "at least " + Numbers.bytes(needed) + ": a burst does not fit into a socket's buffer else, and is sent again",
                "sysctl -w net.core." + name + "=" + needed);
    }
}
