// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

/**
 * What a process has found: the receiver its memory, a sender how far it came.
 *
 * @param before   memory before the first message that nobody receives.
 * @param full     the same when no sender could leave any more; of a sender, when the receiver said so.
 * @param after    the same in the end.
 * @param counted  messages without a receive at that moment; of a sender, sends that were done.
 * @param bytes    of these, by the messenger's account; of a sender, sends that waited.
 * @param taken    memory that the messenger has taken for messages, most of all.
 * @param wrong    messages that were not in order, or not as they were sent.
 * @param nanos    that receiving took.
 */
record UnexpectedResult(
    ProcessMemory before, ProcessMemory full, ProcessMemory after, long counted, long bytes, long taken, long wrong, long nanos)
{
}
