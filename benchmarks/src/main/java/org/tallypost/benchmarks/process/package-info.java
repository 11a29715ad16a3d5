// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The processes of a run: the parent that starts and watches them, the workers, and the small file in which they meet.
 */
package org.tallypost.benchmarks.process;
