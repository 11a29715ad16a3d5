// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The place of the packets between nodes, over Aeron. This version carries none: endpoints of one group share one host
 * and one directory, and a message to a rank elsewhere cannot be addressed. The egress and ingress agents that will carry
 * packets belong here, and Aeron's types stop at this package's public API.
 */
package org.tallypost.transportaeron;
