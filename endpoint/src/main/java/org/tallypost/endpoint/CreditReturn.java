// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/**
 * How credits travel from a receiver back to a sender.
 */
public enum CreditReturn
{
    /** The receiver adds them to a word that both map. The default: no packet, no slot, and an idle sender keeps none. */
    DIRECT,
    /** In credit packets through the sender's mailbox, as on a network: the sender has to poll to get them. */
    PACKET
}
