// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

/**
 * One turn of one contestant that came to its end.
 *
 * @param number      of the turn in the whole session: turns with numbers that differ by one were adjacent in time.
 * @param block       of cycles in which it was, which is drawn as a whole when intervals are computed.
 * @param contestant  number of the contestant.
 * @param team        number of the contestant's team, 0 for its first.
 * @param figure      nanoseconds for each message, or messages a second.
 * @param isDisturbed whether a party lost more than {@link Booking#DISTURBED_SHARE} of the turn.
 */
public record Turn(long number, int block, int contestant, int team, double figure, boolean isDisturbed)
{
}
