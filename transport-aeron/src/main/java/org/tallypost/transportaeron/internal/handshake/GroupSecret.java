// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.handshake;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.tallypost.transportaeron.internal.wire.HandshakeDescriptor;

/**
 * The secret that all nodes of a group share, and the proof of knowing it: HMAC-SHA-256 (RFC 2104, FIPS 180-4) over what
 * both sides have said. For one thread.
 */
public final class GroupSecret
{
    /** Shortest secret that is accepted, in bytes. */
    public static final int MIN_LENGTH = 16;
    /** Length of a proof in bytes. */
    static final int PROOF_LENGTH = HandshakeDescriptor.PROOF_LENGTH;

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] LABEL = "tallypost link proof 1".getBytes(StandardCharsets.US_ASCII);

    private final Mac mac;

    /**
     * A secret.
     *
     * @param secret at least 16 bytes, best random ones; copied.
     * @throws IllegalArgumentException if it is too short.
     */
    public GroupSecret(final byte[] secret)
    {
        if (secret.length < MIN_LENGTH)
        {
            throw new IllegalArgumentException("secret is too short: found=" + secret.length + " bytes, expected at least " +
                MIN_LENGTH);
        }
        try
        {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, ex);
        }
    }

    /**
     * A proof.
     *
     * @param role       of the side that proves: no proof of one step is one of another.
     * @param transcript what both sides have said.
     * @return {@link #PROOF_LENGTH} bytes.
     */
    public byte[] prove(final int role, final byte[] transcript)
    {
        mac.update(LABEL);
        mac.update((byte)role);
        return mac.doFinal(transcript);
    }

    /** Whether a proof is right; takes the same time wherever it differs. */
    boolean verify(final int role, final byte[] transcript, final byte[] proof)
    {
        return MessageDigest.isEqual(prove(role, transcript), proof);
    }
}
