// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.List;

import org.tallypost.benchmarks.compare.Mode;

/**
 * What takes turns in one JVM.
 *
 * @param mode       rtt or rate.
 * @param length     of a message in bytes, a multiple of 8.
 * @param slots      of the receiving buffer.
 * @param contenders that take turns, the first of which the others are compared with.
 * @param windowNs   nanoseconds of a turn that count; a fifth of that goes before.
 * @param durationNs nanoseconds of all turns; the first third is for the compiler and does not count.
 * @param corrupt    damages a message, to see that it is found.
 */
record TurnsSpec(
    Mode mode, int length, int slots, List<Contender> contenders, long windowNs, long durationNs, boolean corrupt)
{
}
