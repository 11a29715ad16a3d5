// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;
import org.tallypost.jmh.AllocationCheck.Allocated;

/** That hot paths allocate nothing, and that it would be seen if they did. */
class AllocationCheckTest
{
    private static final String IGNORE_LOCK = "jmh.ignoreLock";

    private static String ignoredBefore;

    /** JMH's lock is one file for all builds of a machine; this check does not measure time, and needs no quiet. */
    @BeforeAll
    static void ignoreLock()
    {
        ignoredBefore = System.getProperty(IGNORE_LOCK);
        System.setProperty(IGNORE_LOCK, "true");
    }

    @AfterAll
    static void restoreLock()
    {
        if (ignoredBefore == null)
        {
            System.clearProperty(IGNORE_LOCK);
        }
        else
        {
            System.setProperty(IGNORE_LOCK, ignoredBefore);
        }
    }

    @Test
    void shouldAllocateNothingBetweenOfferAndHandler() throws RunnerException
    {
        final Map<String, Allocated> found = AllocationCheck.run(List.of(
            "EndpointBenchmark.offerAndPoll", "EndpointBenchmark.offerRefused", "EndpointBenchmark.emptyPoll",
            "ClaimBenchmark.claimPublishAndPoll", "LedgerBenchmark.updateDynamic", "LedgerBenchmark.steal",
            "RateBenchmark.endpoint"));
        assertEquals(7, found.size(), () -> "benchmarks: " + found);
        assertEquals(List.of(), List.copyOf(AllocationCheck.offenders(found)), found::toString);
    }

    @Test
    void shouldNoticeAnObjectNowAndThen() throws RunnerException
    {
        final Map<String, Allocated> found = AllocationCheck.run(List.of("WastefulBenchmark"));
        final Collection<String> offenders = AllocationCheck.offenders(found);
        assertEquals(List.of("WastefulBenchmark.allocate"), List.copyOf(offenders), found::toString);
    }

    @Test
    void shouldNotTakeWhatIsNotKnownForNothing()
    {
        final Map<String, Allocated> found = Map.of(
            "unknown", new Allocated(Double.NaN, Double.NaN),
            "little for each", new Allocated(AllocationCheck.TOLERANCE, 2 * AllocationCheck.FORGIVEN),
            "little in all", new Allocated(2 * AllocationCheck.TOLERANCE, AllocationCheck.FORGIVEN));
        assertEquals(List.of("unknown"), List.copyOf(AllocationCheck.offenders(found)));
    }

    @Test
    void shouldRefuseNamesThatNoBenchmarkHas()
    {
        final IllegalArgumentException found =
            assertThrows(IllegalArgumentException.class, () -> AllocationCheck.run(List.of("NoSuchBenchmark")));
        assertTrue(found.getMessage().contains("NoSuchBenchmark"), found.getMessage());
    }
}
