// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.creditprotocol.DynamicLedger;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.LedgerActions;
import org.tallypost.creditprotocol.StaticLedger;
import org.tallypost.fabric.FabricParameters;
import org.tallypost.fabric.FabricRun;
import org.tallypost.fabric.FlowOptions;
import org.tallypost.fabric.Topology;
import org.tallypost.schedule.Scatterv;

/**
 * Why some facts do not come out as published: small runs in which the cause is there, and runs in which it is not.
 */
@Tag("once")
class CausesTest
{
    private static final double PUBLISHED_AT_LEAST = 15;
    private static final double LITTLE = 5;
    /** Of figure 7.9, for each process. */
    private static final int GATHER_SLOTS = 16;
    private static final int FAR_TIMES = 5;
    private final FabricRunner runner = new FabricRunner(FabricParameters.fitted(), 1);

    /** The fabric with cards that take a tenth of the time: 16 processes of a node do not fill them any more. */
    private final FabricRunner withFastCards = new FabricRunner(with(0.1, 0.1), 1);

    /** The fitted fabric with other times of a card, for a packet and for a byte. */
    private static FabricParameters with(final double card, final double bytes)
    {
        final FabricParameters is = FabricParameters.fitted();
        return new FabricParameters(is.hopPs(), is.sendPs(), is.retrievePs(), (long)(is.cardPs() * card),
            (long)(is.bytePs() * bytes), is.copyPs(), is.cardQueue(), is.fixed(), is.adaptive());
    }

    private static double overhead(final FabricRunner runner, final Cell cell) throws InterruptedException
    {
        return (runner.run(cell).timeNs() / runner.run(cell.reference()).timeNs() - 1) * 100;
    }

    /** Figure 7.10: a root that sends slowly does not wait for credits; one that sends four times as fast does. */
    @Test
    void shouldWaitForCreditsWhereTheRootSendsFast() throws InterruptedException
    {
        final FabricParameters is = FabricParameters.fitted();
        final FabricRunner fast = new FabricRunner(new FabricParameters(is.hopPs(), is.sendPs() / 4, is.retrievePs(),
            is.cardPs(), is.bytePs(), is.copyPs(), is.cardQueue(), is.fixed(), is.adaptive()), 1);
        final Cell cell = Cell.of(PatternKind.SCATTERV, 128).times(0, 100, 1);
        final double slowly = overhead(runner, cell.rule(Rule.STATIC, 32, 2));
        assertTrue(slowly < PUBLISHED_AT_LEAST, "static " + slowly);
        for (final Rule rule : new Rule[]{ Rule.STATIC, Rule.DYNAMIC })
        {
            final double found = overhead(fast, cell.rule(rule, 32, 2));
            assertTrue(found > PUBLISHED_AT_LEAST, rule + " " + found);
        }
    }

    /** Figure 5.4: with as many slots for data, a fifth credit slot saves delays; within as many slots it does not. */
    @Test
    void shouldSaveDelaysByCreditSlotsThatTakeNoneFromData() throws InterruptedException
    {
        final double five = delayed(5, 0);
        final double four = delayed(4, 0);
        assertTrue(five > four, five + " and " + four);
        final double fiveBeside = delayed(5, 5);
        final double fourBeside = delayed(4, 4);
        assertTrue(fiveBeside < fourBeside, fiveBeside + " and " + fourBeside);
    }

    private double delayed(final int creditSlots, final int more) throws InterruptedException
    {
        double sum = 0;
        for (int slots = 38; slots <= 44; slots += 3)
        {
            sum += runner.run(Cell.of(PatternKind.MULTI_PINGPONG, 32).hops(1).rule(Rule.STATIC, slots + more, creditSlots)
                .times(4, 32, 1)).delayedPercent();
        }
        return sum;
    }

    /** Figure 5.5: fewer messages wait from where 37 slots are left for data on, as published. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void shouldDelayFewerFromWhereAMessageFits(final int creditSlots) throws InterruptedException
    {
        final int message = 37;
        final double before = delayedInTurn(creditSlots, creditSlots + message - 1);
        final double least = delayedInTurn(creditSlots, creditSlots + message);
        final double after = delayedInTurn(creditSlots, creditSlots + message + 1);
        assertTrue(least < before && after < least, before + ", " + least + ", " + after);
        assertTrue(Math.abs(delayedInTurn(creditSlots, creditSlots + message - 2) - before) < 0.01, "steady before");
    }

    private double delayedInTurn(final int creditSlots, final int slots) throws InterruptedException
    {
        final int threshold = Ledger.threshold(slots - creditSlots, creditSlots);
        return runner.run(Cell.of(PatternKind.ALLTOALL_IN_TURN, 16).rule(Rule.STATIC, slots, creditSlots).times(0, threshold, 1))
            .delayedPercent();
    }

    /** Figure 7.3: with half of the peers in the node static costs more where one message follows the other. */
    @Test
    void shouldCostLessThanStaticWhereOneMessageFollowsTheOther() throws InterruptedException
    {
        assertTrue(dynamicLessStatic(PatternKind.ALLTOALL) > 0);
        assertTrue(dynamicLessStatic(PatternKind.ALLTOALL_IN_TURN) < 0);
    }

    /** Figure 7.3: where cards are not nearly full, dynamic costs less than static with a half and with a quarter in the node. */
    @ParameterizedTest
    @ValueSource(ints = {32, 64})
    void shouldCostLessThanStaticWhereCardsAreNotNearlyFull(final int ranks) throws InterruptedException
    {
        final Cell cell = Cell.of(PatternKind.ALLTOALL, ranks).withSharedMemory().times(4, 4, 1);
        final double fast = dynamicLessStatic(withFastCards, cell, 32);
        assertTrue(fast < 0, "fast cards " + fast);
        final double fitted = dynamicLessStatic(runner, cell, 32);
        assertTrue(fitted > 0, "fitted " + fitted);
        final double fixed = overhead(runner, cell.rule(Rule.STATIC, 32, 2));
        assertTrue(fixed < 0, "static is below the reference with nearly full cards: " + fixed);
    }

    /** Figure 5.5: how many processes there are matters by the cards and links that they share, and by nothing else. */
    @Test
    void shouldCostAsMuchWithMoreProcessesWhereCardsAreNotNearlyFull() throws InterruptedException
    {
        final Cell few = Cell.of(PatternKind.ALLTOALL_IN_TURN, 32).rule(Rule.STATIC, 32, 2).times(0, 3, 1);
        final Cell more = Cell.of(PatternKind.ALLTOALL_IN_TURN, 64).rule(Rule.STATIC, 32, 2).times(0, 3, 1);
        final double fast = overhead(withFastCards, more) - overhead(withFastCards, few);
        assertTrue(Math.abs(fast) < 1, "fast cards " + fast);
        final double fitted = overhead(runner, more) - overhead(runner, few);
        assertTrue(Math.abs(fitted) > LITTLE, "fitted " + fitted);
    }

    /** Figure 5.9: 64 slots are not enough for less than 5% where a credit packet takes as long as one of data. */
    @Test
    void shouldNeedMoreSlotsWhereCreditPacketsTakeAsLongAsData() throws InterruptedException
    {
        // all of a card's time for the packet, none for its bytes
        final FabricParameters is = FabricParameters.fitted();
        final double whole = (double)(is.cardPs() + FabricParameters.SLOT_LENGTH * is.bytePs()) / is.cardPs();
        final FabricRunner asLong = new FabricRunner(with(whole, 0), 1);
        final Cell cell = Cell.of(PatternKind.ALLTOALL_IN_TURN, 64).rule(Rule.STATIC, 64, 2).times(0, 4, 1);
        final double found = overhead(asLong, cell);
        assertTrue(found > LITTLE, "as long " + found);
        final double judged = overhead(runner, cell);
        assertTrue(judged < LITTLE, "fitted " + judged);
    }

    /** Figure 6.5: the data slots of all, 5 and 12 of each, carry an eighth and a quarter where those that rest keep none. */
    @ParameterizedTest
    @CsvSource({"128, 42", "64, 50"})
    void shouldNeedAnEighthAndAQuarterWhereThoseThatRestKeepNoSlots(final int active, final int slots)
        throws InterruptedException
    {
        final Cell cell = Cell.of(PatternKind.ALLTOALL, active).rule(Rule.DYNAMIC, slots, 2).times(0, 8, 1);
        final double found = overhead(runner, cell);
        assertTrue(found < LITTLE, active + " active: " + found);
    }

    /** Figure 5.8: credits in data packets save time at each size where all messages are posted at once. */
    @ParameterizedTest
    @ValueSource(ints = {12, 20, 36})
    void shouldSaveTimeByCreditsInDataPacketsWhereAllIsPostedAtOnce(final int slots) throws InterruptedException
    {
        final Cell atOnce = Cell.of(PatternKind.ALLTOALL, 32).length(2044).rule(Rule.STATIC, slots, 2).times(0, 12, 1);
        final double saved = overhead(runner, atOnce) - overhead(runner, atOnce.withPiggyback());
        assertTrue(saved > 0, "saved " + saved);
    }

    /** Figure 5.8: eight bytes more of a header, and a message of 2 KB has no room for credits while one of 2,044 bytes has. */
    @Test
    void shouldHaveNoRoomInTwoKilobytesWhereAHeaderHasEightBytesMore()
    {
        assertFalse(FabricParameters.hasSpareBytes(Cell.LENGTH));
        assertTrue(FabricParameters.hasSpareBytes(Cell.LENGTH - 4));
    }

    /** Table 7.1: beside a sender's line in the mailbox, a static ledger takes what the thesis says, a dynamic one less. */
    @Test
    void shouldTakeAsManyBytesAsPublishedBesideTheLineInTheMailbox()
    {
        final int senders = 1024;
        final LedgerActions nothing = new LedgerActions()
        {
            @Override
            public void grant(final int sender, final int credits)
            {
            }

            @Override
            public int revoke(final int victim, final int keep)
            {
                return 0;
            }
        };
        assertEquals(4 * senders, new StaticLedger(senders, 2, 64, nothing).stateBytes());
        assertTrue(new DynamicLedger(senders, 2, 16, nothing).stateBytes() <= 150 * senders);
    }

    /** Figure 7.1: with few slots dynamic costs a little more than static where all messages are posted at once. */
    @Test
    void shouldCostLittleMoreThanStaticWhereAllIsPostedAtOnce() throws InterruptedException
    {
        final double atOnce = dynamicLessStatic(Cell.of(PatternKind.ALLTOALL, 64).times(0, 4, 1), 8);
        assertTrue(atOnce >= 0 && atOnce <= LITTLE, "at once " + atOnce);
        final double inTurn = dynamicLessStatic(Cell.of(PatternKind.ALLTOALL_IN_TURN, 64).times(0, 4, 1), 8);
        assertTrue(inTurn > LITTLE, "in turn " + inTurn);
    }

    /** Figure 7.4: a barrier brings credits back where receivers keep one less than their threshold, as after 100 alltoalls. */
    @ParameterizedTest
    @CsvSource({"100, true", "101, false"})
    void shouldGainCreditsByABarrierAfterAsManyAlltoallsAsPublished(final int alltoalls, final boolean isGain)
        throws InterruptedException
    {
        final CellResult result = runner.run(Cell.of(PatternKind.PHASES, 32).rule(Rule.DYNAMIC, 30, 2).times(0, 1, alltoalls));
        final double before = lastGroup(result, 2 * alltoalls);
        final double after = lastGroup(result, 2 * alltoalls + 0.5);
        assertEquals(isGain, after > before, before + " before, " + after + " after");
    }

    /** Mean of the credits that rank 0 has for the last half of the ranks. */
    private static double lastGroup(final CellResult result, final double iteration)
    {
        return result.samples().stream().filter((sample) -> sample.iteration() == iteration).findFirst().orElseThrow()
            .ofIt().get(2).mean();
    }

    /** Figure 7.9: dynamic is faster than no flow control where packets beyond its mailbox take longer to retrieve. */
    @Test
    void shouldGatherFasterThanUnlimitedBuffersWherePacketsBeyondTheMailboxAreFar() throws InterruptedException
    {
        final FlowOptions dynamic = FlowOptions.dynamic(2, GATHER_SLOTS);
        final double far = gathervUs(dynamic, FAR_TIMES);
        assertTrue(far < gathervUs(FlowOptions.none(), FAR_TIMES), "far " + far);
        final double near = gathervUs(dynamic, 1);
        assertTrue(near > gathervUs(FlowOptions.none(), 1), "near " + near);
        assertEquals(near, far, "dynamic's own packets are all near");
    }

    private static double gathervUs(final FlowOptions flow, final int times) throws InterruptedException
    {
        final int ranks = 128;
        final long[] ends = new FabricRun(Topology.mesh(16, 4, 2), FabricParameters.fitted(),
            new Scatterv(ranks, Cell.LENGTH, 100, 1, true)).flow(flow).jitter(1, 1_000_000)
            .farPackets(GATHER_SLOTS * (ranks - 1), times).run().roundEndPs();
        return ends[ends.length - 1] / 1e6 / ends.length;
    }

    private double dynamicLessStatic(final PatternKind pattern) throws InterruptedException
    {
        return dynamicLessStatic(Cell.of(pattern, 32).withSharedMemory().times(8, 8, 1), 16);
    }

    private double dynamicLessStatic(final Cell cell, final int slots) throws InterruptedException
    {
        return dynamicLessStatic(runner, cell, slots);
    }

    private static double dynamicLessStatic(final FabricRunner runner, final Cell cell, final int slots)
        throws InterruptedException
    {
        return overhead(runner, cell.rule(Rule.DYNAMIC, slots, 2)) - overhead(runner, cell.rule(Rule.STATIC, slots, 2));
    }
}
