// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.benchmarks.compare;

/**
 * What a probe of the raw machine saw.
 *
 * @param value       nanoseconds of a raw round trip, or raw lines per second: what figures are held to.
 * @param roundTripNs nanoseconds of a raw round trip: how far the cores are from each other.
 * @param workNs      nanoseconds that {@link CoreWork} takes on the slower of the first two parties' cores at that time; 0 if
 *                    that was not asked.
 */
public record Probe(double value, double roundTripNs, double workNs)
{
    /** Nothing is known. */
    public static final Probe NONE = new Probe(0, 0, 0);
}
