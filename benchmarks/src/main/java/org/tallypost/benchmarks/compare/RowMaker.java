// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;

import org.tallypost.benchmarks.harness.Bootstrap;
import org.tallypost.benchmarks.harness.Pair;
import org.tallypost.benchmarks.harness.Quartiles;
import org.tallypost.benchmarks.harness.Ratio;
import org.tallypost.benchmarks.harness.Session;
import org.tallypost.benchmarks.harness.TeamSpread;
import org.tallypost.benchmarks.harness.Turn;
import org.tallypost.benchmarks.harness.Verdict;

/**
 * Makes the rows of a group out of its turns: one for each transport by itself, and one of the subject against each of them.
 */
final class RowMaker
{
    /** With fewer messages the JVM's second compiler has not had the code yet: it wants some 5,000 to 15,000 calls. */
    static final long WARM_MESSAGES = 10_000;

    private RowMaker()
    {
    }

    /**
     * Makes the rows.
     *
     * @param group       that they belong to.
     * @param cell        number of the group in the session.
     * @param contestants of the session.
     * @param members     numbers of those that take part in the group.
     * @param subject     number of the one that is held against all others.
     * @param outcome     of the session.
     * @param seed        of the intervals.
     * @return the reference rows first, the subject's among them, then the subject's against each.
     */
    static List<Row> rows(
        final Group group,
        final int cell,
        final List<Contestant> contestants,
        final List<Integer> members,
        final int subject,
        final Session.Outcome outcome,
        final long seed)
    {
        final List<Row> rows = new ArrayList<>();
        members.forEach((member) -> rows.add(row(group, cell, contestants, member, outcome)));
        final List<Row> references = List.copyOf(rows);
        if (members.contains(subject))
        {
            final Row own = references.get(members.indexOf(subject));
            final List<List<Pair>> pairs = members.stream().map((member) -> member == subject ? List.<Pair>of() :
                Pair.of(outcome.turns().get(cell), subject, member)).toList();
            final TeamSpread spread = TeamSpread.of(pairs);
            for (int i = 0; i < members.size(); i++)
            {
                if (members.get(i) != subject)
                {
                    rows.add(against(own, references.get(i), pairs.get(i), spread, seed));
                }
            }
        }
        return rows;
    }

    /**
     * Names contestants with JVMs that had too little to do before it counted: their code was hardly compiled. Long messages are
     * few, and their time is that of loops.
     *
     * @param settings that were compared.
     * @param outcome  of the session.
     * @return a note for each group and contestant with such a JVM.
     */
    static List<String> coldNotes(final Settings settings, final Session.Outcome outcome)
    {
        final List<String> notes = new ArrayList<>();
        for (int cell = 0; cell < settings.groups().size(); cell++)
        {
            final Group group = settings.groups().get(cell);
            for (final int member : settings.members(group))
            {
                final Contestant contestant = settings.contestants().get(member);
                final long messages = outcome.warmUps()[cell][member];
                final boolean isWarmed = group.mode() != Mode.START && !group.mode().isBulk() && !contestant.kind().isNative();
                if (isWarmed && messages < WARM_MESSAGES)
                {
                    notes.add("not warm: a team of " + contestant.label() + " had " + messages + " messages before it counted " +
                        "in " + group.title() + ", expected at least " + WARM_MESSAGES +
                        ": its code is compiled while it is measured; give it more time (--seconds), or fewer --teams");
                }
            }
        }
        return notes;
    }

    private static Row row(
        final Group group,
        final int cell,
        final List<Contestant> contestants,
        final int member,
        final Session.Outcome outcome)
    {
        final List<Turn> turns =
            outcome.turns().get(cell).stream().filter((turn) -> turn.contestant() == member).toList();
        final long disturbed = turns.stream().filter(Turn::isDisturbed).count();
        final long wrong = outcome.wrong()[cell][member];
        final String failure = outcome.failures().get(member);
        return new Row(
            contestants.get(member).label(),
            group,
            null,
            turns.isEmpty() ? null : Quartiles.of(turns.stream().mapToDouble((turn) -> turn.figure() * group.unit()).toArray()),
            null,
            null,
            0,
            turns.size(),
            turns.isEmpty() ? 0 : (double)disturbed / turns.size(),
            0,
            times(cell, member, outcome),
            wrong,
            wrong > 0 ? "wrong payload: " + wrong + " messages did not arrive as they were sent" :
            failure != null ? failure : turns.isEmpty() ? "it had no turn: give it more time (--seconds)" : null);
    }

    private static Times times(final int cell, final int member, final Session.Outcome outcome)
    {
        return Times.of(outcome.details().stream()
            .filter((detail) -> detail.cell() == cell && detail.contestant() == member).map(Session.Detail::text)
            .filter((text) -> !BesideNotes.isOne(text)).toList());
    }

    private static Row against(
        final Row subject, final Row reference, final List<Pair> pairs, final TeamSpread spread, final long seed)
    {
        final String invalid = subject.invalid() != null ? subject.transport() + ": " + subject.invalid() :
            reference.invalid() != null ? reference.transport() + ": " + reference.invalid() :
            Verdict.whyTooFew(pairs);
        final Ratio ratio = Bootstrap.ofBlocks(pairs, spread, seed);
        return new Row(
            subject.transport(),
            subject.group(),
            reference.transport(),
            subject.figure(),
            ratio,
            invalid != null ? Verdict.INVALID : Verdict.of(ratio, subject.group().isMoreBetter()),
            pairs.size(),
            subject.turns(),
            subject.disturbedShare(),
            Math.sqrt(spread.variance()),
            subject.times(),
            subject.wrong(),
            invalid);
    }
}
