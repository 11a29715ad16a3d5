// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Workloads, the comparison of flow controls side by side, and the command line.
 */
package org.tallypost.benchmarks;
