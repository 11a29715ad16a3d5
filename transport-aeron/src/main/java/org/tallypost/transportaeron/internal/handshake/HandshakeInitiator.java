// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.handshake;

import java.security.MessageDigest;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.BatchSink;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;

/**
 * The side that begins.
 */
final class HandshakeInitiator extends Handshake
{
    /** An attempt that came as far as a RESPONSE and got no WELCOME for so many repeats begins anew. */
    private static final int MAX_REPEATS = 10;

    private enum Phase
    {
        NONE, HELLO, RESPONSE
    }

    private Phase phase = Phase.NONE;
    private int attemptEpoch;
    /** Link epoch that the responder gave for the link that stands, 0 if there is none. */
    private int standingEpoch;
    private byte[] initiatorNonce;
    private byte[] responderNonce;
    private int responderEpoch;
    private Sessions responderSessions = Sessions.NONE;
    private byte[] transcript;
    private int repeats;
    private long dueNs;
    private long calledNs;
    private boolean isCalled;
    /** A node that knows the secret has answered since the last link: it may have left that for one that we know nothing of. */
    private boolean isChallenged;

    HandshakeInitiator(final Settings settings, final Drops drops, final BatchSink sink, final Listener listener)
    {
        super(settings, drops, sink, listener);
    }

    @Override
    void onStart(final long nowNs)
    {
        isChallenged = false;
        begin(nowNs);
    }

    private void begin(final long nowNs)
    {
        attemptEpoch = nextEpoch();
        standingEpoch = isLinked() ? peerEpoch() : 0;
        initiatorNonce = nonce();
        phase = Phase.HELLO;
        repeats = 0;
        dueNs = nowNs;
    }

    @Override
    public void poll(final long nowNs)
    {
        if (phase == Phase.NONE || nowNs - dueNs < 0)
        {
            return;
        }
        if (++repeats > MAX_REPEATS && (phase == Phase.RESPONSE || isLinked()))
        {
            if (phase == Phase.HELLO && !isChallenged)
            {
                // called by a node that then had nothing to say: the link stands
                phase = Phase.NONE;
                return;
            }
            begin(nowNs);
        }
        sendStep(nowNs);
    }

    private void sendStep(final long nowNs)
    {
        dueNs = nowNs + repeatNs;
        if (phase == Phase.HELLO)
        {
            // with the link that stands, if there is one: a responder that has it too leaves the question unanswered
            send(BatchDescriptor.KIND_HELLO, standingEpoch, attemptEpoch, initiatorNonce, null, null, encodedTerms);
        }
        else
        {
            send(BatchDescriptor.KIND_RESPONSE, responderEpoch, attemptEpoch, initiatorNonce, responderNonce,
                secret.prove(ROLE_RESPONSE, transcript), null);
        }
    }

    @Override
    void onStep(final HandshakeMessage message, final byte[] digest, final long nowNs)
    {
        switch (message.kind())
        {
            case BatchDescriptor.KIND_CHALLENGE:
                onChallenge(message, digest, nowNs);
                break;
            case BatchDescriptor.KIND_WELCOME:
                onWelcome(message);
                break;
            case BatchDescriptor.KIND_CALL:
                onCall(nowNs);
                break;
            case BatchDescriptor.KIND_REFUSE:
                if (phase == Phase.HELLO && MessageDigest.isEqual(message.initiatorNonce(), initiatorNonce))
                {
                    onRefuse(message);
                }
                break;
            default:
                drops.add(Drop.HANDSHAKE);
                break;
        }
    }

    private void onChallenge(final HandshakeMessage message, final byte[] digest, final long nowNs)
    {
        if (phase != Phase.HELLO || message.receiverEpoch() != attemptEpoch || message.senderEpoch() == 0 ||
            !MessageDigest.isEqual(message.initiatorNonce(), initiatorNonce))
        {
            drops.add(Drop.HANDSHAKE);
            return;
        }
        final byte[] said = transcript(ownNode, peerNode, attemptEpoch, message.senderEpoch(), initiatorNonce,
            message.responderNonce(), ownSessions, message.sessions(), termsDigest, digest);
        if (!secret.verify(ROLE_CHALLENGE, asked(said, standingEpoch), message.proof()))
        {
            drops.add(Drop.PROOF);
            listener.onBadProof(message.session());
            return;
        }
        transcript = said;
        responderNonce = message.responderNonce();
        responderEpoch = message.senderEpoch();
        responderSessions = message.sessions();
        phase = Phase.RESPONSE;
        isChallenged = true;
        repeats = 0;
        sendStep(nowNs);
    }

    private void onWelcome(final HandshakeMessage message)
    {
        if (phase != Phase.RESPONSE || !message.sessions().equals(responderSessions) ||
            message.receiverEpoch() != attemptEpoch || message.senderEpoch() != responderEpoch ||
            !MessageDigest.isEqual(message.initiatorNonce(), initiatorNonce) ||
            !MessageDigest.isEqual(message.responderNonce(), responderNonce))
        {
            drops.add(Drop.HANDSHAKE);
        }
        else if (!secret.verify(ROLE_WELCOME, transcript, message.proof()))
        {
            drops.add(Drop.PROOF);
            listener.onBadProof(message.session());
        }
        else
        {
            phase = Phase.NONE;
            isChallenged = false;
            linked(attemptEpoch, responderEpoch, responderSessions);
        }
    }

    /**
     * A hint that proves nothing. Where a link stands the responder is asked whether it has it too, and not more often than steps
     * are repeated; only if it has not does it answer, and only its proof changes anything here.
     */
    private void onCall(final long nowNs)
    {
        if (phase == Phase.NONE && (!isCalled || nowNs - calledNs >= repeatNs * MAX_REPEATS))
        {
            isCalled = true;
            calledNs = nowNs;
            begin(nowNs);
        }
    }

    @Override
    void refuse(final String text, final HandshakeMessage message, final long nowNs)
    {
        // the responder says what differs; it has the HELLO
    }
}
