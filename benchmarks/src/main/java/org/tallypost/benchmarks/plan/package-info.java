// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What a run does, before any process of it exists: its parameters, its steps in their order, and the memory it takes.
 */
package org.tallypost.benchmarks.plan;
