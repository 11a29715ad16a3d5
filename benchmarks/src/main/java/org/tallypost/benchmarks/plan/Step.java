// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

/**
 * One step of a run.
 *
 * @param index      place in the schedule, from 0.
 * @param way        that has its turn: a flow control and a path.
 * @param phase      what it is for.
 * @param repeat     turn of that way, from 1; 0 outside the measured turns.
 * @param timedIndex place among the timed steps, or -1.
 */
public record Step(int index, Way way, Phase phase, int repeat, int timedIndex)
{
}
