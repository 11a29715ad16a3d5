// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Each formula at values that are easy to work out by hand. */
class FormulasTest
{
    private static final double EXACT = 1e-9;
    private static final Formulas FORMULAS = new Formulas(100, 2, 3);

    @Test
    void shouldBeThoseOfTheText()
    {
        assertEquals(120, FORMULAS.pointToPoint(10), EXACT);
        assertEquals(160, FORMULAS.contended(10, 3), EXACT);
        assertEquals(8 * 120, FORMULAS.linearBroadcast(8, 10), EXACT);
        assertEquals(3 * 120, FORMULAS.treeBroadcast(8, 10, true), EXACT);
        assertEquals(6 * 120, FORMULAS.treeBroadcast(8, 10, false), EXACT);
        assertEquals(8 * 100 + 20 + 7, FORMULAS.physicalBroadcast(8, 10, 7), EXACT);
        assertEquals(8 * 120, FORMULAS.linearScatter(8, 80), EXACT);
        assertEquals(300 + 140, FORMULAS.treeScatter(8, 80, true), EXACT);
        assertEquals(600 + 280, FORMULAS.treeScatter(8, 80, false), EXACT);
        assertEquals(8 * 120 + 240, FORMULAS.centralReduce(8, 80), EXACT);
        assertEquals(7 * (120 + 30), FORMULAS.chainReduce(8, 80), EXACT);
        assertEquals(2 * (120 + 30), FORMULAS.treeReduce(7, 70), EXACT);
        assertEquals(8 * 102, FORMULAS.ringBarrier(8, 1), EXACT);
        assertEquals(14 * 102, FORMULAS.linearBarrier(8, 1), EXACT);
        assertEquals(6 * 102, FORMULAS.butterflyBarrier(8, 1), EXACT);
    }

    @Test
    void shouldBeIdealWithoutStartUpAndLosses()
    {
        assertEquals(new Formulas(0, 2, 3).pointToPoint(10), new Formulas(0, 2, 3).physicalBroadcast(8, 10, 0), EXACT);
    }

    @Test
    void shouldAddUpTheVolumeOfATree()
    {
        final long[] portions = { 0, 2, 8, 22, 52 };
        for (int levels = 1; levels <= portions.length; levels++)
        {
            assertEquals(portions[levels - 1] * 9, Formulas.treeVolume((1 << levels) - 1, 9));
        }
        for (int levels = 1; levels <= 25; levels++)
        {
            final int processes = (1 << levels) - 1;
            assertEquals(Formulas.treeVolumeBySum(processes, 7), Formulas.treeVolume(processes, 7));
            assertTrue(Formulas.treeVolumeRoughly(processes, 7) >= Formulas.treeVolume(processes, 7));
        }
        assertEquals(2.0, Formulas.treeVolumeRoughly(3, 1) / (double)Formulas.treeVolume(3, 1), EXACT);
        assertEquals(1.5, Formulas.treeVolumeRoughly(7, 1) / (double)Formulas.treeVolume(7, 1), EXACT);
    }
}
