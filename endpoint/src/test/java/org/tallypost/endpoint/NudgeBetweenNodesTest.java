// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.endpoint.IdleTransport.FAR;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.remote.RunWriterTest;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.node.Node;

/**
 * A sender with too few credits for a message nudges a receiver on another node once, and again only when that nudge was read.
 * With two nudges out the credits of one go away as those of the other come, and the message would wait for ever.
 */
class NudgeBetweenNodesTest
{
    private static final int SLOTS = 64;
    private static final int TWO_SLOTS_LENGTH = 100;
    private static final int NEAR = 0;
    private static final String NUDGE = "nudge of ";

    @TempDir
    private Path directory;

    /** What went out, and what was said of nudges that came. */
    private final List<String> events = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[TWO_SLOTS_LENGTH]);
    private final IdleTransport transport = new IdleTransport()
    {
        @Override
        public void onRun(
            final boolean isNudge, final int flags, final int sender, final int receiver, final int value,
            final DirectBuffer buffer, final int offset, final int length)
        {
            events.add(isNudge ? NUDGE + value : "message of " + length);
        }

        @Override
        public void onCredits(final int receiver, final int sender, final int more)
        {
            super.onCredits(receiver, sender, more);
            events.add("credits");
        }

        @Override
        public void onNudgesRead(final int receiver, final int sender, final int nudges)
        {
            assertEquals(FAR, sender);
            events.add("read " + nudges + " by " + receiver);
        }
    };
    private Node node;
    private Endpoint near;

    @BeforeEach
    void open()
    {
        final NodeContext context = RunWriterTest.context(directory.toFile(), transport, SLOTS);
        context.transportSettings().carry(true);
        node = Node.launch(context);
        near = node.open(NEAR);
        port().pollRanks(transport);
        port().openPeer(FAR, 1, transport);
    }

    @AfterEach
    void close()
    {
        node.close();
    }

    private NodePort port()
    {
        return transport.port();
    }

    /** Offers a message of two slots, and carries what is in the ring. */
    private boolean isSent()
    {
        final boolean isSent = near.offer(FAR, 1, message, 0, TWO_SLOTS_LENGTH) >= 0;
        port().drain(1, transport, SLOTS);
        return isSent;
    }

    private void shouldHaveSeen(final String... expected)
    {
        assertEquals(List.of(expected), events);
        events.clear();
    }

    /** The first attempt connects, the second one nudges with the only credit. */
    private void nudge()
    {
        port().addCredits(NEAR, FAR, 1);
        Fixtures.pollUntil("a nudge", Fixtures.NOTHING, () -> !isSent() && !events.isEmpty(), near);
        shouldHaveSeen(NUDGE + 1);
    }

    @Test
    void shouldKeepWhatComesWhileANudgeIsOut()
    {
        nudge();
        port().addCredits(NEAR, FAR, 1);
        for (int i = 0; i < 100; i++)
        {
            assertTrue(!isSent());
        }
        shouldHaveSeen();
        port().addCredits(NEAR, FAR, 1);
        assertTrue(isSent());
        shouldHaveSeen("message of " + TWO_SLOTS_LENGTH);
    }

    @Test
    void shouldNudgeAgainWhenTheNudgeWasRead()
    {
        nudge();
        port().addCredits(NEAR, FAR, 1);
        port().nudgesRead(NEAR, FAR, 1);
        assertTrue(!isSent());
        shouldHaveSeen(NUDGE + 1);
        port().addCredits(NEAR, FAR, 1);
        assertTrue(!isSent());
        shouldHaveSeen();
    }

    @Test
    void shouldForgetANudgeWithTheReceiversIncarnation()
    {
        nudge();
        port().closePeer(FAR, transport);
        port().openPeer(FAR, 2, transport);
        nudge();
    }

    private void deliverNudge(final int slots)
    {
        assertTrue(port().deliver(true, 0, FAR, NEAR, slots, message, 0, 0));
    }

    private void letIn()
    {
        Fixtures.pollUntil("credits", Fixtures.NOTHING, () ->
        {
            port().pollCredits(transport);
            return transport.credits == SLOTS - node.context().creditSlots();
        }, near);
        events.clear();
    }

    @Test
    void shouldTellThatANudgeIsReadWhenItsCreditsAreThere()
    {
        letIn();
        // more than its threshold
        deliverNudge(30);
        assertEquals(0, port().pollCredits(transport));
        deliverNudge(1);
        shouldHaveSeen();
        Fixtures.pollUntil("all", Fixtures.NOTHING, () -> near.backlogSlots() == 0, near);
        port().pollCredits(transport);
        shouldHaveSeen("read 2 by " + NEAR, "credits");
        assertEquals(0, port().pollCredits(transport), "told once");
        deliverNudge(1);
        Fixtures.pollUntil("one that brings no credits", Fixtures.NOTHING, () -> near.backlogSlots() == 0, near);
        assertEquals(1, port().pollCredits(transport));
        shouldHaveSeen("read 1 by " + NEAR);
    }

    @Test
    void shouldSayNothingOfNudgesOfAPairThatIsOver()
    {
        letIn();
        deliverNudge(1);
        port().closePeer(FAR, transport);
        port().openPeer(FAR, 2, transport);
        Fixtures.pollUntil("the end of the pair", Fixtures.NOTHING, () -> near.backlogSlots() == 0, near);
        transport.credits = 0;
        letIn();
        assertEquals(0, port().pollCredits(transport));
        shouldHaveSeen();
    }
}
