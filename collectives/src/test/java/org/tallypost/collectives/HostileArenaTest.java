// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.FuzzCorpus;

/** What {@code bin/fuzz} has found, and inputs at random. */
@Tag("once")
class HostileArenaTest
{
    private static final int INPUTS = Integer.getInteger("tallypost.inputs", 500);

    @Test
    void shouldStandWhatFuzzingHasFound()
    {
        FuzzCorpus.replay("ArenaFuzz", ArenaFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldStandArenasThatAreDamagedAtRandom()
    {
        final long first = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("HostileArenaTest: -Dtallypost.seed=" + first);
        for (long seed = first; seed < first + INPUTS; seed++)
        {
            final byte[] bytes = new byte[2_400];
            new Random(seed).nextBytes(bytes);
            try
            {
                ArenaFuzz.fuzzerTestOneInput(bytes);
            }
            catch (final RuntimeException | AssertionError ex)
            {
                throw new AssertionError("-Dtallypost.inputs=1 -Dtallypost.seed=" + seed, ex);
            }
        }
    }
}
