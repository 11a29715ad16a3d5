// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A network that loses, repeats and delays datagrams, for tests and benchmarks.
 */
package org.tallypost.transportaeron.faults;
