// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.tallypost.creditprotocol.DynamicLedger;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.LedgerActions;
import org.tallypost.creditprotocol.PiggybackPolicy;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.thesis.Cell;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Results;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Series;
import org.tallypost.thesis.Sheet;

/**
 * Figure 6.4: the trace in eight blocks, replayed by the ledger itself. Sender 0 is the one of the figure; the others make
 * slots scarce in block 2 and take over its quota in block 4.
 */
public final class TraceExperiment implements Experiment
{
    private static final int SENDER = 0;
    private static final int ACTIVE = 1;
    private static final int SENDERS = 6;
    private static final int CREDIT_SLOTS = 2;
    private static final int SLOTS = 12;
    private static final int MAX_STEPS = 500;
    private static final int LIMIT = 255;

    @Override
    public List<String> figures()
    {
        return List.of("6.4");
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        return List.of();
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        final Replay replay = new Replay(findings);
        replay.regular();
        replay.piggybacked();
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("senders", SENDERS);
        parameters.put("credit slots", CREDIT_SLOTS);
        parameters.put("slots for each sender", SLOTS);
        return List.of(new Sheet("6.4", "Figure 6.4: trace of the dynamic protocol",
            List.of("The ledger alone, packet by packet; credits in data packets by section 6.6 of the thesis."), parameters,
            List.of(replay.plot())));
    }

    /** The ledger, and what it gave in the block that is being replayed. */
    private static final class Replay implements LedgerActions
    {
        private final Findings findings;
        private final DynamicLedger ledger = new DynamicLedger(
            SENDERS, CREDIT_SLOTS, SLOTS, this, PiggybackPolicy.THESIS, StealPolicy.MONITORED);
        private final List<String> blocks = new ArrayList<>();
        private final List<Double> packets = new ArrayList<>();
        private final List<Double> carried = new ArrayList<>();
        private final List<Double> quotas = new ArrayList<>();
        private int granted;

        Replay(final Findings findings)
        {
            this.findings = findings;
        }

        @Override
        public void grant(final int sender, final int credits)
        {
            granted += sender == SENDER ? credits : 0;
        }

        @Override
        public int revoke(final int victim, final int keep)
        {
            return 0;
        }

        private void retrieve(final int sender, final int slots)
        {
            if (!ledger.onRetrieved(sender, slots))
            {
                throw new IllegalStateException("the ledger refuses " + slots + " slots of sender " + sender);
            }
        }

        private String thresholds()
        {
            return ledger.thresholdAt(SENDER, 0) + " " + ledger.thresholdAt(SENDER, 1) + " " + ledger.thresholdAt(SENDER, 2);
        }

        private void block(final int number, final boolean agrees, final int piggybacked)
        {
            findings.ordering("6.4-" + number, agrees, granted + " credits in a packet, " + piggybacked +
                " with data; thresholds " + thresholds() + ", quota " + ledger.intendedQuota(SENDER));
            blocks.add("block " + number);
            packets.add((double)granted);
            carried.add((double)piggybacked);
            quotas.add((double)ledger.intendedQuota(SENDER));
            granted = 0;
        }

        void regular()
        {
            final boolean starts = ledger.intendedQuota(SENDER) == 10;
            retrieve(SENDER, 1);
            block(1, starts && granted == 4 && thresholds().equals("1 1 4"), 0);
            // the others take what there is, but for one slot
            for (int other = ACTIVE; other < SENDERS; other++)
            {
                retrieve(other, 1);
                retrieve(other, 1);
                retrieve(other, other == SENDERS - 1 ? 2 : 1);
            }
            retrieve(SENDER, 1);
            block(2, granted == 2 && thresholds().equals("1 4 2"), 0);
            retrieve(ACTIVE, 3);
            retrieve(SENDER, 1);
            block(3, granted == 4 && thresholds().equals("4 2 4"), 0);
            for (int step = 0; ledger.intendedQuota(SENDER) == 10 && step < MAX_STEPS; step++)
            {
                retrieve(ACTIVE, 1);
            }
            granted = 0;
            retrieve(SENDER, 4);
            block(4, ledger.intendedQuota(SENDER) < 10 && granted > 0 && granted < 4, 0);
        }

        void piggybacked()
        {
            retrieve(SENDER, 1);
            final int before = ledger.piggyback(SENDER, LIMIT);
            retrieve(SENDER, 1);
            final int now = ledger.piggyback(SENDER, LIMIT);
            block(5, before == 1 && now == 1 && granted == 0, before + now);
            int carriedBefore = 0;
            for (int i = 0; i < 3; i++)
            {
                retrieve(SENDER, 1);
                carriedBefore += ledger.piggyback(SENDER, LIMIT);
            }
            final int next = ledger.thresholdAt(SENDER, 1);
            retrieve(SENDER, 1);
            final int excess = ledger.piggyback(SENDER, LIMIT);
            block(6, carriedBefore == 3 && excess == 0 && granted == 0 && ledger.thresholdAt(SENDER, 0) == next + 1,
                carriedBefore);
            retrieve(SENDER, 1);
            final int first = ledger.piggyback(SENDER, LIMIT);
            retrieve(SENDER, 3);
            block(7, first == 1 && granted == Ledger.threshold(ledger.intendedQuota(SENDER), CREDIT_SLOTS), first);
            retrieve(SENDER, 2);
            block(8, granted == Ledger.threshold(ledger.intendedQuota(SENDER), CREDIT_SLOTS), 0);
        }

        Plot plot()
        {
            return new Plot("Credits that go back, and the quota", Plot.Kind.BAR, "", "credits", blocks, List.of(
                new Series("in a credit packet", packets), new Series("in data packets", carried),
                new Series("intended quota", quotas)));
        }
    }
}
