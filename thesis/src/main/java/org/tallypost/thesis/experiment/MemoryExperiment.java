// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.tallypost.creditprotocol.DynamicLedger;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.LedgerActions;
import org.tallypost.creditprotocol.PiggybackPolicy;
import org.tallypost.creditprotocol.StaticLedger;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.thesis.Cell;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Results;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Sheet;

/**
 * Table 7.1: memory of a receiver, counted from the ledgers that a process really has.
 */
public final class MemoryExperiment implements Experiment
{
    private static final int CREDIT_SLOTS = 2;
    private static final int SLOT_LENGTH = 64;
    private static final int STATIC_SLOTS = 64;
    private static final int DYNAMIC_SLOTS = 16;
    private static final double MIB = 1024.0 * 1024;
    private static final List<Integer> RANKS = List.of(1024, 4096, 16_384, 65_536, 262_144);
    private static final List<String> NAMES = List.of("1K", "4K", "16K", "64K", "256K");
    /**
     * Beside the ledger: the line of a sender in the mailbox, where its credits at hand lie ({@code MailboxDescriptor}), and
     * whether a request or a response waits for one ({@code Account}).
     */
    private static final int PAIR_LENGTH = 128 + 2;
    private static final LedgerActions NOTHING = new LedgerActions()
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

    @Override
    public List<String> figures()
    {
        return List.of("table-7.1");
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        return List.of();
    }

    private static long fixed(final int ranks)
    {
        return bytes(new StaticLedger(ranks, CREDIT_SLOTS, STATIC_SLOTS, NOTHING), ranks);
    }

    private static long dynamic(final int ranks)
    {
        return bytes(new DynamicLedger(ranks, CREDIT_SLOTS, DYNAMIC_SLOTS, NOTHING, PiggybackPolicy.ONE_FOR_ONE,
            StealPolicy.MONITORED), ranks);
    }

    private static long bytes(final Ledger ledger, final int ranks)
    {
        return ledger.stateBytes() + (long)PAIR_LENGTH * ranks;
    }

    private static double fixedTotal(final int ranks)
    {
        return (fixed(ranks) + (double)ranks * STATIC_SLOTS * SLOT_LENGTH) / MIB;
    }

    private static double dynamicTotal(final int ranks)
    {
        return (dynamic(ranks) + (double)ranks * DYNAMIC_SLOTS * SLOT_LENGTH) / MIB;
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        final int first = RANKS.get(0);
        final double fixedEach = (double)fixed(first) / first;
        final double dynamicEach = (double)dynamic(first) / first;
        findings.number("table-7.1-structures", dynamicEach / fixedEach,
            String.format(Locale.ROOT, "%.1f times: %.0f and %.0f bytes for each process", dynamicEach / fixedEach, dynamicEach,
            fixedEach));
        findings.number("table-7.1-dynamic-bytes", dynamicEach, String.format(Locale.ROOT, "%.0f bytes", dynamicEach));
        findings.number("table-7.1-static-bytes", fixedEach, String.format(Locale.ROOT, "%.0f bytes", fixedEach));
        for (int i = 0; i < RANKS.size(); i++)
        {
            final double fixed = fixedTotal(RANKS.get(i));
            final double dynamic = dynamicTotal(RANKS.get(i));
            findings.number("table-7.1-static-" + NAMES.get(i), fixed, String.format(Locale.ROOT, "%.2f MB", fixed));
            findings.number("table-7.1-dynamic-" + NAMES.get(i), dynamic, String.format(Locale.ROOT, "%.2f MB", dynamic));
        }
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("slots for each process", "static " + STATIC_SLOTS + ", dynamic " + DYNAMIC_SLOTS);
        parameters.put("credit slots", CREDIT_SLOTS);
        parameters.put("slot", SLOT_LENGTH + " bytes");
        return List.of(new Sheet("table-7.1", "Table 7.1: memory of one receiver",
            List.of("Counted from the ledgers in use, with a sender's line of 128 bytes in the mailbox; MB are 1,048,576 " +
            "bytes."), parameters,
            List.of(new Plot("Memory of one receiver for each of its processes", Plot.Kind.BAR, "processes",
            "bytes for each process", NAMES, List.of(
            Curves.series("static", RANKS, (ranks) -> fixedTotal(ranks) * MIB / ranks),
            Curves.series("dynamic", RANKS, (ranks) -> dynamicTotal(ranks) * MIB / ranks))))));
    }
}
