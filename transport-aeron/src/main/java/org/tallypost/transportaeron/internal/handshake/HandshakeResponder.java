// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.handshake;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.BatchSink;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.HandshakeDescriptor;

/**
 * The side that answers. Strangers may ask it too, so it keeps nothing of what is unproven: its nonce is a cookie, which the
 * {@link CookieJar} makes of the question and finds again in the RESPONSE. Each link takes a new link epoch and new keys for the
 * cookies, so a RESPONSE makes one link at most.
 */
final class HandshakeResponder extends Handshake
{
    /** Questions that are answered within the time of a repeat while a link stands: its packets need the stream. */
    static final int MAX_ANSWERS = 8;

    private final CookieJar cookies;
    /** Link epoch that all open questions are offered; the next link takes it. */
    private int offeredEpoch;
    private Completed completed;
    private long dueNs;
    private long refusedNs;
    private boolean isRefused;
    private long answersNs;
    private int answers;

    /** The handshake of the link that stands. */
    private record Completed(
        int session, int initiatorEpoch, int ownEpoch, byte[] initiatorNonce, byte[] ownNonce, byte[] transcript, byte[] proof)
    {
        boolean isOf(final HandshakeMessage message)
        {
            return message.session() == session && message.senderEpoch() == initiatorEpoch &&
                MessageDigest.isEqual(message.initiatorNonce(), initiatorNonce);
        }

        boolean isAnswered(final HandshakeMessage message)
        {
            return isOf(message) && message.receiverEpoch() == ownEpoch &&
                MessageDigest.isEqual(message.responderNonce(), ownNonce) && MessageDigest.isEqual(message.proof(), proof);
        }
    }

    HandshakeResponder(final Settings settings, final Drops drops, final BatchSink sink, final Listener listener)
    {
        super(settings, drops, sink, listener);
        cookies = new CookieJar(settings.nonces(), settings.repeatNs());
    }

    @Override
    void onStart(final long nowNs)
    {
        completed = null;
        dueNs = nowNs;
        renew(nowNs);
    }

    /** What was offered before is worth nothing any more. */
    private void renew(final long nowNs)
    {
        offeredEpoch = nextEpoch();
        cookies.renew(nowNs);
    }

    @Override
    public void poll(final long nowNs)
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
        // the same terms in another order have another digest: no node writes them so
        if (message.kind() == BatchDescriptor.KIND_HELLO && message.senderEpoch() != 0 &&
            MessageDigest.isEqual(digest, termsDigest))
        {
            onHello(message, nowNs);
        }
        else if (message.kind() == BatchDescriptor.KIND_RESPONSE)
        {
            onResponse(message, nowNs);
        }
        else
        {
            drops.add(Drop.HANDSHAKE);
        }
    }

    private void onHello(final HandshakeMessage message, final long nowNs)
    {
        if (completed != null && (completed.isOf(message) ||
            message.receiverEpoch() == completed.ownEpoch && message.session() == completed.session))
        {
            // a repeat that was under way when the link was made, or the question whether the link stands: it does
            return;
        }
        if (isLinked() && !isWithinLimit(nowNs))
        {
            return;
        }
        final byte[] cookie = cookies.bake(
            message.session(), message.senderEpoch(), offeredEpoch, message.initiatorNonce(), nowNs);
        send(BatchDescriptor.KIND_CHALLENGE, message.senderEpoch(), offeredEpoch, message.initiatorNonce(), cookie,
            secret.prove(ROLE_CHALLENGE, asked(said(message, offeredEpoch, cookie), message.receiverEpoch())), encodedTerms);
    }

    private boolean isWithinLimit(final long nowNs)
    {
        if (nowNs - answersNs >= repeatNs || answersNs - nowNs > 0)
        {
            answersNs = nowNs;
            answers = 0;
        }
        return answers++ < MAX_ANSWERS;
    }

    private byte[] said(final HandshakeMessage message, final int epoch, final byte[] cookie)
    {
        return transcript(peerNode, ownNode, message.senderEpoch(), epoch, message.initiatorNonce(), cookie,
            message.sessions(), ownSessions, termsDigest, termsDigest);
    }

    private void onResponse(final HandshakeMessage message, final long nowNs)
    {
        if (completed != null && completed.isAnswered(message))
        {
            // repeated because the answer is still under way
            welcome(completed);
            return;
        }
        if (message.receiverEpoch() != offeredEpoch || !cookies.isBaked(message.responderNonce(), message.session(),
            message.senderEpoch(), offeredEpoch, message.initiatorNonce(), nowNs))
        {
            drops.add(Drop.HANDSHAKE);
            return;
        }
        final byte[] said = said(message, offeredEpoch, message.responderNonce());
        if (!secret.verify(ROLE_RESPONSE, said, message.proof()))
        {
            drops.add(Drop.PROOF);
            listener.onBadProof(message.session());
            return;
        }
        final Completed answered = new Completed(message.session(), message.senderEpoch(), offeredEpoch,
            message.initiatorNonce(), message.responderNonce(), said, message.proof());
        if (!welcome(answered))
        {
            // no batch may overtake the answer: the next repeat brings both
            return;
        }
        completed = answered;
        renew(nowNs);
        linked(answered.ownEpoch, answered.initiatorEpoch, message.sessions());
    }

    private boolean welcome(final Completed answered)
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
}
