// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.handshake;

import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * Nonces that need not be remembered: HMAC-SHA-256 over the question, with a key that nobody else knows. The answer brings the
 * nonce and the question back, and the key tells whether they belong together. (The idea is that of RFC 9293's SYN cookies and of
 * RFC 9147, section 5.1.)
 *
 * <p>A key bakes for {@value #SLOT_REPEATS} repeats of a step, and is good for as many more. {@link #renew} ends both. For one
 * thread; the time is told.
 */
final class CookieJar
{
    /** More than an initiator repeats a RESPONSE, in a network that takes some seconds. */
    static final int SLOT_REPEATS = 64;

    private static final int ROLE_COOKIE = 'K';

    private final Supplier<byte[]> keys;
    private final long slotNs;
    private GroupSecret current;
    private GroupSecret previous;
    private long slotStartNs;

    /**
     * A jar.
     *
     * @param keys     fresh random bytes each time.
     * @param repeatNs after which a step of the handshake is repeated.
     */
    CookieJar(final Supplier<byte[]> keys, final long repeatNs)
    {
        this.keys = keys;
        current = new GroupSecret(keys.get());
        slotNs = repeatNs * SLOT_REPEATS;
    }

    /** No cookie that was baked before is good any more. */
    void renew(final long nowNs)
    {
        previous = null;
        current = new GroupSecret(keys.get());
        slotStartNs = nowNs;
    }

    private void turn(final long nowNs)
    {
        final long sinceNs = nowNs - slotStartNs;
        if (sinceNs >= slotNs)
        {
            previous = sinceNs < 2 * slotNs ? current : null;
            current = new GroupSecret(keys.get());
            slotStartNs = nowNs;
        }
    }

    /**
     * A cookie, the same for the same question within a slot of time.
     *
     * @param session        Aeron session that the question came on.
     * @param initiatorEpoch link epoch that the initiator gives.
     * @param responderEpoch link epoch that this node offers.
     * @param initiatorNonce of the question.
     * @param nowNs          the time.
     * @return as many bytes as a nonce has.
     */
    byte[] bake(
        final int session, final int initiatorEpoch, final int responderEpoch, final byte[] initiatorNonce, final long nowNs)
    {
        turn(nowNs);
        return current.prove(ROLE_COOKIE, question(session, initiatorEpoch, responderEpoch, initiatorNonce));
    }

    /** Whether this jar has baked a cookie for this question, lately. */
    boolean isBaked(
        final byte[] cookie, final int session, final int initiatorEpoch, final int responderEpoch,
        final byte[] initiatorNonce, final long nowNs)
    {
        turn(nowNs);
        final byte[] question = question(session, initiatorEpoch, responderEpoch, initiatorNonce);
        return current.verify(ROLE_COOKIE, question, cookie) ||
            previous != null && previous.verify(ROLE_COOKIE, question, cookie);
    }

    private static byte[] question(
        final int session, final int initiatorEpoch, final int responderEpoch, final byte[] initiatorNonce)
    {
        return ByteBuffer.allocate(3 * Integer.BYTES + initiatorNonce.length).putInt(session).putInt(initiatorEpoch)
            .putInt(responderEpoch).put(initiatorNonce).array();
    }
}
