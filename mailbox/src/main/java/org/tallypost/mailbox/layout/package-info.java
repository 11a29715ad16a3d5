// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Layout of the shared memory of a mailbox, its express lanes, and the registry of processes: offsets, header words, diagrams.
 */
package org.tallypost.mailbox.layout;
