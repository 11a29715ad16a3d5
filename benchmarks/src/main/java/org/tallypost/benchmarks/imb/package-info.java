// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The operations of the Intel MPI Benchmarks, by Tallypost's messages and collectives and by Open MPI: ranks in processes of
 * their own, by turns.
 */
package org.tallypost.benchmarks.imb;
