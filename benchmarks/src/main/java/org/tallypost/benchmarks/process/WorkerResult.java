// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.util.List;

/**
 * What a worker leaves behind for its parent.
 *
 * @param process index of the worker.
 * @param flows   its counts, in the order of the plan.
 */
public record WorkerResult(int process, List<FlowCounts> flows)
{
}
