// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Tallypost beside its peers: the same messages over each transport, in processes of their own that take short turns, compared by
 * the ratios of adjacent turns.
 */
package org.tallypost.benchmarks.compare;
