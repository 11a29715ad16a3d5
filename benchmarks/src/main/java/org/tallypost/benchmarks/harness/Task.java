// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

/**
 * What a team is asked to do in one turn.
 *
 * @param step     number of the turn for this team, from 1.
 * @param cell     that is measured.
 * @param messages that the turn has, the first tenth of which does not count.
 * @param profile  0 for a turn that counts, from 1 for turns that warm up with other handlers and buffers.
 * @param paceNs   nanoseconds from one message to the next, where messages are due at a fixed rate; 0 for as fast as it goes.
 */
public record Task(long step, int cell, long messages, int profile, double paceNs)
{
    private static final String WORD = "TURN";
    private static final int FIELDS = 6;

    String toLine()
    {
        return WORD + " " + step + " " + cell + " " + messages + " " + profile + " " + paceNs;
    }

    static Task parse(final String line)
    {
        final String[] fields = line.split(" ");
        if (fields.length != FIELDS || !fields[0].equals(WORD))
        {
            throw new IllegalArgumentException("found '" + line + "', expected " + WORD + " step cell messages profile pace");
        }
        return new Task(
            Long.parseLong(fields[1]), Integer.parseInt(fields[2]), Long.parseLong(fields[3]), Integer.parseInt(fields[4]),
            Double.parseDouble(fields[5]));
    }
}
