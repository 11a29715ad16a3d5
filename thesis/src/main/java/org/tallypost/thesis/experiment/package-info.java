// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The published experiments, one class for the figures that share their runs.
 */
package org.tallypost.thesis.experiment;
