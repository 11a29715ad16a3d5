// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

/**
 * What a process spends in the protocol itself, beside sending and retrieving control packets.
 *
 * @param sendPs     to look up and take the credit of a packet, in picoseconds.
 * @param retrievePs to book a packet that was retrieved.
 * @param returnPs   to decide on credits that go back.
 * @param stealPs    to move credits from one sender's quota to another's, or to ask for them back.
 */
public record ProtocolCosts(long sendPs, long retrievePs, long returnPs, long stealPs)
{
    /** A protocol that takes no time. */
    public static final ProtocolCosts NONE = new ProtocolCosts(0, 0, 0, 0);
}
