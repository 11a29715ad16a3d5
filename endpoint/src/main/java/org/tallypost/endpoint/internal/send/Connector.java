// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

/**
 * Makes what an endpoint needs to send to a rank, on this node or on another one.
 */
public interface Connector
{
    /**
     * Connects to a rank that is open.
     *
     * @param dest       rank of the receiver.
     * @param rankWord   its word in the group.
     * @param maxCredits most credits that a sender may have there.
     * @return what is known of the receiver from now on.
     * @throws org.tallypost.mailbox.files.MailboxException if its mailbox cannot be mapped, as when it closes at this moment.
     */
    Peer connect(int dest, long rankWord, int maxCredits);
}
