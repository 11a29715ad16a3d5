// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

/**
 * A fact beside what was found.
 *
 * @param fact      published.
 * @param simulated what the simulation, or the code itself, shows.
 * @param agrees    whether that is what was expected; null if it could not be seen, and then simulated says why.
 */
public record Finding(Fact fact, String simulated, Boolean agrees)
{
}
