// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Who sends to whom: benchmarks and collectives by their usual algorithms, as messages between two processes.
 */
package org.tallypost.benchmarks.paper.pattern;
