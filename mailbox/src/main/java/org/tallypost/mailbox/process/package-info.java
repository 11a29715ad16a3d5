// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Processes of a node: which live, which claim, and the locks that they take turns with.
 */
package org.tallypost.mailbox.process;
