// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Texts that both the addresses of nodes and the settings of a launch are read from.
 */
package org.tallypost.transportaeron.internal;
