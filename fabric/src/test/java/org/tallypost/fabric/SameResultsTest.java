// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.creditprotocol.PiggybackPolicy;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.schedule.Alltoall;
import org.tallypost.schedule.Scatter;
import org.tallypost.schedule.Schedule;

/**
 * A faster engine is the same engine: what runs came to when each packet was booked by itself, out of binary heaps. A change of
 * the model changes these numbers; one that only saves time must not.
 */
class SameResultsTest
{
    private static final ProtocolCosts FIXED = new ProtocolCosts(5_000, 5_000, 10_000, 0);
    private static final ProtocolCosts ADAPTIVE = new ProtocolCosts(5_000, 10_000, 30_000, 50_000);
    /** Packets of all lengths take as long as each other. */
    private static final FabricParameters PARAMETERS =
        new FabricParameters(11_435, 1_285_851, 1_285_851, 75_488, 0, 250, 0, FIXED, ADAPTIVE);

    private static FlowOptions flow(final String rule, final int creditSlots, final int slots)
    {
        return switch (rule)
        {
            case "none" -> slots == 0 ? FlowOptions.none() : FlowOptions.none(slots);
            case "static" -> FlowOptions.fixed(creditSlots, slots);
            case "dynamic" -> FlowOptions.dynamic(creditSlots, slots);
            case "direct" -> FlowOptions.dynamic(creditSlots, slots).directly();
            case "carried" -> FlowOptions.fixed(creditSlots, slots).piggyback(PiggybackPolicy.ONE_FOR_ONE);
            case "thesis" -> FlowOptions.dynamic(creditSlots, slots).piggyback(PiggybackPolicy.THESIS);
            case "idle" -> FlowOptions.dynamic(creditSlots, slots).steal(StealPolicy.IDLE_FIRST);
            case "lent" -> FlowOptions.dynamic(creditSlots, slots).steal(StealPolicy.LENDING);
            default -> throw new IllegalArgumentException(rule);
        };
    }

    static FabricResult run(
        final String rule, final int creditSlots, final int slots, final boolean isBlocking, final int length)
        throws InterruptedException
    {
        final Schedule schedule = length > FabricParameters.EAGER_LIMIT ? new Scatter(48, length, 6, false) :
            new Alltoall(48, 40, 5, length, isBlocking);
        return new FabricRun(Topology.mesh(16, 2, 2), PARAMETERS, schedule).flow(flow(rule, creditSlots, slots))
            .jitter(3, 1_000_000).progress(length == 64 ? Progress.BETWEEN_SENDS : Progress.SENDS_FIRST)
            .sharedMemory(length == 512).run();
    }

    @ParameterizedTest
    @CsvSource({
        "none, 2, 0, false, 2048, 18555821351, -343221476",
        "none, 2, 0, true, 2048, 18555821351, -343221476",
        "none, 2, 3, false, 2048, 197563641, 272980388",
        "static, 2, 8, false, 2048, 24769840409, -107066569",
        "static, 2, 45, true, 2048, 20383970511, -543058989",
        "static, 1, 57, true, 2044, 19390384782, -591955451",
        "static, 3, 16, false, 64, 1209227957, -153354134",
        "dynamic, 2, 8, false, 2048, 25099756144, 2013470022",
        "dynamic, 2, 30, true, 2048, 21380725769, 624369435",
        "dynamic, 1, 16, false, 512, 4842367673, -1637426480",
        "direct, 2, 12, false, 2048, 18715556351, -1418512684",
        "carried, 2, 20, false, 2044, 20908349242, 548643665",
        "thesis, 2, 12, false, 2044, 22859917923, -324684747",
        "thesis, 2, 24, true, 2044, 21698570997, -1609840023",
        "idle, 2, 12, true, 2048, 24415598529, -1491050995",
        "idle, 2, 30, false, 512, 4821314057, 1587756197",
        "lent, 2, 12, false, 2048, 20622891726, -1014623693",
        "static, 2, 8, false, 40000, 80779506, 1301458455",
        "dynamic, 2, 6, false, 40000, 94119579, -2031500212"
    })
    void shouldComeToTheSame(
        final String rule,
        final int creditSlots,
        final int slots,
        final boolean isBlocking,
        final int length,
        final long totalPs,
        final int hash) throws InterruptedException
    {
        final FabricResult result = run(rule, creditSlots, slots, isBlocking, length);
        assertEquals(totalPs, result.totalPs(), result::toString);
        assertEquals(hash, result.toString().hashCode(), result::toString);
    }
}
