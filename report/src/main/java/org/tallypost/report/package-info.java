// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What reports have in common: the machine that a run ran on, a JSON file, a page that needs no network, and a line that tells
 * how far a run is.
 */
package org.tallypost.report;
