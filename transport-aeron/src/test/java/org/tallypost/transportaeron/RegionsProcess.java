// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RemoteRegion;
import org.tallypost.node.Node;

/** A child process with rank 1, on node 1. It says the key of its region, reads another key, and puts there until a kill. */
public final class RegionsProcess
{
    static final int LENGTH = 1 << 20;

    private RegionsProcess()
    {
    }

    static ForkedJvm start(final File directory, final Topology topology, final long livenessNs)
    {
        return ForkedJvm.start(
            RegionsProcess.class, directory, topology.address(0).port(), topology.address(1).port(), livenessNs);
    }

    static String hex(final RegionKey key)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RegionKey.LENGTH]);
        key.encode(buffer, 0);
        return HexFormat.of().formatHex(buffer.byteArray());
    }

    static RegionKey key(final String hex)
    {
        return new RegionKey().decode(new UnsafeBuffer(HexFormat.of().parseHex(hex)), 0);
    }

    /**
     * Serves, and puts.
     *
     * @param arguments directory, ports of the two nodes, liveness interval.
     * @throws IOException if the input fails.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final Topology topology = Topology.blocks(
            List.of(new NodeAddress("127.0.0.1", Integer.parseInt(arguments[1])),
            new NodeAddress("127.0.0.1", Integer.parseInt(arguments[2]))), new int[]{1, 1});
        final Node node = Node.launch(new NodeContext().directory(new File(arguments[0])).groupName("test").rankCount(2)
            .slotsPerSender(16).maxSendingThreads(64).maxProcesses(16).livenessIntervalNs(Long.parseLong(arguments[3]))
            .transport(new AeronTransport(topology, 1).secret(NodesRig.SECRET).bulkTermLength(1 << 20)));
        final Endpoint endpoint = node.open(1);
        final RegionMemory memory = RegionMemory.open(node, endpoint);
        System.out.println(hex(memory.register(LENGTH, Region.ALL).key(new RegionKey())));
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        final RegionKey key = key(input.readLine());
        while (RankState.of(endpoint.rankState(0)) != RankState.OPEN)
        {
            endpoint.poll((source, tag, buffer, offset, length) -> {}, 16);
            Thread.yield();
        }
        put(memory, key);
    }

    private static void put(final RegionMemory memory, final RegionKey key)
    {
        final RemoteRegion remote = new RemoteRegion();
        remote.attach(memory, key);
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[LENGTH - 8]);
        boolean isTold = false;
        for (byte value = 1; true; value++)
        {
            bytes.setMemory(0, bytes.capacity(), value);
            remote.putNotify(8, bytes, 0, bytes.capacity(), 0);
            while (remote.flush() > 0)
            {
                memory.poll();
                Thread.onSpinWait();
            }
            if (!isTold && remote.flush() == 0)
            {
                isTold = true;
                System.out.println("putting");
            }
        }
    }
}
