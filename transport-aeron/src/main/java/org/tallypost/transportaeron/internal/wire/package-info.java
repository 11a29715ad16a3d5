// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The bytes that travel between nodes: layouts of batches, frames and steps of the handshake, and what writes and reads them.
 * Bytes that come are anybody's: each is checked before it is used, and what is refused is counted. Nothing here knows Aeron but
 * the collector of its fragments.
 */
package org.tallypost.transportaeron.internal.wire;
