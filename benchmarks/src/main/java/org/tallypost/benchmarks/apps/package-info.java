// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/** Whole programs for MPI, side by side: on Tallypost, on MPJ Express, and their twins in C on Open MPI. */
package org.tallypost.benchmarks.apps;
