// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.fabric.FabricParameters;

/**
 * What the rules for steals come to where few of many ranks are active: 32 of 256, after 8 alltoalls, for 8 more.
 */
@Tag("once")
class StealRulesTest
{
    private static final int SLOTS = 12;
    private final FabricRunner runner = new FabricRunner(FabricParameters.fitted(), 1);
    private final Cell reference = Cell.of(PatternKind.ALLTOALL, 256).active(32).times(8, 8, 1);

    private double overhead(final Rule rule) throws InterruptedException
    {
        return (runner.run(reference.rule(rule, SLOTS, 2)).timeNs() / runner.run(reference).timeNs() - 1) * 100;
    }

    @Test
    void shouldLearnWhoRestsAsSoonAsThePublishedRule() throws InterruptedException
    {
        final double published = overhead(Rule.DYNAMIC);
        final double own = overhead(Rule.OWN);
        final double lending = overhead(Rule.LENDING);
        assertTrue(own <= published + 1, own + " and " + published);
        assertTrue(own <= overhead(Rule.STATIC) / 2, own + " and half of static");
        assertTrue(lending <= own, lending + " and " + own);
    }
}
