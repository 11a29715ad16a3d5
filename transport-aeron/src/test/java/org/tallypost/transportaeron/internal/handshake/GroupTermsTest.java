// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.handshake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What nodes have to agree on, and the secret with which they prove that they belong together. */
class GroupTermsTest
{
    private static GroupTerms terms()
    {
        return new GroupTerms().with("groupName", "a=b\nc").with("rankCount", 4);
    }

    @Test
    void shouldTravelAsText()
    {
        final GroupTerms read = GroupTerms.decode(terms().encode());
        assertNull(terms().firstDifference(read));
        assertEquals(terms().hash(), read.hash());
        assertEquals("{groupName=a=b c, rankCount=4}", read.toString());
        assertNotEquals(terms().hash(), terms().with("rankCount", 5).hash());
    }

    @Test
    void shouldNameTheFirstDifferenceWithBothValues()
    {
        assertEquals("rankCount: found=5, expected=4", terms().firstDifference(terms().with("rankCount", 5)));
        assertEquals("flow: found=none, expected=STATIC", terms().with("flow", "STATIC").firstDifference(terms()));
        assertEquals("flow: found=STATIC, expected=none", terms().firstDifference(terms().with("flow", "STATIC")));
    }

    @Test
    void shouldReadNothingButTerms()
    {
        assertNull(GroupTerms.decode(new byte[]{'a', '=', (byte)0xFF, '\n'}), "no UTF-8");
        assertNull(GroupTerms.decode("a\n".getBytes(StandardCharsets.UTF_8)), "no value");
        assertNull(GroupTerms.decode("=a\n".getBytes(StandardCharsets.UTF_8)), "no name");
        assertNull(GroupTerms.decode("a=b".getBytes(StandardCharsets.UTF_8)), "no end");
        assertNull(GroupTerms.decode("a=b\na=b\n".getBytes(StandardCharsets.UTF_8)), "twice");
        assertNull(GroupTerms.decode(new byte[GroupTerms.MAX_LENGTH + 1]), "too long");
        assertNull(GroupTerms.decode(new byte[0]), "nothing");
    }

    @Property
    void shouldReadOnlyTheOneTextOfItsTerms(@ForAll @Size(max = 40) final byte[] bytes)
    {
        final GroupTerms read = GroupTerms.decode(bytes);
        if (read != null)
        {
            assertArrayEquals(bytes, read.encode());
        }
    }

    @Test
    void shouldRefuseTermsThatWouldNotBeRead()
    {
        assertThrows(IllegalStateException.class, () -> terms().with("long", "x".repeat(GroupTerms.MAX_LENGTH)).encode());
    }

    /** The expected bytes were computed by another implementation of HMAC-SHA-256. */
    @Test
    void shouldProveWithRoleAndTranscript()
    {
        final GroupSecret secret = new GroupSecret("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
        final byte[] transcript = {1, 2, 3};
        final byte[] proof = secret.prove('C', transcript);
        assertEquals("bd12beeb2c016d700b5cb80fb9d24f9adc9b8f5bfaae9939e08b02c1d3b2145d", HexFormat.of().formatHex(proof));
        assertTrue(secret.verify('C', transcript, proof));
        assertFalse(secret.verify('R', transcript, proof));
        assertFalse(secret.verify('C', new byte[]{1, 2, 4}, proof));
        proof[31] ^= 1;
        assertFalse(secret.verify('C', transcript, proof));
        assertFalse(secret.verify('C', transcript, new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> new GroupSecret(new byte[15]));
    }
}
