// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What commands have in common: values of options, and text that they print.
 */
package org.tallypost.cli.console;
