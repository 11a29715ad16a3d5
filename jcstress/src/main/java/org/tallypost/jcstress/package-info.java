// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Short races of two threads, run many times over and over with every outcome counted.
 */
package org.tallypost.jcstress;
