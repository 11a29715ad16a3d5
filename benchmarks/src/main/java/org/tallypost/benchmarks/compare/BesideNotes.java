// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.tallypost.benchmarks.harness.Booking;
import org.tallypost.benchmarks.harness.Session;

/**
 * How many bytes went beside the messages that were measured: a figure beside traffic that stands still would say nothing.
 * The detail of a turn is {@code beside:BYTES/NANOSECONDS}.
 */
final class BesideNotes
{
    private static final String PREFIX = "beside:";

    private BesideNotes()
    {
    }

    static String detail(final long bytes, final long elapsedNs)
    {
        return bytes == 0 ? Booking.NO_DETAIL : PREFIX + bytes + "/" + elapsedNs;
    }

    static boolean isOne(final String detail)
    {
        return detail.startsWith(PREFIX);
    }

    /** A note for each group and contestant with such traffic, or without what it should have had. */
    static List<String> of(final Settings settings, final Session.Outcome outcome)
    {
        final List<String> notes = new ArrayList<>();
        for (int cell = 0; cell < settings.groups().size(); cell++)
        {
            for (final int member : settings.members(settings.groups().get(cell)))
            {
                final Contestant contestant = settings.contestants().get(member);
                if (contestant.kind().isBesideBulk())
                {
                    notes.add(note(outcome, cell, member, settings.groups().get(cell).title() + ": " + contestant.label()));
                }
            }
        }
        return notes;
    }

    private static String note(final Session.Outcome outcome, final int cell, final int member, final String title)
    {
        final List<String> details = outcome.details().stream()
            .filter((detail) -> detail.cell() == cell && detail.contestant() == member).map(Session.Detail::text)
            .filter(BesideNotes::isOne).toList();
        double bytes = 0;
        double nanos = 0;
        for (final String detail : details)
        {
            final int slash = detail.indexOf('/');
            bytes += Long.parseLong(detail.substring(PREFIX.length(), slash));
            nanos += Long.parseLong(detail.substring(slash + 1));
        }
        final long turns = outcome.turns().get(cell).stream().filter((turn) -> turn.contestant() == member).count();
        return String.format(Locale.ROOT, "%s: bytes went beside in %d of %d turns, in these %.3f GB/s", title, details.size(),
            turns, nanos == 0 ? 0 : bytes / nanos);
    }
}
