// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * The control packets that cost a credit each, to be put into the receiver's mailbox. The credit is taken out of the
 * {@link CreditStore} before these are called.
 */
public interface ControlPackets
{
    /**
     * A compulsory credit-return request (thesis, section 6.1).
     *
     * @param receiver of the packet: a sender of ours that holds too much.
     */
    void sendRequest(int receiver);

    /**
     * A compulsory credit-return response.
     *
     * @param receiver of the packet: it had asked.
     * @param credits  that go back with it, 0 or more.
     */
    void sendResponse(int receiver, int credits);

    /**
     * Whether the packet of the last call goes out although that call has thrown. If not, its sender still has what was to go.
     *
     * @return true if so.
     */
    default boolean isCommitted()
    {
        return false;
    }
}
