// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

/**
 * A ring in which threads claim slots under their marks: what the registry has to know of a mailbox.
 */
public interface ClaimedRing
{
    /**
     * What the marks of claims in this ring say.
     *
     * @return the key.
     */
    long claimKey();

    /**
     * Where the next claim begins (volatile load).
     *
     * @return the position in slots.
     */
    long writePosition();
}
