// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/** LogGP on a running machine: its parameters measured, and each of them moved by its knob (seed 004). */
package org.tallypost.benchmarks.loggp;
