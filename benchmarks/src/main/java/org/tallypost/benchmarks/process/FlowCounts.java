// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import org.tallypost.benchmarks.plan.Way;

/**
 * What a worker counted under one flow control and path in the measured steps.
 *
 * @param way            the flow control and the path.
 * @param messages       sent.
 * @param delayed        of these, not out at once because credits were missing.
 * @param creditPackets  sent to return credits.
 * @param creditsStolen  credits moved from one sender to another.
 * @param requests       compulsory requests.
 * @param responses      answers to them.
 * @param mailboxBytes   of one mailbox file.
 * @param checked        messages compared in all steps.
 * @param mismatches     of these, not as sent.
 * @param firstMismatch  a sentence, or null.
 * @param roundTrips     HdrHistogram of the stamped round trips in its compressed form, or null.
 * @param network        what the process counted that carried the packets of its node, in words; or null.
 */
public record FlowCounts(
    Way way,
    long messages,
    long delayed,
    long creditPackets,
    long creditsStolen,
    long requests,
    long responses,
    long mailboxBytes,
    long checked,
    long mismatches,
    String firstMismatch,
    byte[] roundTrips,
    String network)
{
}
