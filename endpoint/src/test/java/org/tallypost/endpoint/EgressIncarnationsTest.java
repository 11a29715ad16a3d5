// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.endpoint.IdleTransport.FAR;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.remote.RunWriterTest;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.node.Node;

/** What lies in the ring to another node is handed on only if both its sender and its receiver are those that are open. */
class EgressIncarnationsTest
{
    private static final int SLOTS = 64;
    private static final int NEAR = 1;

    @TempDir
    private Path directory;

    private final List<Integer> handedOn = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
    private final IdleTransport transport = new IdleTransport()
    {
        @Override
        public void onRun(
            final boolean isNudge, final int flags, final int sender, final int receiver, final int value,
            final DirectBuffer buffer, final int offset, final int length)
        {
            assertEquals(NEAR, sender);
            assertEquals(FAR, receiver);
            handedOn.add(value);
        }
    };

    /** Puts a run into the ring as a sender does. */
    private static void write(final Node node, final int tag, final int viewEpoch, final int senderEpoch)
    {
        final Mailbox ring = local(node).runtime().remote().ring(1);
        final ClaimMark mark = local(node).sendingThreads().mine().mark;
        mark.intend(ring.claimKey(), 1);
        final long position = ring.claim(mark, 1);
        ring.buffer().putLong(ring.payloadOffset(position), RemoteDescriptor.destWord(FAR, viewEpoch, senderEpoch) | tag);
        ring.publish(
            mark, position, PacketDescriptor.TYPE_DATA, PacketDescriptor.FLAGS_WHOLE, PacketDescriptor.WORD_LENGTH, NEAR);
    }

    @Test
    void shouldHandOnOnlyWhatIsOfTheIncarnationsThatAreOpen()
    {
        final NodeContext context = RunWriterTest.context(directory.toFile(), transport, SLOTS);
        context.transportSettings().carry(true);
        try (Node node = Node.launch(context); Endpoint near = node.open(NEAR))
        {
            final NodePort port = transport.port();
            port.pollRanks(transport);
            port.openPeer(FAR, 1, transport);
            port.addCredits(NEAR, FAR, 1);
            Fixtures.pollUntil("an offer", Fixtures.NOTHING, () -> near.offer(FAR, 1, message, 0, 8) >= 0, near);
            write(node, 2, 2, near.epoch());
            write(node, 3, 1, near.epoch() + 1);
            write(node, 4, 0, near.epoch());
            write(node, 5, 1, 0);
            write(node, 6, 1, near.epoch());
            Fixtures.pollUntil("all of the ring", Fixtures.NOTHING, () ->
            {
                port.drain(1, transport, 10);
                return local(node).runtime().remote().ring(1).readPosition() == local(node).runtime().remote().ring(
                    1).writePosition();
            }, near);
            assertEquals(List.of(1, 6), handedOn);
            assertTrue(port.unacknowledged(1) >= 2);
        }
    }
}
