// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.stat;

import java.util.List;

/**
 * A node at one moment.
 *
 * @param timeNs    by System.nanoTime().
 * @param endpoints in the order of their ranks.
 */
public record NodeSample(long timeNs, List<EndpointSample> endpoints)
{
}
