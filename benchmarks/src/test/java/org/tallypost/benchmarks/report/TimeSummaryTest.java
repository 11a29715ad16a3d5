// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TimeSummaryTest
{
    @Test
    void shouldTakeTheMiddleOfAnOddNumber()
    {
        assertEquals(new TimeSummary(1, 3, 9), TimeSummary.of(9, 1, 3));
    }

    @Test
    void shouldTakeTheMeanOfTheTwoInTheMiddle()
    {
        assertEquals(new TimeSummary(1, 3.5, 9), TimeSummary.of(9, 1, 4, 3));
    }

    @Test
    void shouldTellOverheadAsAFraction()
    {
        assertEquals(0.17, TimeSummary.of(117).overheadOver(TimeSummary.of(100)), 1e-12);
        assertEquals(-0.5, TimeSummary.of(1, 50, 1000).overheadOver(TimeSummary.of(100)), 1e-12);
    }

    @Test
    void shouldRefuseNothing()
    {
        assertThrows(IllegalArgumentException.class, TimeSummary::of);
    }
}
