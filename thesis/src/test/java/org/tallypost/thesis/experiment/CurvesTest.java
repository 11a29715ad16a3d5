// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.IntToDoubleFunction;

import org.junit.jupiter.api.Test;

class CurvesTest
{
    private final List<Integer> sizes = Curves.range(30, 60, 1);
    /** High up to 38 slots, then down by 4 points with each slot, then flat. */
    private final IntToDoubleFunction cliff = (size) -> size <= 38 ? 50 - 0.1 * (size - 30) : Math.max(2, 49.2 - 4 * (size - 38));

    @Test
    void shouldFindWhereAValueStaysLow()
    {
        assertEquals(50, Curves.firstBelow(sizes, cliff, 2.5));
        assertEquals(-1, Curves.firstBelow(sizes, cliff, 2));
        assertEquals(36, Curves.firstBelow(List.of(30, 32, 34, 36), (size) -> size == 34 ? 9 : 1, 5), "a relapse begins anew");
    }

    @Test
    void shouldFindWhereItFallsAndWhereItIsSteady()
    {
        assertEquals(39, Curves.fallBegins(sizes, 34, cliff));
        assertEquals(50, Curves.steadyFrom(sizes, cliff));
        assertEquals(-1, Curves.fallBegins(sizes, 34, (size) -> 1));
    }

    @Test
    void shouldMeasureFallsBySlotWhereSizesAreFarApart()
    {
        final List<Integer> rough = List.of(10, 30, 36, 37, 38, 60);
        assertEquals(37, Curves.steepest(rough, 0, (size) -> size < 37 ? 100 - size : 40 - size / 10.0));
    }

    @Test
    void shouldCorrelateByRank()
    {
        assertEquals(1, Curves.correlation(sizes, (size) -> size, (size) -> Math.exp(size)), 1e-9);
        assertEquals(-1, Curves.correlation(sizes, (size) -> size, (size) -> -size), 1e-9);
        assertEquals(0, Curves.correlation(sizes, (size) -> size, (size) -> 7), 1e-9);
    }
}
