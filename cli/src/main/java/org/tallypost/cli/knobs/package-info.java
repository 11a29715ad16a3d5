// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/** {@code tallypost knobs}: slows the active messages of a running program down. */
package org.tallypost.cli.knobs;
