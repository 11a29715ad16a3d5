// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What goes wrong first on a machine, looked for before it does.
 */
package org.tallypost.cli.doctor;
