// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

/**
 * What the processes of a deck measurement do.
 *
 * @param turns     of each way.
 * @param trips     round trips of short messages in a turn; of long ones a tenth.
 * @param warmups   turns of each way before.
 * @param timeoutMs longest time of a wait, in milliseconds.
 */
public record DeckSpec(int turns, int trips, int warmups, int timeoutMs)
{
}
