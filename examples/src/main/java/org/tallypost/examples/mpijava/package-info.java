// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/** Programs written for mpiJava: they run on MPJ Express as they are. */
package org.tallypost.examples.mpijava;
