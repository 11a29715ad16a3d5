// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.List;


/**
 * What was found at one point in one phase.
 *
 * @param point          of the trial.
 * @param phase          of the study.
 * @param runs           that were measured, in their order.
 * @param wrong          messages that did not arrive as they were sent, since the point began.
 * @param bufferBytes    of the receiving buffer that messages can take.
 * @param fileBytes      of the file or files that hold it, with everything that belongs to it.
 * @param slotsPerSender of Tallypost; 0 for others.
 */
public record TrialResult(
    TrialSpec.Point point,
    Phase phase,
    List<TrialRun> runs,
    long wrong,
    long bufferBytes,
    long fileBytes,
    int slotsPerSender)
{
}
