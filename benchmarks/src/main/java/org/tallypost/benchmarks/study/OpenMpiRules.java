// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import org.tallypost.collectives.Algorithm;

/**
 * What the fixed rules of Open MPI's module {@code tuned} (6.1.0a1, {@code ompi/mca/coll/tuned/coll_tuned_decision_fixed.c},
 * small communicators) would choose among the algorithms here. Only thresholds are taken from there:
 *
 * <ul>
 *   <li>all-reduce, fewer than 4 processes: ring below 8 bytes, doubling below 4 KiB, ring below 8 KiB, doubling below 16 KiB,
 *   then ring and Rabenseifner; 4 to 7: ring below 16 bytes, doubling below 8 KiB, then Rabenseifner; here 8 as 4 to 7. Ring
 *   and Rabenseifner are slices, doubling is not.</li>
 *   <li>everything else by point-to-point messages. Those of shared memory are copied in and out up to 4,096 bytes
 *   ({@code btl/vader}, eager limit), and longer ones are copied once.</li>
 * </ul>
 */
final class OpenMpiRules
{
    private static final int EAGER_LENGTH = 4_096;

    private OpenMpiRules()
    {
    }

    /**
     * What they choose.
     *
     * @param isAllReduce whether the operation is an all-reduce.
     * @param members     number of members.
     * @param length      of a portion in bytes.
     * @return the algorithm.
     */
    static Algorithm choose(final boolean isAllReduce, final int members, final int length)
    {
        final boolean isLong = length > EAGER_LENGTH;
        if (!isAllReduce)
        {
            return isLong ? Algorithm.DIRECT : Algorithm.BLOCKS;
        }
        final boolean isSliced = members < 4 ?
            length < 8 || length >= 4_096 && length < 8_192 || length >= 16_384 : length < 16 || length >= 8_192;
        return isSliced ? isLong ? Algorithm.DIRECT_SLICES : Algorithm.SLICES : isLong ? Algorithm.DIRECT : Algorithm.BLOCKS;
    }
}
