// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

/**
 * What takes part in a comparison.
 *
 * @param label       in reports.
 * @param kind        of transport.
 * @param slowPercent by which it is to be slower than it is, to see that the comparison finds out.
 * @param classPath   of its processes, which is that of another build; null for this JVM's own.
 * @param beside      receives that wait beside those that are measured.
 */
record Contestant(String label, TransportKind kind, double slowPercent, String classPath, Beside beside)
{
    Contestant(final TransportKind kind)
    {
        this(kind.label(), kind, 0, null, Beside.NOTHING);
    }
}
