// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.MessageClaim;

class OpenClaimsTest
{
    private final OpenClaims claims = new OpenClaims();
    private final OpenClaims others = new OpenClaims();

    @Test
    void shouldKnowEachClaimOnceThatStaysWithANode()
    {
        final MessageClaim claim = new MessageClaim();
        for (int i = 0; i < 100; i++)
        {
            claims.use(claim.state());
        }
        assertEquals(1, claims.count());
    }

    @Test
    void shouldNotGrowWithClaimsThatTakeTurnsWithAnotherNode()
    {
        final List<MessageClaim> all = new ArrayList<>();
        for (int i = 0; i < 50; i++)
        {
            all.add(new MessageClaim());
        }
        for (int i = 0; i < 10_000; i++)
        {
            final MessageClaim claim = all.get(i * 7 % all.size());
            claims.use(claim.state());
            others.use(claim.state());
        }
        assertTrue(claims.count() <= 4 * all.size(), () -> "known: " + claims.count());
        assertTrue(others.count() <= 4 * all.size(), () -> "known: " + others.count());
    }
}
