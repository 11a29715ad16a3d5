// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Packets between nodes, over Aeron. {@link org.tallypost.transportaeron.AeronTransport} is given to a node's context, with the
 * {@link org.tallypost.transportaeron.Topology} that says which ranks are on which nodes. Aeron's types stop here: a program that
 * uses this package sees none of them. Above it is only {@link org.tallypost.transportaeron.launch}. What the transport is made
 * of is below it, in packages that have "internal" in their names.
 */
package org.tallypost.transportaeron;
