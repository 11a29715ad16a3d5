// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Layout of the shared memory that an endpoint reads and writes: packets, the group file, words of pairs, counters. Not for
 * programs.
 */
package org.tallypost.endpoint.internal.layout;
