// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/** Programs written for Open MPI's Java bindings. */
package org.tallypost.examples.openmpi;
