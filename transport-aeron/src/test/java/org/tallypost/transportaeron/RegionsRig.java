// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;

/** Two nodes of this process with bulk streams; rank 0 uses memory of rank 1. */
final class RegionsRig implements AutoCloseable
{
    final NodesRig nodes;
    RegionMemory own;
    RegionMemory other;
    final RemoteRegion remote = new RemoteRegion();

    RegionsRig(final File directory)
    {
        this(directory, (context, transport) -> {});
    }

    RegionsRig(final File directory, final BiConsumer<NodeContext, AeronTransport> tuning)
    {
        nodes = new NodesRig(directory, 2, 1).tuned((context, transport) ->
        {
            transport.bulkTermLength(1 << 20);
            tuning.accept(context, transport);
        });
        boolean isWhole = false;
        try
        {
            nodes.launchAll();
            own = RegionMemory.open(nodes.nodes.get(0), nodes.endpoint(0));
            other = RegionMemory.open(nodes.nodes.get(1), nodes.endpoint(1));
            awaitOpen();
            isWhole = true;
        }
        finally
        {
            if (!isWhole)
            {
                close();
            }
        }
    }

    /** Until rank 0 knows of rank 1. */
    void awaitOpen()
    {
        nodes.pollUntil("a link", (source, tag, buffer, offset, length) -> {},
            () -> RankState.of(nodes.endpoint(0).rankState(1)) == RankState.OPEN);
    }

    RegionKey key(final Region region)
    {
        final UnsafeBuffer sent = new UnsafeBuffer(new byte[RegionKey.LENGTH]);
        region.key(new RegionKey()).encode(sent, 0);
        return new RegionKey().decode(sent, 0);
    }

    RemoteRegion attached(final Region region)
    {
        assertEquals(RemoteRegion.UNDER_WAY, remote.attach(own, key(region)));
        assertEquals(0, settle());
        return remote;
    }

    /** As soon as the other node is there. */
    RemoteRegion attachedAtLast(final Region region)
    {
        final RegionKey key = key(region);
        final RemoteRegion found = new RemoteRegion();
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, this::toString);
        while (found.attach(own, key) != RemoteRegion.UNDER_WAY || settle(found) != 0)
        {
            nodes.poll((source, tag, buffer, offset, length) -> {});
            watchdog.idle();
        }
        return found;
    }

    /** What has become of all operations. */
    long settle()
    {
        return settle(remote);
    }

    long settle(final RemoteRegion of)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, this::toString);
        long result = of.flush();
        while (result > 0)
        {
            if (own.poll() == 0)
            {
                watchdog.idle();
            }
            result = of.flush();
        }
        return result;
    }

    /** Asks until there is room. */
    long ask(final LongSupplier operation)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, this::toString);
        long result = operation.getAsLong();
        while (result == RegionResult.BUSY)
        {
            if (own.poll() == 0)
            {
                watchdog.idle();
            }
            result = operation.getAsLong();
        }
        return result;
    }

    void putAll(final long at, final UnsafeBuffer bytes, final int offset, final int length)
    {
        int done = 0;
        while (done < length)
        {
            final int from = done;
            final long taken = ask(() -> remote.put(at + from, bytes, offset + from, length - from));
            assertTrue(taken > 0, RegionResult.text(taken));
            done += (int)taken;
        }
    }

    void getAll(final long at, final UnsafeBuffer bytes, final int offset, final int length)
    {
        int done = 0;
        while (done < length)
        {
            final int from = done;
            final long taken = ask(() -> remote.get(at + from, bytes, offset + from, length - from));
            assertTrue(taken > 0, RegionResult.text(taken));
            done += (int)taken;
        }
    }

    String counts(final int node)
    {
        return nodes.transports[node].counts();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(own, other, nodes);
    }

    @Override
    public String toString()
    {
        return "0: " + counts(0) + "\n1: " + counts(1) + "\nevents=" + nodes.events + ", errors=" + nodes.errors;
    }
}
