// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;

/**
 * The side that answers. It may be asked by strangers too: it keeps a few open challenges, one for each session, and
 * forgets the oldest.
 */
final class HandshakeResponder extends Handshake
{
    /** Sessions that may be in the middle of a handshake at a time. */
    static final int MAX_PENDING = 4;

    private final ArrayDeque<Challenge> pending = new ArrayDeque<>();
    private Challenge completed;
    private byte[] completedProof;
    private long dueNs;
    private long refusedNs;
    private boolean isRefused;

    /** A question that was asked and not answered yet. */
    private static final class Challenge
    {
        final int session;
        final int initiatorEpoch;
        final int ownEpoch;
        final byte[] initiatorNonce;
        final byte[] ownNonce;
        final byte[] transcript;

        Challenge(
            final int session, final int initiatorEpoch, final int ownEpoch, final byte[] initiatorNonce,
            final byte[] ownNonce, final byte[] transcript)
        {
            this.session = session;
            this.initiatorEpoch = initiatorEpoch;
            this.ownEpoch = ownEpoch;
            this.initiatorNonce = initiatorNonce;
            this.ownNonce = ownNonce;
            this.transcript = transcript;
        }

        boolean isOf(final HandshakeMessage message)
        {
            return message.session() == session && message.senderEpoch() == initiatorEpoch &&
                Arrays.equals(message.initiatorNonce(), initiatorNonce);
        }

        boolean isAnswered(final HandshakeMessage message)
        {
            return isOf(message) && message.receiverEpoch() == ownEpoch &&
                Arrays.equals(message.responderNonce(), ownNonce);
        }
    }

    HandshakeResponder(final Settings settings, final Drops drops, final BatchSink sink, final Listener listener)
    {
        super(settings, drops, sink, listener);
    }

    @Override
    void onStart(final long nowNs)
    {
        pending.clear();
        completed = null;
        dueNs = nowNs;
    }

    @Override
    void poll(final long nowNs)
    {
        if (!isLinked() && nowNs - dueNs >= 0)
        {
            dueNs = nowNs + repeatNs;
            send(BatchDescriptor.KIND_CALL, 0, 0, null, null, null, null);
        }
    }

    @Override
    void onStep(final HandshakeMessage message, final byte[] digest, final long nowNs)
    {
        if (message.kind() == BatchDescriptor.KIND_HELLO && message.senderEpoch() != 0 && message.receiverEpoch() == 0)
        {
            onHello(message, digest);
        }
        else if (message.kind() == BatchDescriptor.KIND_RESPONSE)
        {
            onResponse(message);
        }
        else
        {
            drops.add(Drop.HANDSHAKE);
        }
    }

    private void onHello(final HandshakeMessage message, final byte[] digest)
    {
        if (completed != null && completed.isOf(message))
        {
            // a repeat that was under way when the link was made
            return;
        }
        Challenge challenge = null;
        for (final Iterator<Challenge> each = pending.iterator(); each.hasNext(); )
        {
            final Challenge other = each.next();
            if (other.isOf(message))
            {
                challenge = other;
            }
            else if (other.session == message.session())
            {
                each.remove();
            }
        }
        if (challenge == null)
        {
            if (pending.size() == MAX_PENDING)
            {
                pending.removeFirst();
            }
            challenge = challenge(message, digest);
            pending.addLast(challenge);
        }
        send(BatchDescriptor.KIND_CHALLENGE, challenge.initiatorEpoch, challenge.ownEpoch, challenge.initiatorNonce,
            challenge.ownNonce, secret.prove(ROLE_CHALLENGE, challenge.transcript), encodedTerms);
    }

    private Challenge challenge(final HandshakeMessage message, final byte[] digest)
    {
        final int epoch = nextEpoch();
        final byte[] nonce = nonce();
        final byte[] said = transcript(peerNode, ownNode, message.senderEpoch(), epoch, message.initiatorNonce(), nonce,
            message.session(), ownSession, digest, termsDigest);
        return new Challenge(message.session(), message.senderEpoch(), epoch, message.initiatorNonce(), nonce, said);
    }

    private void onResponse(final HandshakeMessage message)
    {
        if (completed != null && completed.isAnswered(message) && Arrays.equals(message.proof(), completedProof))
        {
            // repeated because the answer is still under way
            welcome(completed);
            return;
        }
        Challenge answered = null;
        for (final Challenge challenge : pending)
        {
            if (challenge.isAnswered(message))
            {
                answered = challenge;
            }
        }
        if (answered == null)
        {
            drops.add(Drop.HANDSHAKE);
            return;
        }
        if (!secret.verify(ROLE_RESPONSE, answered.transcript, message.proof()))
        {
            pending.remove(answered);
            drops.add(Drop.PROOF);
            listener.onBadProof(message.session());
            return;
        }
        if (!welcome(answered))
        {
            // no batch may overtake the answer: the next repeat brings both
            return;
        }
        pending.clear();
        completed = answered;
        completedProof = message.proof();
        linked(answered.ownEpoch, answered.initiatorEpoch, answered.session);
    }

    private boolean welcome(final Challenge answered)
    {
        return send(BatchDescriptor.KIND_WELCOME, answered.initiatorEpoch, answered.ownEpoch, answered.initiatorNonce,
            answered.ownNonce, secret.prove(ROLE_WELCOME, answered.transcript), null);
    }

    @Override
    void refuse(final String text, final HandshakeMessage message, final long nowNs)
    {
        final boolean hasNonce = message.initiatorNonce().length == HandshakeDescriptor.NONCE_LENGTH;
        if (!isRefused || nowNs - refusedNs >= repeatNs)
        {
            isRefused = true;
            refusedNs = nowNs;
            send(BatchDescriptor.KIND_REFUSE, message.senderEpoch(), 0, hasNonce ? message.initiatorNonce() : null, null, null,
                text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Challenges that wait for an answer. */
    int pendingCount()
    {
        return pending.size();
    }
}
