// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A simulated fabric: processes of a cluster that run the real protocol over a modelled network.
 *
 * <p>Discrete events, deterministic: the same workload, options, parameters and seed give the same result, bit for bit. A
 * run is one thread's; runs share nothing, so several may go on at once. All times are picoseconds of simulated time.
 */
package org.tallypost.fabric;
