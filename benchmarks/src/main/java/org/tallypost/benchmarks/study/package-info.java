// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Studies of what credits are for: rate with little memory, a quiet sender beside a flood, and what credits cost.
 */
package org.tallypost.benchmarks.study;
