// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.benchmarks.harness.Quartiles;

/**
 * A knob at one setting: by how much each parameter has moved, against looks without the knob by turns. A knob is to move its own
 * parameter by what is set, within 5 % and 50 ns; g, which is a least gap, to what is set. The others are not to move: the
 * interval of the difference reaches what is within 10 % and 100 ns. One of them moves for a reason: g by twice o, since an
 * answer takes the processor once more at each end, and by L, since a window of requests goes in each round trip.
 */
final class LoggpRow
{
    private static final double OWN_SHARE = 0.05;
    private static final double OWN_NS = 50;
    private static final double OTHER_SHARE = 0.1;
    private static final double OTHER_NS = 100;
    /** For G: 100 ns for the bytes of a long block. */
    private static final double OTHER_BYTE_NS = 0.1;
    private static final String[] NAMES = { "o send", "o recv", "L", "g", "G" };
    private static final int PS_IN_NS = 1_000;
    private static final int LATENCY = 2;
    private static final int GAP = 3;
    private static final int BYTE_GAP = 4;

    private final Knob knob;
    private final long value;
    private final double[] bases = new double[LoggpSignature.FIGURES];
    private final double[] moves = new double[LoggpSignature.FIGURES];
    /** The 95 % intervals of the moves. */
    private final double[] least = new double[LoggpSignature.FIGURES];
    private final double[] most = new double[LoggpSignature.FIGURES];
    private final List<LoggpSignature> without = new ArrayList<>();
    private final List<LoggpSignature> with = new ArrayList<>();
    private boolean isThere = true;

    LoggpRow(final Knob knob, final long value)
    {
        this.knob = knob;
        this.value = value;
    }

    Knob knob()
    {
        return knob;
    }

    long value()
    {
        return value;
    }

    /** The longest time that the knob adds to a message without a block. */
    long longestNs()
    {
        return knob == Knob.BYTE_GAP ? 0 : value;
    }

    /** The machine had other work: whatever was looked at is no figure of the messages. */
    void disturbed()
    {
        isThere = false;
    }

    boolean isThere()
    {
        return isThere;
    }

    /** Two looks, one after the other. */
    void add(final LoggpSignature base, final LoggpSignature moved)
    {
        without.add(base);
        with.add(moved);
        for (int i = 0; i < LoggpSignature.FIGURES; i++)
        {
            final int figure = i;
            final double[] differences = new double[with.size()];
            for (int look = 0; look < differences.length; look++)
            {
                differences[look] = with.get(look).figure(figure) - without.get(look).figure(figure);
            }
            bases[i] = Quartiles.of(without.stream().mapToDouble((each) -> each.figure(figure)).toArray()).median();
            moves[i] = Quartiles.of(differences).median();
            Arrays.sort(differences);
            final int rank = rankOfInterval(differences.length);
            least[i] = differences[rank];
            most[i] = differences[differences.length - 1 - rank];
        }
    }

    /** Place of the lower bound of a median's 95 % interval among so many sorted figures, by the binomial distribution. */
    static int rankOfInterval(final int count)
    {
        double share = Math.pow(0.5, count);
        double below = share;
        int rank = 0;
        while (below <= 0.025)
        {
            rank++;
            share *= (double)(count - rank + 1) / rank;
            below += share;
        }
        return Math.max(0, rank - 1);
    }

    /** What is set, in the unit of the parameters: nanoseconds, for G nanoseconds for a byte. */
    private double set()
    {
        return knob == Knob.BYTE_GAP ? (double)value / PS_IN_NS : value;
    }

    private boolean isOwn(final int figure)
    {
        return switch (knob)
        {
            case OVERHEAD -> figure < LATENCY;
            case LATENCY -> figure == LATENCY;
            case GAP -> figure == GAP;
            case BYTE_GAP -> figure == BYTE_GAP;
        };
    }

    /** Which parameters have not moved as they should; empty if all have. */
    List<String> faults()
    {
        final List<String> faults = new ArrayList<>();
        for (int i = 0; i < LoggpSignature.FIGURES; i++)
        {
            if (!isRight(i))
            {
                faults.add(NAMES[i]);
            }
        }
        return faults;
    }

    /** By how much its own parameters differ from what is set, at most: 1 is as much as they may. */
    double ownShare()
    {
        double worst = 0;
        for (int i = 0; i < LoggpSignature.FIGURES; i++)
        {
            worst = isOwn(i) ? Math.max(worst, ownShare(i)) : worst;
        }
        return worst;
    }

    private double ownShare(final int figure)
    {
        final double wanted = knob == Knob.GAP ? Math.max(0, set() - bases[GAP]) : set();
        return Math.abs(moves[figure] - wanted) / (OWN_SHARE * set() + (figure == BYTE_GAP ? OTHER_BYTE_NS : OWN_NS));
    }

    /** Which of the other parameters have moved. */
    List<String> others()
    {
        final List<String> others = new ArrayList<>();
        for (int i = 0; i < LoggpSignature.FIGURES; i++)
        {
            if (!isOwn(i) && !isRight(i))
            {
                others.add(NAMES[i]);
            }
        }
        return others;
    }

    private boolean isRight(final int figure)
    {
        if (isOwn(figure))
        {
            return ownShare(figure) <= 1;
        }
        final double noise = Math.abs(bases[figure]) * OTHER_SHARE + (figure == BYTE_GAP ? OTHER_BYTE_NS : OTHER_NS);
        // the copies of a block take no time of their own while the card waits anyway
        final double hidden = figure == BYTE_GAP ? Math.max(0, bases[BYTE_GAP]) : 0;
        return most[figure] >= -noise - hidden && least[figure] <= noise + reason(figure);
    }

    /** By how much a parameter may grow because of another one. */
    private double reason(final int figure)
    {
        if (figure != GAP)
        {
            return 0;
        }
        return (1 + OWN_SHARE) * (knob == Knob.OVERHEAD ? 2 * set() :
            knob == Knob.LATENCY ? 2 * set() / LoggpMeter.WINDOW : 0);
    }

    /** What is set. */
    String label()
    {
        return name(knob) + " +" + number(knob == Knob.BYTE_GAP ? set() / 10 : set() / PS_IN_NS) +
            (knob == Knob.BYTE_GAP ? " us/100B" : " us");
    }

    static String name(final Knob knob)
    {
        return switch (knob)
        {
            case OVERHEAD -> "o";
            case LATENCY -> "L";
            case GAP -> "g";
            case BYTE_GAP -> "G";
        };
    }

    /** Cells of the table: what is set, how each parameter has moved in microseconds, and the verdict. */
    String[] cells()
    {
        final List<String> faults = faults();
        final String verdict = !isThere ? "INVALID" : faults.isEmpty() ? "yes" : "no: " + String.join(", ", faults);
        return new String[] {
            label(), number(moves[0] / PS_IN_NS), number(moves[1] / PS_IN_NS), number(moves[LATENCY] / PS_IN_NS),
            number(moves[GAP] / PS_IN_NS), number(moves[BYTE_GAP] / 10), verdict };
    }

    static String number(final double value)
    {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
