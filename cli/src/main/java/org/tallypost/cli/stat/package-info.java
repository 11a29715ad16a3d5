// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The counters of a node, looked at from outside.
 */
package org.tallypost.cli.stat;
