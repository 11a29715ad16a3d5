// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The command {@code run}: starts a program as all ranks of a job on this host, and ends what it started.
 */
package org.tallypost.cli.run;
