// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Measures several contestants on a machine that changes its pace: each contestant has processes of its own that are alive all
 * the time and wait without processor time, takes short turns in random order, and is compared by the ratios of turns that were
 * adjacent. Nothing here knows what a contestant does in its turn.
 */
package org.tallypost.benchmarks.harness;
