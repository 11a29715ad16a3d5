// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.List;

import org.tallypost.benchmarks.harness.Quartiles;
import org.tallypost.benchmarks.harness.Ratio;
import org.tallypost.benchmarks.harness.Verdict;

/**
 * One transport in one group: by itself, or held against another one.
 *
 * @param transport      that was measured.
 * @param group          in which it stands.
 * @param against        the reference that it is held against; null for the row of a reference, or if there is no other.
 * @param figure         of its turns: nanoseconds, or messages a second; null if there is none.
 * @param ratio          of its turns to adjacent ones of the reference; null if there is none.
 * @param verdict        of the ratio; null without a reference.
 * @param pairs          of adjacent turns.
 * @param turns          that it took.
 * @param disturbedShare of its turns, 0 to 1.
 * @param jvmSpread      how far teams of one transport are apart because they are different JVMs: the standard deviation of the
 *                       logarithm of a figure; 0 if it is not known.
 * @param times          of all messages or bursts together; null for other modes than load, burst and alltoall.
 * @param wrong          messages that did not arrive as they were sent.
 * @param invalid        why the row cannot be trusted, or null.
 */
record Row(
    String transport,
    Group group,
    String against,
    Quartiles figure,
    Ratio ratio,
    Verdict verdict,
    int pairs,
    int turns,
    double disturbedShare,
    double jvmSpread,
    Times times,
    long wrong,
    String invalid)
{
    /** Why no figure of several rows is valid, or null if one is. */
    static String whyNothingIsValid(final List<Row> rows)
    {
        if (rows.stream().anyMatch((row) -> row.figure != null && row.invalid == null))
        {
            return null;
        }
        return rows.stream().filter((row) -> row.invalid != null).findFirst()
            .map((row) -> "none of " + rows.size() + " rows is valid; " + row.transport + ": " + row.invalid)
            .orElse("nothing was measured");
    }
}
