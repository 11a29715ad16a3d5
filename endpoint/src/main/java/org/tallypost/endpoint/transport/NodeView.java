// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import java.io.File;

/**
 * What a {@link Transport} has to know of the node that it carries packets for: the concluded values of its context.
 */
public interface NodeView
{
    /**
     * Directory of the node's files.
     *
     * @return the directory.
     */
    File directory();

    /**
     * Ranks of the group, on all nodes.
     *
     * @return their number.
     */
    int rankCount();

    /**
     * Slots of 64 bytes in each mailbox for each sender, credit slots included.
     *
     * @return number of slots.
     */
    int slotsPerSender();

    /**
     * Slots of these that a sender always keeps.
     *
     * @return number of slots.
     */
    int creditSlots();

    /**
     * Slots of 64 bytes in each high ring for each sender: one of them is not for data, and none ever moves to another sender.
     *
     * @return number of slots, 0 if there are no priorities.
     */
    int highSlots();

    /**
     * Whether slots move to the senders that use them.
     *
     * @return true under dynamic flow, false if each sender has its own.
     */
    boolean isFlowDynamic();

    /**
     * Longest time after which the death of a process is noticed.
     *
     * @return nanoseconds.
     */
    long livenessIntervalNs();

    /**
     * How this process takes its part in carrying packets.
     *
     * @return the settings.
     */
    TransportSettings transportSettings();
}
