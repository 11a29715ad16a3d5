// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class CalibrationTest
{
    @Test
    void shouldMeetTheFourPublishedTimes() throws InterruptedException
    {
        final List<Calibration.Fit> fits = Calibration.check(FabricParameters.fitted());
        assertEquals(4, fits.size());
        for (final Calibration.Fit fit : fits)
        {
            assertTrue(Math.abs(fit.error()) < 0.05, fit.toString());
        }
    }

    @Test
    void shouldTakeLongerThePublishedTimeForMoreHops() throws InterruptedException
    {
        final FabricParameters parameters = FabricParameters.fitted();
        final double near = Calibration.Reference.PINGPONG_1_HOP.simulate(parameters);
        final double far = Calibration.Reference.PINGPONG_14_HOPS.simulate(parameters);
        assertEquals(51.17 - 50.04, far - near, 0.02);
    }
}
