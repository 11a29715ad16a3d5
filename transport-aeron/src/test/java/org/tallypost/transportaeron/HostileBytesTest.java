// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.FuzzCorpus;
import org.tallypost.transportaeron.internal.handshake.GroupTerms;

/** What the fuzzer found worth keeping, and what it taught. */
class HostileBytesTest
{
    @Test
    void shouldDecodeWhateverComes()
    {
        FuzzCorpus.replay("BatchFuzz", BatchFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldShakeHandsWhateverIsSaidBetween()
    {
        FuzzCorpus.replay("HandshakeFuzz", HandshakeFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldKeepALinkWhateverStrangersSay()
    {
        FuzzCorpus.replay("StrangersFuzz", StrangersFuzz::fuzzerTestOneInput);
        for (int seed = 0; seed < 3_000; seed++)
        {
            final byte[] bytes = new byte[200];
            new Random(seed).nextBytes(bytes);
            try
            {
                StrangersFuzz.fuzzerTestOneInput(bytes);
            }
            catch (final AssertionError ex)
            {
                throw new AssertionError("seed=" + seed + ": " + ex.getMessage(), ex);
            }
        }
    }

    /** To see whether a text is as we would write it, it was written with one line feed more than it had. */
    @Test
    void shouldNotThrowAtTermsAsLongAsTheyMayBeWithoutALineFeed()
    {
        final byte[] bytes = new byte[GroupTerms.MAX_LENGTH];
        Arrays.fill(bytes, (byte)'x');
        bytes[1] = '=';
        assertNull(GroupTerms.decode(bytes));
        bytes[bytes.length - 1] = '\n';
        assertNotNull(GroupTerms.decode(bytes));
        assertNull(GroupTerms.decode("a=b".getBytes(StandardCharsets.US_ASCII)));
        assertNull(GroupTerms.decode(new byte[0]));
    }
}
