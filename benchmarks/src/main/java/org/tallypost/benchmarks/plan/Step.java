// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import org.tallypost.endpoint.Flow;

/**
 * One step of a run.
 *
 * @param index      place in the schedule, from 0.
 * @param flow       that has its turn.
 * @param phase      what it is for.
 * @param repeat     turn of that flow control, from 1; 0 outside the measured turns.
 * @param timedIndex place among the timed steps, or -1.
 */
public record Step(int index, Flow flow, Phase phase, int repeat, int timedIndex)
{
}
