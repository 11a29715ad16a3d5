// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What is told about a run: times, tables, JSON, and the machine it ran on.
 */
package org.tallypost.benchmarks.report;
