// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Operations of several ranks together: barrier, broadcast, reductions, and exchanges of data. The ranks are the members of a
 * team, and all of them call the same operations in the same order. Inside a node they work in one shared file, and a message is
 * sent only to wake a member that sleeps.
 */
package org.tallypost.collectives;
