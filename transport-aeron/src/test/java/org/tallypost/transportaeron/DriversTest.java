// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.File;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.CompositeAgent;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.node.Node;

/** The process that runs the transport, and its media driver. */
@Timeout(1800)
@Tag("once")
class DriversTest
{
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};
    private static final long INTERVAL_NS = 3_000_000_000L;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);

    @TempDir
    private File directory;

    private void exchange(final NodesRig rig, final int messages)
    {
        final long[] wanted = {
            rig.endpoint(0).counters().received() + messages, rig.endpoint(1).counters().received() + messages};
        rig.pollUntil("messages both ways", NOTHING, () ->
        {
            rig.endpoint(0).offer(1, 0, message, 0, 40);
            rig.endpoint(1).offer(0, 0, message, 0, 40);
            return rig.endpoint(0).counters().received() >= wanted[0] && rig.endpoint(1).counters().received() >= wanted[1];
        });
    }

    /** As an application would give it to a runner of its own. */
    private static Agent agent(final Node node)
    {
        return new Agent()
        {
            @Override
            public int doWork()
            {
                return node.transportWork();
            }

            @Override
            public String roleName()
            {
                return "transport";
            }
        };
    }

    @Test
    void shouldRunOnARunnerThatIsSharedWithOthers()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1)
            .tuned((context, transport) -> context.transportSettings().thread(false)).launchAll();
            AgentRunner runner = new AgentRunner(new BackoffIdleStrategy(), rig.errors::add, null,
                new CompositeAgent(agent(rig.nodes.get(0)), agent(rig.nodes.get(1)))))
        {
            AgentRunner.startOnThread(runner);
            exchange(rig, 500);
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    @Test
    void shouldRefuseADriversDirectoryWithoutAName()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) -> transport.aeronDirectory("")))
        {
            final String text = assertThrows(IllegalArgumentException.class, rig::launchAll).getMessage();
            assertTrue(text.startsWith("aeronDirectory has no name: found=\"\""), text);
        }
    }

    private MediaDriver launch()
    {
        return MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(new File(directory, "driver").getPath())
            .threadingMode(ThreadingMode.SHARED)
            .termBufferSparseFile(true)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
    }

    @Test
    void shouldWaitForADriverOfItsOwnAndForTheNext()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
        {
            context.livenessIntervalNs(INTERVAL_NS);
            transport.aeronDirectory(new File(directory, "driver").getPath());
        }).launchAll())
        {
            rig.pollUntil("both to say what they miss", NOTHING, () -> rig.errors.size() == 2);
            assertTrue(rig.errors.stream().allMatch((error) ->
                error.getMessage().contains("no media driver: aeronDirectory=")));
            exchange(rig, launch());
            rig.pollUntil("both to be told", NOTHING, () -> rig.count(TransportEvent.Kind.LINK_DOWN) >= 2);
            exchange(rig, launch());
            // on a busy machine a link may end, and stand again, with the same driver
            assertTrue(rig.count(TransportEvent.Kind.LINK_UP) >= 4, () -> rig.events.toString());
        }
    }

    private void exchange(final NodesRig rig, final MediaDriver driver)
    {
        try
        {
            exchange(rig, 500);
        }
        finally
        {
            driver.close();
        }
    }
}
