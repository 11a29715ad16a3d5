// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The command {@code tallypost}: what it prints and returns whichever commands it has, and those that need the runtime alone.
 *
 * <p>Other modules have more commands: the class {@code Tallypost} of the benchmarks is a {@link org.tallypost.cli.MainCommand}
 * too.
 */
package org.tallypost.cli;
