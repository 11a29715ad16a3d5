// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/** Schedules one after the other. */
final class ScheduleSequence implements Schedule
{
    private final Schedule[] parts;

    ScheduleSequence(final Schedule... parts)
    {
        this.parts = parts.clone();
        if (parts.length == 0)
        {
            throw new IllegalArgumentException("parts out of range: found=0, expected at least 1");
        }
        for (final Schedule part : parts)
        {
            if (part.processes() != parts[0].processes())
            {
                throw new IllegalArgumentException("parts do not fit: found processes=" + part.processes() + ", expected " +
                    parts[0].processes());
            }
        }
    }

    @Override
    public int processes()
    {
        return parts[0].processes();
    }

    @Override
    public int rounds()
    {
        int rounds = 0;
        for (final Schedule part : parts)
        {
            rounds += part.rounds();
        }
        return rounds;
    }

    @Override
    public void round(final int rank, final int round, final Steps to)
    {
        int left = round;
        int index = 0;
        while (left >= parts[index].rounds())
        {
            left -= parts[index++].rounds();
        }
        parts[index].round(rank, left, to);
    }
}
