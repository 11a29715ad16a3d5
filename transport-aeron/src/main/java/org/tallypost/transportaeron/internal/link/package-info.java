// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A node's links with the other nodes, and the agent that serves them: pairs of ranks, credits that travel as absolute counts,
 * frames that leave and arrive.
 */
package org.tallypost.transportaeron.internal.link;
