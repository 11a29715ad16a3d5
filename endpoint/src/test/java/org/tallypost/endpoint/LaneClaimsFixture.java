// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.tallypost.node.Internals.local;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** What tests of claims in lanes share: what was received, and waiting for it. */
abstract class LaneClaimsFixture extends LanesFixture
{
    static final int SLOTS = 128;
    static final int LANE_SLOTS = 64;
    static final int LENGTH = 24;

    final MessageClaim claim = new MessageClaim();
    final List<Integer> tags = new ArrayList<>();

    final MessageListener noting = this::note;

    private void note(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        tags.add(tag);
    }

    static long ringEnd(final Endpoint receiver)
    {
        return local(receiver).mailbox().writePosition();
    }

    /** Polls for so long that a receiver has done at least twice whatever it does now and then. */
    final void pollInVain(final Endpoint receiver)
    {
        final int before = tags.size();
        for (int i = 0; i < 2_000; i++)
        {
            receiver.poll(noting, 10);
        }
        assertEquals(before, tags.size(), tags::toString);
    }

    final void pollUntil(final Endpoint receiver, final Integer... expected)
    {
        Fixtures.pollUntil("messages, " + List.of(expected), noting, () -> tags.size() >= expected.length, receiver);
        pollInVain(receiver);
        assertEquals(List.of(expected), tags);
    }
}
