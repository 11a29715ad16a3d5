// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The steps by which two nodes come to trust each other: terms, nonces, proofs of the group's secret.
 */
package org.tallypost.transportaeron.internal.handshake;
