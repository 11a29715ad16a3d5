// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Layout of the shared memory of a mailbox, its express lanes, the
 * registry of processes, and memory of a rank that others use: offsets, header words, diagrams.
 */
package org.tallypost.mailbox.layout;
