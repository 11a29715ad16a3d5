// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the example programs of both dialects have in common: the computation of each, and what it comes to on one process.
 */
package org.tallypost.examples;
