// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The subcommands: options in, exit codes out.
 */
package org.tallypost.benchmarks.cli;
