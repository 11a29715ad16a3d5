// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The communication patterns: what each rank sends, receives and compares. No processes, files or reports.
 */
package org.tallypost.benchmarks.workload;
