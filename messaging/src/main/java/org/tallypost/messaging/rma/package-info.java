// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Memory of a rank that others of the node read and write without its help, and messages that are lent instead of copied.
 * {@link org.tallypost.messaging.rma.RegionMemory} is where it begins.
 */
package org.tallypost.messaging.rma;
