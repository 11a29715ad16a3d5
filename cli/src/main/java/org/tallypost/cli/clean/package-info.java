// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The removal of what dead processes left.
 */
package org.tallypost.cli.clean;
