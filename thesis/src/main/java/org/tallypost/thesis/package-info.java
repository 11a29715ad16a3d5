// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the protocol's sources publish, set beside what the simulated fabric shows: facts, experiments, report.
 */
package org.tallypost.thesis;
