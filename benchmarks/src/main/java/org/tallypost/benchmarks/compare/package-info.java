// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Tallypost beside its peers: the same messages over each transport, in processes of their own, interleaved round by round,
 * each figure between two probes of what the machine could do at that moment.
 */
package org.tallypost.benchmarks.compare;
