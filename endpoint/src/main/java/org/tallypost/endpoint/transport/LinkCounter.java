// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import org.tallypost.endpoint.internal.layout.LinkDescriptor;

/**
 * The counters of a link: what a node has to do with one other node. They begin at 0 when the node is founded, and go on when
 * another process of the node carries its packets. Bytes have the headers of batches and frames, and not those of UDP.
 */
public enum LinkCounter
{
    /** Whether the link is up: 1 or 0. It keeps the last value if the process dies that carries the packets. */
    UP("up", LinkDescriptor.UP_OFFSET),
    /** How many times the link came up. */
    UPS("ups", LinkDescriptor.UPS_OFFSET),
    /** Time since the link came up, or went down, in nanoseconds; while it never was up, since the agent began. */
    STATE_TIME("stateTimeNs", LinkDescriptor.STATE_TIME_OFFSET),
    /** Time in which the link was up, in nanoseconds. */
    UP_TIME("upTimeNs", LinkDescriptor.UP_TIME_OFFSET),
    /** Time in which the link was down while an agent wanted it, in nanoseconds. */
    DOWN_TIME("downTimeNs", LinkDescriptor.DOWN_TIME_OFFSET),
    /** Messages that have gone into batches. */
    MESSAGES_SENT("messagesSent", LinkDescriptor.MESSAGES_SENT_OFFSET),
    /** Messages that were written to mailboxes here. */
    MESSAGES_RECEIVED("messagesReceived", LinkDescriptor.MESSAGES_RECEIVED_OFFSET),
    /** Frames of batches that have left: runs of messages, credits, receipts, ranks, beats. */
    FRAMES_SENT("framesSent", LinkDescriptor.FRAMES_SENT_OFFSET),
    /** Frames of batches that were taken. */
    FRAMES_RECEIVED("framesReceived", LinkDescriptor.FRAMES_RECEIVED_OFFSET),
    /** Batches that have left. */
    BATCHES_SENT("batchesSent", LinkDescriptor.BATCHES_SENT_OFFSET),
    /** Batches that were taken. */
    BATCHES_RECEIVED("batchesReceived", LinkDescriptor.BATCHES_RECEIVED_OFFSET),
    /** Bytes of the streams of messages that have left, those of handshakes among them. */
    BYTES_SENT("bytesSent", LinkDescriptor.BYTES_SENT_OFFSET),
    /** Bytes of batches that were taken. */
    BYTES_RECEIVED("bytesReceived", LinkDescriptor.BYTES_RECEIVED_OFFSET),
    /** Bytes of the bulk stream that have left. */
    BULK_BYTES_SENT("bulkBytesSent", LinkDescriptor.BULK_BYTES_SENT_OFFSET),
    /** Bytes of the bulk stream that were taken. */
    BULK_BYTES_RECEIVED("bulkBytesReceived", LinkDescriptor.BULK_BYTES_RECEIVED_OFFSET),
    /** Times when a stream of messages took nothing: its window was full. */
    STALLS("stalls", LinkDescriptor.STALLS_OFFSET),
    /** Time for which it took nothing, in nanoseconds. */
    STALL_TIME("stallTimeNs", LinkDescriptor.STALL_TIME_OFFSET),
    /** How often this node has asked the other one for something that had not come. */
    REPAIRS_ASKED("repairsAsked", LinkDescriptor.REPAIRS_ASKED_OFFSET),
    /** How often the other node has asked this one for something that had not come. */
    REPAIRS_GIVEN("repairsGiven", LinkDescriptor.REPAIRS_GIVEN_OFFSET),
    /** What came from the network and was not handed on: damaged, not admitted, or of a link that is over. */
    DROPPED("dropped", LinkDescriptor.DROPPED_OFFSET),
    /** Of the frames sent those that have left by the stream of messages of high priority. */
    HIGH_FRAMES_SENT("highFramesSent", LinkDescriptor.HIGH_FRAMES_SENT_OFFSET),
    /** Of the frames received those that have come by the other node's stream of messages of high priority. */
    HIGH_FRAMES_RECEIVED("highFramesReceived", LinkDescriptor.HIGH_FRAMES_RECEIVED_OFFSET),
    /** Of the batches sent those of the stream of messages of high priority. */
    HIGH_BATCHES_SENT("highBatchesSent", LinkDescriptor.HIGH_BATCHES_SENT_OFFSET),
    /** Of the batches received those of the other node's stream of messages of high priority. */
    HIGH_BATCHES_RECEIVED("highBatchesReceived", LinkDescriptor.HIGH_BATCHES_RECEIVED_OFFSET);

    private final String label;
    private final int offset;

    LinkCounter(final String label, final int offset)
    {
        this.label = label;
        this.offset = offset;
    }

    /**
     * Name of the counter, which keeps its meaning.
     *
     * @return the name.
     */
    public String label()
    {
        return label;
    }

    int offset()
    {
        return offset;
    }
}
