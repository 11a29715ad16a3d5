// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.collections.MutableInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.transportaeron.internal.wire.BatchSink;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.HandshakeDescriptor;

/** Two sides of a handshake, a network of lists between them, and a clock that is set by hand. */
public final class HandshakeRig
{
    static final String SECRET = "a secret of some length";
    public static final long REPEAT_NS = 1_000;

    public final Side initiator = new Side(0, 11);
    public final Side responder = new Side(1, 22);
    public long nowNs = Long.MAX_VALUE - 3 * REPEAT_NS;

    private final Random nonces = new Random(42);

    public HandshakeRig()
    {
        initiator.make(SECRET, terms());
        responder.make(SECRET, terms());
    }

    public GroupTerms terms()
    {
        return new GroupTerms().with("groupName", "test").with("rankCount", 32).with("layout", "0x16 1x16");
    }

    public static HandshakeMessage decode(final byte[] bytes)
    {
        return HandshakeMessage.decode(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    public void start()
    {
        initiator.handshake.start(initiator.sessions(), nowNs);
        responder.handshake.start(responder.sessions(), nowNs);
    }

    /** A side forgets everything, as a new process would; its epochs begin elsewhere, its session is another. */
    void restart(final Side side)
    {
        side.epochs.set(side.epochs.get() + 1000);
        side.session += 100;
        side.make(SECRET, terms());
        side.unread.clear();
        side.handshake.start(side.sessions(), nowNs);
    }

    /** Gives all that a side has written to the other. */
    public void deliver(final Side from, final Side to)
    {
        while (!from.unread.isEmpty())
        {
            to.read(from.session, from.unread.remove(0), nowNs);
        }
    }

    /** Some time passes, everything arrives. */
    public void run(final int repeats)
    {
        for (int i = 0; i < repeats; i++)
        {
            initiator.handshake.poll(nowNs);
            deliver(initiator, responder);
            responder.handshake.poll(nowNs);
            deliver(responder, initiator);
            deliver(initiator, responder);
            deliver(responder, initiator);
            nowNs += REPEAT_NS;
        }
    }

    /** Some time passes, and the network does what it likes. */
    void disturb(final Random random)
    {
        for (final Side from : new Side[]{initiator, responder})
        {
            final Side to = from == initiator ? responder : initiator;
            from.handshake.poll(nowNs);
            for (int i = random.nextInt(4); i > 0 && !from.unread.isEmpty(); i--)
            {
                final int index = random.nextInt(from.unread.size());
                switch (random.nextInt(3))
                {
                    case 0:
                        from.unread.remove(index);
                        break;
                    case 1:
                        to.read(from.session, from.unread.get(index), nowNs);
                        break;
                    default:
                        to.read(from.session, from.unread.remove(index), nowNs);
                        break;
                }
            }
        }
        nowNs += REPEAT_NS / (1 + random.nextInt(3));
    }

    public void assertLinked(final int links)
    {
        assertTrue(initiator.handshake.isLinked(), "the initiator is not linked: " + initiator.drops);
        assertTrue(responder.handshake.isLinked(), "the responder is not linked: " + responder.drops);
        assertEquals(initiator.handshake.ownEpoch(), responder.handshake.peerEpoch());
        assertEquals(initiator.handshake.peerEpoch(), responder.handshake.ownEpoch());
        assertEquals(initiator.session, responder.handshake.peerSession());
        assertEquals(responder.session, initiator.handshake.peerSession());
        assertEquals(initiator.sessions(), responder.peerSessions);
        assertEquals(responder.sessions(), initiator.peerSessions);
        assertEquals(links, initiator.links.size());
    }

    /** One node. */
    public final class Side implements BatchSink, Handshake.Listener
    {
        public final int node;
        public final List<byte[]> written = new ArrayList<>();
        public final List<byte[]> unread = new ArrayList<>();
        public final List<Integer> links = new ArrayList<>();
        final List<String> refusals = new ArrayList<>();
        final List<Integer> badProofs = new ArrayList<>();
        final MutableInteger epochs;
        public final Drops drops = new Drops();
        public Handshake handshake;
        public int session;
        Sessions peerSessions;
        boolean isRefusing;

        Side(final int node, final int session)
        {
            this.node = node;
            this.session = session;
            epochs = new MutableInteger(-2 + node * 500);
        }

        Sessions sessions()
        {
            return new Sessions(session, session + 1_000_000, session + 2_000_000);
        }

        void make(final String secret, final GroupTerms terms)
        {
            final GroupSecret key = new GroupSecret(secret.getBytes(StandardCharsets.UTF_8));
            handshake = Handshake.create(
                new Handshake.Settings(node, 1 - node, terms, key, HandshakeRig.this::nonce, epochs, REPEAT_NS),
                drops, this, this);
        }

        public void read(final int from, final byte[] bytes, final long atNs)
        {
            handshake.onMessage(from, new UnsafeBuffer(bytes), 0, bytes.length, atNs);
        }

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length)
        {
            if (isRefusing)
            {
                return -1;
            }
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            written.add(bytes);
            unread.add(bytes);
            return 1;
        }

        @Override
        public void onLinked(final int ownEpoch, final int peerEpoch, final Sessions sessions)
        {
            peerSessions = sessions;
            links.add(ownEpoch);
        }

        @Override
        public void onRefused(final String text)
        {
            refusals.add(text);
        }

        @Override
        public void onBadProof(final int badSession)
        {
            badProofs.add(badSession);
        }
    }

    private byte[] nonce()
    {
        final byte[] nonce = new byte[HandshakeDescriptor.NONCE_LENGTH];
        nonces.nextBytes(nonce);
        return nonce;
    }
}
