// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

/**
 * An endpoint's counters at one moment. Counts are since the rank was opened.
 *
 * @param rank           of the endpoint.
 * @param epoch          how many times the rank was opened.
 * @param open           is it open in a live process?
 * @param state          open, closed, or dead: open when its process ended.
 * @param pid            of its process, 0 if it is closed or the process is not known any more.
 * @param sent           messages.
 * @param received       messages.
 * @param bytesSent      payload in bytes.
 * @param bytesReceived  payload in bytes.
 * @param stalls         messages that did not go at once for want of credits.
 * @param stallTimeNs    time that they waited.
 * @param creditPackets  returns of credits to senders.
 * @param nudges         empty packets sent to be given credits back.
 * @param creditsStolen  credits moved from one sender to another.
 * @param creditsRevoked credits taken back from senders that did not use them.
 * @param requests       compulsory requests.
 * @param responses      answers to them.
 * @param refused        packets refused: malformed, without credit, or from a source that is gone.
 * @param skippedSlots   slots skipped because their sender died or they were damaged.
 * @param repairedCredits credits found missing after damage, and put right.
 * @param lanes          express lanes granted to senders.
 * @param owningLanes    of these, those in which the receiver writes into what it has read, because that is faster.
 * @param trailingLanes  of these, those in which the receiver stays behind a flow for a moment, because that is faster.
 * @param pollsWait      whether a poll that finds nothing waits for an answer for a moment, because that is faster.
 * @param backlogSlots   unread slots now.
 * @param highWaterSlots most of them seen at a time.
 * @param mailboxBytes   length of the mailbox file, 0 if it is not open.
 * @param polls          polls, counted now and then.
 * @param bulkOperations operations on memory of other nodes that the rank has asked for.
 * @param bulkBytes      bytes of those that are done.
 * @param bulkRefused    operations that were refused, or lost with a link.
 * @param bulkPending    operations under way now.
 */
public record EndpointSample(
    int rank,
    int epoch,
    boolean open,
    String state,
    long pid,
    long sent,
    long received,
    long bytesSent,
    long bytesReceived,
    long stalls,
    long stallTimeNs,
    long creditPackets,
    long nudges,
    long creditsStolen,
    long creditsRevoked,
    long requests,
    long responses,
    long refused,
    long skippedSlots,
    long repairedCredits,
    long lanes,
    long owningLanes,
    long trailingLanes,
    boolean pollsWait,
    long backlogSlots,
    long highWaterSlots,
    long mailboxBytes,
    long polls,
    long bulkOperations,
    long bulkBytes,
    long bulkRefused,
    long bulkPending)
{
}
