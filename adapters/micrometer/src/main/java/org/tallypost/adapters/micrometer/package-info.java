// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/** Counters of endpoints as meters of Micrometer. */
package org.tallypost.adapters.micrometer;
