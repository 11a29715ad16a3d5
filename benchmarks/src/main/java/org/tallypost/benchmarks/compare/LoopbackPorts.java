// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.agrona.CloseHelper;

/**
 * UDP ports of this machine for the two parties between nodes: one for each.
 */
public final class LoopbackPorts
{
    private static final String FILE_NAME = "ports";
    private static final int COUNT = 2;

    private final List<Integer> ports;

    private LoopbackPorts(final List<Integer> ports)
    {
        this.ports = ports;
    }

    /** The first process takes ports that are free, and writes down which; the others read that. */
    static LoopbackPorts of(final File directory, final boolean isFirst)
    {
        final File file = new File(directory, FILE_NAME);
        try
        {
            if (isFirst)
            {
                final List<Integer> free = free(COUNT);
                Files.writeString(file.toPath(), free.stream().map(String::valueOf).collect(Collectors.joining("\n")));
                return new LoopbackPorts(free);
            }
            return new LoopbackPorts(Files.readAllLines(file.toPath()).stream().map(Integer::valueOf).toList());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Ports that are free at this moment, all different.
     *
     * @param count of them.
     * @return the ports.
     * @throws UncheckedIOException if there are not so many.
     */
    public static List<Integer> free(final int count)
    {
        final List<DatagramSocket> sockets = new ArrayList<>();
        try
        {
            for (int i = 0; i < count; i++)
            {
                sockets.add(new DatagramSocket(0, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(DatagramSocket::getLocalPort).toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            CloseHelper.closeAll(sockets);
        }
    }

    /** Where a party's node receives. */
    InetSocketAddress transport(final int party)
    {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(party));
    }

}
