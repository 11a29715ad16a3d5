// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** How a team of several nodes ends, as its leaders tell each other: what was heard first, and what this one tells. */
final class NodesDecision
{
    private final int members;
    private long heard;
    private int heardAbout = Window.NOBODY;
    private boolean isHeardFromOthers;
    private long told;
    private int toldAbout;

    NodesDecision(final int members)
    {
        this.members = members;
    }

    /** This node has found something, at a member. Only the first counts. Whether it is a known failure and member. */
    boolean hear(final long failure, final int about)
    {
        final boolean isKnown = failure < 0 && failure != Team.CLOSED && about >= 0 && about < members;
        if (heard == 0)
        {
            heard = isKnown ? failure : Team.DAMAGED;
            heardAbout = isKnown ? about : Window.NOBODY;
        }
        return isKnown;
    }

    /** Another node says it. Whether it is a known failure and member. */
    boolean hearFromOther(final long failure, final int about)
    {
        isHeardFromOthers |= heard == 0;
        return hear(failure, about);
    }

    /** Whether another node has said that the team has ended: it tells all. */
    boolean isHeardFromOthers()
    {
        return isHeardFromOthers;
    }

    /** Why the team has ended, as far as messages say; 0 if they do not. */
    long heard()
    {
        return heard;
    }

    /** The member that this is about. */
    int heardAbout()
    {
        return heardAbout;
    }

    /** From now on other nodes are told this. */
    void tell(final long failure, final int about)
    {
        told = failure;
        toldAbout = about;
    }

    /** What other nodes are told; 0 while there is nothing. */
    long told()
    {
        return told;
    }

    /** The member that this is about. */
    int toldAbout()
    {
        return toldAbout;
    }
}
