// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Microbenchmarks of single operations, run with JMH from the module's runnable jar.
 */
package org.tallypost.jmh;
