// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.handshake;

/**
 * Aeron sessions of the streams from one node to another.
 *
 * @param messages of the stream of messages, by which the handshake goes.
 * @param bulk     of the bulk stream, 0 if there is none.
 * @param high     of the stream of messages of high priority, 0 if there is none.
 */
public record Sessions(int messages, int bulk, int high)
{
    static final int COUNT = 3;
    /** While nothing is published. */
    static final Sessions NONE = new Sessions(0, 0, 0);
}
