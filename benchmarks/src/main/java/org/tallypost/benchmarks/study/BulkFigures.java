// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.tallypost.benchmarks.harness.Bootstrap;
import org.tallypost.benchmarks.harness.Pair;
import org.tallypost.benchmarks.harness.Quartiles;
import org.tallypost.benchmarks.harness.Ratio;
import org.tallypost.benchmarks.harness.TeamSpread;
import org.tallypost.benchmarks.harness.Verdict;
import org.tallypost.cli.console.TextTable;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageProfile;

/**
 * What each way takes for each length, round by round; and what follows from that: at which lengths the order changes, and the
 * profile. Two ways are compared by the ratios of their turns in the same rounds. A way is ahead of another one only if the 95 %
 * interval of the median says so.
 */
final class BulkFigures
{
    private static final double NS_PER_US = 1e3;

    private final int rounds;
    private final Map<Integer, Map<BulkWay, double[]>> nanos = new TreeMap<>();

    private final List<String> notes = new ArrayList<>();

    BulkFigures(final int rounds)
    {
        this.rounds = rounds;
    }

    /** A turn of a way, in nanoseconds for a message. */
    void put(final BulkWay way, final int length, final int round, final double each)
    {
        nanos.computeIfAbsent(length, (key) -> new EnumMap<>(BulkWay.class))
            .computeIfAbsent(way, (key) -> new double[rounds])[round] = each;
    }

    /** Something to know of the figures. */
    void note(final String text)
    {
        notes.add(text);
    }

    List<String> notes()
    {
        return notes;
    }

    /** Time of one way divided by that of the other; null if one of them was not measured. */
    Ratio ratio(final BulkWay first, final BulkWay second, final int length)
    {
        final double[] one = nanos.get(length).get(first);
        final double[] other = nanos.get(length).get(second);
        if (one == null || other == null)
        {
            return null;
        }
        final List<Pair> pairs = new ArrayList<>();
        for (int round = 0; round < rounds; round++)
        {
            pairs.add(new Pair(round, 0, 0, one[round] / other[round]));
        }
        return Bootstrap.of(pairs, TeamSpread.UNKNOWN, length);
    }

    /** What that says of the first way. */
    Verdict verdict(final BulkWay first, final BulkWay second, final int length)
    {
        final Ratio ratio = ratio(first, second, length);
        return ratio == null ? Verdict.INVALID : Verdict.of(ratio, false);
    }

    private double median(final BulkWay way, final int length)
    {
        return Quartiles.of(nanos.get(length).get(way)).median();
    }

    private BulkWay fastest(final int length)
    {
        return Arrays.stream(BulkWay.values()).filter((way) -> way != BulkWay.RAW && nanos.get(length).containsKey(way))
            .min((one, other) -> Double.compare(median(one, length), median(other, length))).orElseThrow();
    }

    /** A row for each length: microseconds, and how many times as long as by the fastest way, with the interval. */
    TextTable table()
    {
        final List<BulkWay> ways = Arrays.stream(BulkWay.values())
            .filter((way) -> nanos.values().stream().anyMatch((each) -> each.containsKey(way))).toList();
        final List<String> titles = new ArrayList<>(List.of("bytes"));
        ways.forEach((way) -> titles.addAll(List.of(way.label() + ", us", "of fastest")));
        final TextTable table = new TextTable(titles.toArray(new String[0]));
        for (final int length : nanos.keySet())
        {
            final BulkWay fastest = fastest(length);
            final List<String> cells = new ArrayList<>(List.of(String.format(Locale.ROOT, "%,d", length)));
            for (final BulkWay way : ways)
            {
                final Ratio ratio = ratio(way, fastest, length);
                cells.add(ratio == null ? "-" : String.format(Locale.ROOT, "%,.2f", median(way, length) / NS_PER_US));
                cells.add(ratio == null || way == fastest ? "" :
                    String.format(Locale.ROOT, "%.2f (%.2f-%.2f)", ratio.median(), ratio.low(), ratio.high()));
            }
            table.add(cells.toArray(new String[0]));
        }
        return table;
    }

    /** A sentence for each length at which one way gets ahead of another one that was ahead of it before. */
    List<String> changes()
    {
        final List<String> changes = new ArrayList<>();
        final Map<String, BulkWay> ahead = new TreeMap<>();
        for (final int length : nanos.keySet())
        {
            for (final BulkWay first : BulkWay.values())
            {
                for (final BulkWay second : BulkWay.values())
                {
                    final boolean isPair = first.ordinal() < second.ordinal() && second != BulkWay.RAW;
                    final Verdict verdict = isPair ? verdict(first, second, length) : Verdict.INVALID;
                    if (verdict == Verdict.BETTER || verdict == Verdict.WORSE)
                    {
                        final BulkWay winner = verdict == Verdict.BETTER ? first : second;
                        final BulkWay before = ahead.put(first + " " + second, winner);
                        if (before != null && before != winner)
                        {
                            changes.add(String.format(Locale.ROOT, "from %,d bytes on %s is faster than %s",
                                length, winner.label(), before.label()));
                        }
                    }
                }
            }
        }
        return changes;
    }

    /** The lengths by which a messenger chooses. Where nothing was measured, or nothing is certain, it is the usual one. */
    MessageProfile profile()
    {
        final int eagerLimit = eagerLimit();
        return MessageProfile.of(eagerLimit, regionLength(eagerLimit), crossLength());
    }

    private int eagerLimit()
    {
        int limit = 0;
        for (final int length : nanos.keySet())
        {
            if (length <= Endpoint.MAX_RUN_LENGTH)
            {
                if (verdict(BulkWay.EAGER, BulkWay.PRIVATE, length) == Verdict.WORSE)
                {
                    return limit;
                }
                limit = length;
            }
        }
        return Endpoint.MAX_RUN_LENGTH;
    }

    /** Of messages that go with their bytes the region has to be ahead; of longer ones it must not be behind. */
    private int regionLength(final int eagerLimit)
    {
        int least = MessageProfile.NEVER;
        int leastAnnounced = MessageProfile.NEVER;
        for (final int length : nanos.keySet())
        {
            final boolean isEager = length <= eagerLimit;
            leastAnnounced = isEager ? leastAnnounced : Math.min(leastAnnounced, length);
            final Verdict verdict = verdict(BulkWay.REGION, isEager ? BulkWay.EAGER : BulkWay.PRIVATE, length);
            if (verdict == Verdict.WORSE)
            {
                least = MessageProfile.NEVER;
            }
            else if (verdict == Verdict.BETTER || !isEager && verdict == Verdict.NO_DIFFERENCE)
            {
                least = Math.min(least, length);
            }
        }
        // nothing between the limit and the next length says that it is slower there
        return least == leastAnnounced ? eagerLimit + 1 : least;
    }

    private int crossLength()
    {
        int least = MessageProfile.NEVER;
        boolean isMeasured = false;
        for (final int length : nanos.keySet())
        {
            final Verdict verdict = verdict(BulkWay.CROSS, BulkWay.PRIVATE, length);
            isMeasured |= verdict != Verdict.INVALID;
            least = verdict == Verdict.WORSE ? MessageProfile.NEVER :
                verdict == Verdict.BETTER ? Math.min(least, length) : least;
        }
        return isMeasured ? least : MessageProfile.usual().crossLength();
    }
}
