// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Packets between nodes, over Aeron. What is here: the wire format and its checks, batching, the handshake with which nodes
 * prove that they belong together, the books of credits that travel as absolute counts, the sizing of Aeron's windows, and
 * where a process learns its rank and the other nodes. The agents that carry packets are not: endpoints of one group share
 * one host and one directory in this version. Aeron's types stop at this package's public API.
 */
package org.tallypost.transportaeron;
