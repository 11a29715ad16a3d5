// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.thesis.Fact;
import org.tallypost.thesis.FactTable;
import org.tallypost.thesis.Finding;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Source;

/** What the page about LogGP's apparatus says is what a run shows. */
@Tag("once")
class LoggpExperimentTest
{
    /** Fewer than the command has, which takes ten seconds. */
    private static final int RANKS = 4;
    private static final int SIZE = 16;
    private static final FactTable TABLE = FactTable.load(Source.LOGGP);
    private static final Findings FINDINGS = new Findings(TABLE);

    @BeforeAll
    static void run()
    {
        final LoggpExperiment experiment = new LoggpExperiment(RANKS, SIZE);
        assertEquals(List.of(), experiment.cells(Scale.FULL));
        assertEquals(1, experiment.evaluate(Scale.FULL, null, FINDINGS).size());
        for (final Finding finding : FINDINGS.of(LoggpExperiment.FIGURE))
        {
            System.out.println(finding.fact().id() + "|" + finding.agrees() + "|" + finding.simulated());
        }
    }

    @Test
    void shouldJudgeEveryFactAndNameWhatDisagrees()
    {
        final Set<String> differing = new TreeSet<>();
        for (final Finding finding : FINDINGS.of(LoggpExperiment.FIGURE))
        {
            assertNotNull(finding.agrees(), finding.fact().id());
            if (!finding.agrees())
            {
                differing.add(finding.fact().id());
            }
        }
        assertEquals(Set.of("slowdown-o"), differing, "docs/thesis/loggp.md says so");
    }

    @Test
    void shouldSayOfEveryFactWhereItStandsAndWhatWouldShowIt()
    {
        for (final Fact fact : TABLE.facts())
        {
            assertEquals(LoggpExperiment.FIGURE, fact.figure());
            assertTrue(fact.source().matches("pages? 2[1-3]( and 2[1-3])?|abstract of ISCA 1997|abstract of a talk"),
                fact.id() + ": " + fact.source());
            assertFalse(fact.claim().isBlank() || fact.expected().isBlank() || fact.conditions().isBlank(), fact.id());
            assertEquals(fact.value() != null, fact.tolerance() != null, fact.id() + ": a value and a tolerance, or neither");
        }
    }

    /** The cause of the fact that is not seen: whatever a program does, its time grows by no more than the overhead does. */
    @ParameterizedTest
    @EnumSource
    void shouldSlowDownByNoMoreThanTheOverhead(final LoggpApp app) throws InterruptedException
    {
        final LoggpTimes machine = LoggpStudy.MACHINE;
        final LoggpTimes slow = machine.with(Knob.OVERHEAD, 100_000);
        final RunTime before = LoggpStudy.simulate(app, RANKS, SIZE, machine);
        final RunTime after = LoggpStudy.simulate(app, RANKS, SIZE, slow);
        assertTrue(after.messages() <= before.messages(), app + ": messages " + before.messages() + ", " + after.messages());
        final double bound = (double)slow.overheadNs() / machine.overheadNs();
        assertEquals(35.5, bound, 0.05);
        assertTrue(after.ns() / before.ns() <= bound, app + ": " + after.ns() / before.ns());
    }

    /** The simulation has a card of 16 messages, so that a burst shows g only behind them. */
    @Test
    void shouldMeasureWhatTheMachineHas() throws InterruptedException
    {
        final LoggpSignature found = SimulatedMeter.measure(new LoggpTimes(1_000, 7_000, 20_000, 3_000));
        assertEquals(1_000, found.send());
        assertEquals(1_000, found.receive());
        assertEquals(3_000, found.latency());
        assertEquals(7_000, found.gap());
        assertEquals(20, found.byteGap());
    }
}
