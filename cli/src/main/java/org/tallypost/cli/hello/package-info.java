// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A launch on trial: every rank greets all others.
 */
package org.tallypost.cli.hello;
