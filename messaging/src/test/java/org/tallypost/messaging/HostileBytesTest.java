// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.io.File;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.FuzzCorpus;

/** What {@code bin/fuzz} has found, and inputs at random. */
@Tag("once")
class HostileBytesTest
{
    private static final int INPUTS = Integer.getInteger("tallypost.inputs", 100);

    @TempDir
    private Path directory;

    @Test
    void shouldStandWhatFuzzingHasFound()
    {
        FuzzCorpus.replay("MessengerFuzz", (bytes) -> MessengerFuzz.run(new File(directory.toFile(), "node"), bytes));
    }

    @Test
    void shouldStandRegionsThatAreDamaged()
    {
        FuzzCorpus.replay("RegionFuzz", (bytes) -> RegionFuzz.run(new File(directory.toFile(), "node"), bytes));
    }

    @Test
    void shouldStandRegionsThatAreDamagedAtRandom()
    {
        final long first = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("HostileBytesTest: regions, -Dtallypost.seed=" + first);
        for (long seed = first; seed < first + INPUTS; seed++)
        {
            final byte[] bytes = new byte[2_400];
            new Random(seed).nextBytes(bytes);
            try
            {
                RegionFuzz.run(new File(directory.toFile(), "node"), bytes);
            }
            catch (final RuntimeException | AssertionError ex)
            {
                throw new AssertionError("-Dtallypost.inputs=1 -Dtallypost.seed=" + seed, ex);
            }
        }
    }

    @Test
    void shouldStandInputsAtRandom()
    {
        final long first = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("HostileBytesTest: -Dtallypost.seed=" + first);
        for (long seed = first; seed < first + INPUTS; seed++)
        {
            final byte[] bytes = new byte[2_400];
            new Random(seed).nextBytes(bytes);
            try
            {
                MessengerFuzz.run(new File(directory.toFile(), "node"), bytes);
            }
            catch (final RuntimeException | AssertionError ex)
            {
                throw new AssertionError("-Dtallypost.inputs=1 -Dtallypost.seed=" + seed, ex);
            }
        }
    }
}
