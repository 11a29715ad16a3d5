// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** What a member knows of the others beside the arena. */
interface Peers
{
    /**
     * Whether a member will never do anything any more: its process died, its rank was closed or is in another incarnation. All
     * that it has written before is visible then.
     */
    boolean isGone(int member);

    /**
     * Ends the sleep of a member, as far as that is possible now. A member that sleeps looks for itself every few milliseconds.
     */
    void wake(int member);
}
