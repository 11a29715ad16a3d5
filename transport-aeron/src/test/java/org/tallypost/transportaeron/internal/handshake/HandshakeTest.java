// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.transportaeron.internal.handshake.HandshakeRig.Side;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.HandshakeDescriptor;

/** Nodes that are let in, those that are not, and what repeats, replays and strangers do to it. */
class HandshakeTest
{
    private final HandshakeRig rig = new HandshakeRig();
    private final Side a = rig.initiator;
    private final Side b = rig.responder;

    private static int kind(final byte[] message)
    {
        return BatchDescriptor.kind(new UnsafeBuffer(message), 0);
    }

    /** What a side has written of a kind. */
    private static byte[] last(final Side side, final int kind)
    {
        return side.written.stream().filter((message) -> kind(message) == kind).reduce((first, second) -> second)
            .orElseThrow(() -> new AssertionError("nothing of kind " + kind + " was written"));
    }

    private byte[] strangersHello(final int session, final byte[] nonce)
    {
        return new HandshakeMessage(BatchDescriptor.KIND_HELLO, BatchDescriptor.VERSION, 0, 1, rig.terms().hash(), 0, 77,
            new Sessions(session, 0, 0), nonce, new byte[32], new byte[32], rig.terms().encode()).encode();
    }

    /** HELLO and CHALLENGE have come: the RESPONSE is on its way. */
    private void untilTheResponse()
    {
        rig.start();
        a.handshake.poll(rig.nowNs);
        rig.deliver(a, b);
        rig.deliver(b, a);
    }

    @Test
    void shouldLinkTwoNodesThatKnowTheSecret()
    {
        rig.start();
        rig.run(3);
        rig.assertLinked(1);
        assertEquals(List.of(BatchDescriptor.KIND_HELLO, BatchDescriptor.KIND_RESPONSE),
            a.written.stream().map(HandshakeTest::kind).toList());
        assertEquals(0, a.drops.total() + b.drops.total(), a.drops + " " + b.drops);
        assertNotEquals(0, a.handshake.ownEpoch());
        final int quiet = a.written.size() + b.written.size();
        rig.run(20);
        assertEquals(quiet, a.written.size() + b.written.size(), "nothing is repeated when it is done");
    }

    @Test
    void shouldNotLinkWithAnotherSecret()
    {
        rig.responder.make("another secret, as long", rig.terms());
        rig.start();
        rig.run(5);
        assertFalse(a.handshake.isLinked() || b.handshake.isLinked());
        assertTrue(a.drops.count(Drop.PROOF) > 0);
        assertEquals(b.session, a.badProofs.get(0));
        assertFalse(a.written.stream().anyMatch((message) -> kind(message) == BatchDescriptor.KIND_RESPONSE),
            "the initiator proves nothing to a node that has not");
    }

    @Test
    void shouldNotLetInAnInitiatorThatCannotProve()
    {
        rig.start();
        a.handshake.poll(rig.nowNs);
        rig.deliver(a, b);
        final HandshakeMessage challenge = HandshakeRig.decode(last(b, BatchDescriptor.KIND_CHALLENGE));
        final byte[] response = new HandshakeMessage(
            BatchDescriptor.KIND_RESPONSE, BatchDescriptor.VERSION, 0, 1, rig.terms().hash(), challenge.senderEpoch(),
            challenge.receiverEpoch(), a.sessions(), challenge.initiatorNonce(), challenge.responderNonce(),
            challenge.proof(), new byte[0]).encode();
        b.read(a.session, response, rig.nowNs);
        assertFalse(b.handshake.isLinked());
        assertEquals(1, b.drops.count(Drop.PROOF), "a proof that is sent back proves nothing");
        assertEquals(List.of(a.session), b.badProofs);
        rig.deliver(b, a);
        rig.deliver(a, b);
        rig.deliver(b, a);
        // the wrong proof did not spoil the question for the node that has a right one
        rig.assertLinked(1);
    }

    @Test
    void shouldSayBothValuesOfWhatDiffers()
    {
        rig.responder.make(HandshakeRig.SECRET, rig.terms().with("rankCount", 33));
        rig.start();
        rig.run(6);
        assertFalse(a.handshake.isLinked() || b.handshake.isLinked());
        assertEquals(1, b.refusals.size(), "told once: " + b.refusals);
        assertTrue(b.refusals.get(0).contains("rankCount: found=32, expected=33"), b.refusals.get(0));
        assertTrue(b.refusals.get(0).contains("node 0") && b.refusals.get(0).contains("node, 1"), b.refusals.get(0));
        assertEquals(1, a.refusals.size(), "told once: " + a.refusals);
        assertTrue(a.refusals.get(0).contains("rankCount: found=32, expected=33"), a.refusals.get(0));
        assertTrue(b.drops.count(Drop.TERMS) > 1);
    }

    @Test
    void shouldSayBothVersions()
    {
        rig.start();
        a.handshake.poll(rig.nowNs);
        final byte[] hello = last(a, BatchDescriptor.KIND_HELLO);
        hello[BatchDescriptor.VERSION_OFFSET] = 9;
        b.read(a.session, hello, rig.nowNs);
        final String both = "found=9, expected=" + BatchDescriptor.VERSION;
        assertTrue(b.refusals.get(0).contains("version: " + both), b.refusals.get(0));
        final byte[] refusal = last(b, BatchDescriptor.KIND_REFUSE);
        assertTrue(new String(HandshakeRig.decode(refusal).text(), StandardCharsets.UTF_8).contains(both));
        refusal[BatchDescriptor.VERSION_OFFSET] = 9;
        a.read(b.session, refusal, rig.nowNs);
        assertTrue(a.refusals.get(0).contains("version: found=9, expected=" + BatchDescriptor.VERSION + ""), a.refusals.get(0));
    }

    @Test
    void shouldLinkWhenWhatDifferedIsTheSame()
    {
        rig.responder.make(HandshakeRig.SECRET, rig.terms().with("rankCount", 33));
        rig.start();
        rig.run(3);
        rig.responder.make(HandshakeRig.SECRET, rig.terms());
        b.handshake.start(b.sessions(), rig.nowNs);
        rig.run(30);
        rig.assertLinked(1);
    }

    @Test
    void shouldRefuseEveryReplay()
    {
        rig.start();
        rig.run(3);
        final List<byte[]> recorded = List.copyOf(a.written);
        rig.restart(b);
        rig.restart(a);
        rig.run(30);
        final int links = b.links.size();
        final int epoch = b.handshake.ownEpoch();
        for (final byte[] message : recorded)
        {
            b.read(a.session, message, rig.nowNs);
            // what comes of it must not get an answer that can be used
            b.written.clear();
        }
        assertEquals(links, b.links.size());
        assertEquals(epoch, b.handshake.ownEpoch());
        assertTrue(b.drops.count(Drop.HANDSHAKE) > 0);
        final byte[] welcome = last(rig.initiator, BatchDescriptor.KIND_RESPONSE);
        rig.restart(b);
        b.read(a.session, welcome, rig.nowNs);
        assertFalse(b.handshake.isLinked(), "an answer to a question of before");
    }

    @Test
    void shouldNotMoveAProofToAnotherSession()
    {
        untilTheResponse();
        final byte[] response = last(a, BatchDescriptor.KIND_RESPONSE);
        b.read(a.session + 1, response, rig.nowNs);
        new UnsafeBuffer(response).putInt(HandshakeDescriptor.SESSION_OFFSET, a.session + 1);
        b.read(a.session + 1, response, rig.nowNs);
        assertFalse(b.handshake.isLinked());
        assertEquals(2, b.drops.count(Drop.HANDSHAKE));
    }

    @Test
    void shouldNotMoveAProofToAnotherBulkStream()
    {
        assertNotMoved(HandshakeDescriptor.BULK_SESSION_OFFSET);
    }

    @Test
    void shouldNotMoveAProofToAnotherHighStream()
    {
        assertNotMoved(HandshakeDescriptor.HIGH_SESSION_OFFSET);
    }

    private void assertNotMoved(final int offset)
    {
        untilTheResponse();
        final byte[] response = last(a, BatchDescriptor.KIND_RESPONSE);
        final UnsafeBuffer moved = new UnsafeBuffer(response);
        moved.putInt(offset, moved.getInt(offset) + 1);
        b.read(a.session, response, rig.nowNs);
        assertEquals(List.of(a.session), b.badProofs);
        assertEquals(List.of(), b.links);
    }

    /** The proof of the responder names its own session: a stranger cannot bring it on another stream. */
    @Test
    void shouldNotTakeTheRespondersProofFromAnotherSession()
    {
        rig.start();
        a.handshake.poll(rig.nowNs);
        rig.deliver(a, b);
        final byte[] challenge = last(b, BatchDescriptor.KIND_CHALLENGE).clone();
        new UnsafeBuffer(challenge).putInt(HandshakeDescriptor.SESSION_OFFSET, 99, ByteOrder.LITTLE_ENDIAN);
        a.read(99, challenge, rig.nowNs);
        assertEquals(1, a.drops.count(Drop.PROOF), a.drops::toString);
        assertEquals(List.of(99), a.badProofs);
        assertFalse(a.written.stream().anyMatch((message) -> kind(message) == BatchDescriptor.KIND_RESPONSE));
    }

    /** And it names the initiator's: a stranger that repeats a HELLO on a stream of its own gets no use of the answer. */
    @Test
    void shouldNotTakeTheRespondersProofForAnotherSession()
    {
        rig.start();
        a.handshake.poll(rig.nowNs);
        final byte[] hello = last(a, BatchDescriptor.KIND_HELLO).clone();
        new UnsafeBuffer(hello).putInt(HandshakeDescriptor.SESSION_OFFSET, 99, ByteOrder.LITTLE_ENDIAN);
        b.read(99, hello, rig.nowNs);
        a.read(b.session, last(b, BatchDescriptor.KIND_CHALLENGE), rig.nowNs);
        assertEquals(1, a.drops.count(Drop.PROOF), a.drops::toString);
        assertFalse(a.written.stream().anyMatch((message) -> kind(message) == BatchDescriptor.KIND_RESPONSE));
    }

    /** A stranger says that it needs a link, again and again: the responder is asked, says nothing, and nothing changes. */
    @Test
    void shouldChangeNothingBecauseOfCallsWithoutAProof()
    {
        rig.start();
        rig.run(3);
        final byte[] call = new HandshakeMessage(BatchDescriptor.KIND_CALL, BatchDescriptor.VERSION, 1, 0,
            rig.terms().hash(), 0, 0, new Sessions(99, 0, 0), new byte[32], new byte[32], new byte[32], new byte[0]).encode();
        for (int i = 0; i < 200; i++)
        {
            a.read(99, call, rig.nowNs);
            rig.run(1);
            rig.assertLinked(1);
        }
        assertEquals(1, b.links.size());
        assertTrue(a.written.size() > 20, "the responder was asked: " + a.written.size());
    }

    /** The session of a link that stands calls, as a node does that has left the link: then there is another. */
    @Test
    void shouldLinkAnewWithANodeThatHasLeftTheLinkAndCalls()
    {
        rig.start();
        rig.run(3);
        b.handshake.start(b.sessions(), rig.nowNs);
        rig.run(30);
        rig.assertLinked(2);
    }

    /** A RESPONSE makes one link at most, and none when its cookie is old. */
    @Test
    void shouldRefuseACookieThatIsForgedUsedOrOld()
    {
        untilTheResponse();
        final byte[] response = last(a, BatchDescriptor.KIND_RESPONSE);
        final byte[] forged = response.clone();
        forged[HandshakeDescriptor.RESPONDER_NONCE_OFFSET] ^= 1;
        b.read(a.session, forged, rig.nowNs);
        assertEquals(1, b.drops.count(Drop.HANDSHAKE), b.drops::toString);
        assertEquals(0, b.drops.count(Drop.PROOF), "no proof is looked at without a cookie");
        b.read(a.session, response, rig.nowNs + 2 * CookieJar.SLOT_REPEATS * HandshakeRig.REPEAT_NS);
        assertEquals(2, b.drops.count(Drop.HANDSHAKE), b.drops::toString);
        assertFalse(b.handshake.isLinked());
        a.unread.clear();
        rig.run(40);
        rig.assertLinked(1);
        final byte[] used = last(a, BatchDescriptor.KIND_RESPONSE);
        rig.restart(a);
        rig.run(40);
        final int links = b.links.size();
        b.read(a.session - 100, used, rig.nowNs);
        assertEquals(links, b.links.size(), "a RESPONSE of an earlier link");
    }

    @Test
    void shouldTakeACookieUntilItsKeyHasBeenReplacedTwice()
    {
        final CookieJar jar = new CookieJar(Handshake::newNonce, HandshakeRig.REPEAT_NS);
        final long slotNs = CookieJar.SLOT_REPEATS * HandshakeRig.REPEAT_NS;
        final byte[] nonce = new byte[32];
        jar.renew(7);
        final byte[] cookie = jar.bake(1, 2, 3, nonce, 7);
        assertTrue(jar.isBaked(cookie, 1, 2, 3, nonce, 7 + slotNs - 1));
        assertTrue(jar.isBaked(cookie, 1, 2, 3, nonce, 7 + slotNs));
        assertFalse(jar.isBaked(cookie, 9, 2, 3, nonce, 7 + slotNs));
        assertFalse(jar.isBaked(cookie, 1, 9, 3, nonce, 7 + slotNs));
        assertFalse(jar.isBaked(cookie, 1, 2, 9, nonce, 7 + slotNs));
        assertFalse(jar.isBaked(cookie, 1, 2, 3, new byte[]{1, 2}, 7 + slotNs));
        assertFalse(jar.isBaked(cookie, 1, 2, 3, nonce, 7 + 2 * slotNs));
        final byte[] next = jar.bake(1, 2, 3, nonce, 7 + 2 * slotNs);
        jar.renew(7 + 2 * slotNs);
        assertFalse(jar.isBaked(next, 1, 2, 3, nonce, 7 + 2 * slotNs));
    }

    /** Strangers ask while a link stands: few are answered, as its packets take the same stream, and nothing is kept. */
    @Test
    void shouldAnswerFewStrangersWhileALinkStands()
    {
        rig.start();
        rig.run(3);
        b.written.clear();
        for (int i = 0; i < 1_000; i++)
        {
            b.read(1000 + i, strangersHello(1000 + i, new byte[32]), rig.nowNs);
        }
        assertEquals(HandshakeResponder.MAX_ANSWERS, b.written.size());
        rig.run(3);
        rig.assertLinked(1);
    }

    @Test
    void shouldAnswerARepeatedResponseAndChangeNothing()
    {
        rig.start();
        rig.run(3);
        final byte[] response = last(a, BatchDescriptor.KIND_RESPONSE);
        b.written.clear();
        b.read(a.session, response, rig.nowNs);
        assertEquals(BatchDescriptor.KIND_WELCOME, kind(b.written.get(0)));
        a.read(b.session, b.written.get(0), rig.nowNs);
        rig.assertLinked(1);
    }

    @Test
    void shouldNotBeLinkedBeforeTheAnswerIsOut()
    {
        untilTheResponse();
        b.isRefusing = true;
        rig.deliver(a, b);
        assertFalse(b.handshake.isLinked(), "batches would overtake the answer");
        b.isRefusing = false;
        rig.run(5);
        rig.assertLinked(1);
    }

    @Test
    void shouldReplaceALinkOnlyWhenTheOtherSideHasProvenItself()
    {
        rig.start();
        rig.run(3);
        final int epoch = a.handshake.ownEpoch();
        final HandshakeMessage call = new HandshakeMessage(BatchDescriptor.KIND_CALL, BatchDescriptor.VERSION, 1, 0,
            rig.terms().hash(), 0, 0, new Sessions(99, 0, 0), new byte[32], new byte[32], new byte[32], new byte[0]);
        a.read(99, call.encode(), rig.nowNs);
        b.read(98, strangersHello(98, new byte[32]), rig.nowNs);
        for (int i = 0; i < 40; i++)
        {
            // the stranger hears what is said, and answers nothing
            rig.nowNs += HandshakeRig.REPEAT_NS;
            a.handshake.poll(rig.nowNs);
            b.handshake.poll(rig.nowNs);
        }
        rig.assertLinked(1);
        assertEquals(epoch, a.handshake.ownEpoch());
        assertTrue(a.written.size() > 5, "the call was heard");
        assertTrue(b.written.stream().anyMatch((message) -> kind(message) == BatchDescriptor.KIND_CHALLENGE),
            "and so was the stranger");
    }

    @Test
    void shouldFindOutThatTheOtherNodeWasRestarted()
    {
        rig.start();
        rig.run(3);
        rig.restart(b);
        rig.run(40);
        rig.assertLinked(2);
        rig.restart(a);
        rig.run(40);
        rig.assertLinked(3);
        assertEquals(3, a.links.stream().distinct().count(), "epochs differ: " + a.links);
    }

    /** More strangers than there are honest nodes, between any two steps of these. */
    @Test
    void shouldLinkHoweverManyStrangersAsk()
    {
        rig.start();
        a.handshake.poll(rig.nowNs);
        final HandshakeMessage hello = HandshakeRig.decode(a.written.get(0));
        rig.deliver(a, b);
        for (int i = 0; i < 100; i++)
        {
            b.read(1000 + i, strangersHello(1000 + i, hello.initiatorNonce()), rig.nowNs);
        }
        while (!b.unread.isEmpty() || !a.unread.isEmpty())
        {
            b.read(999, strangersHello(999, new byte[32]), rig.nowNs);
            rig.deliver(b, a);
            b.read(998, strangersHello(998, new byte[32]), rig.nowNs);
            rig.deliver(a, b);
            if (b.handshake.isLinked())
            {
                break;
            }
        }
        rig.deliver(b, a);
        rig.assertLinked(1);
    }

    /** The responder has left, and only it hears of the next link: the initiator does not rest in the one before. */
    @Test
    void shouldNotStayInALinkThatTheOtherSideHasLeft()
    {
        rig.start();
        rig.run(3);
        rig.assertLinked(1);
        b.handshake.start(b.sessions(), rig.nowNs);
        for (int i = 0; i < 60; i++)
        {
            a.handshake.poll(rig.nowNs);
            rig.deliver(a, b);
            b.handshake.poll(rig.nowNs);
            b.unread.removeIf((message) -> kind(message) == BatchDescriptor.KIND_WELCOME);
            rig.deliver(b, a);
            rig.nowNs += HandshakeRig.REPEAT_NS;
        }
        assertEquals(1, a.links.size());
        assertTrue(b.links.size() > 1, "links of the responder: " + b.links);
        rig.run(60);
        rig.assertLinked(2);
    }

    /** Messages are lost, repeated and come late for a while, and either side restarts: then they link all the same. */
    @Property(tries = 300)
    void shouldLinkThroughABadNetwork(@ForAll final long seed)
    {
        final Random random = new Random(seed);
        final HandshakeRig bad = new HandshakeRig();
        bad.start();
        for (int i = 0; i < 60; i++)
        {
            bad.disturb(random);
            if (random.nextInt(20) == 0)
            {
                bad.restart(random.nextBoolean() ? bad.initiator : bad.responder);
            }
        }
        bad.run(60);
        bad.assertLinked(bad.initiator.links.size());
        assertEquals(0, bad.initiator.drops.count(Drop.PROOF) + bad.responder.drops.count(Drop.PROOF));
    }

    /** Whatever is damaged on the way: nobody is linked with anything but what the other side said. */
    @Test
    void shouldNeverLinkOnDamagedMessages()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("HandshakeTest: -Dtallypost.seed=" + seed);
        final Random random = new Random(seed);
        int steps = 0;
        for (int i = 0; i < 10_000; i++)
        {
            final HandshakeRig damaged = new HandshakeRig();
            damaged.start();
            final int which = random.nextInt(4);
            for (int step = 0; step < 4; step++)
            {
                final Side from = step % 2 == 0 ? damaged.initiator : damaged.responder;
                from.handshake.poll(damaged.nowNs);
                from.unread.removeIf((message) -> kind(message) == BatchDescriptor.KIND_CALL);
                if (step == which)
                {
                    final byte[] bytes = from.unread.get(0);
                    bytes[random.nextInt(bytes.length)] ^= (byte)(1 << random.nextInt(8));
                    steps++;
                }
                damaged.deliver(from, step % 2 == 0 ? damaged.responder : damaged.initiator);
            }
            final boolean isLinked = damaged.initiator.handshake.isLinked();
            assertFalse(isLinked, "seed=" + seed + ", step=" + which);
            assertTrue(which == 3 || !damaged.responder.handshake.isLinked(), "seed=" + seed + ", step=" + which);
        }
        assertEquals(10_000, steps);
    }
}
