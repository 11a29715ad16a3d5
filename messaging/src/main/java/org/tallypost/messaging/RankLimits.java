// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.util.Arrays;
import org.tallypost.messaging.internal.checks.Checks;

/** A limit in bytes for messages to all ranks, and others for single ranks. One thread. */
final class RankLimits
{
    private static final int NONE = -1;

    private final String name;
    private final int least;
    private final int most;
    private int ofAll;
    /** Whether the program has set the limit of all ranks. */
    private boolean isSet;
    /** {@link #NONE} where it is that of all; null if no rank has its own. */
    private int[] ofRanks;

    RankLimits(final String name, final int least, final int most, final int value)
    {
        this.name = name;
        this.least = least;
        this.most = most;
        ofAll = value;
    }

    void set(final int value)
    {
        ofAll = value;
        isSet = true;
    }

    void set(final int rank, final int rankCount, final int value)
    {
        Checks.range("rank", rank, 0, rankCount - 1);
        Checks.range(name + " of a rank", value, least, most);
        if (ofRanks == null)
        {
            ofRanks = new int[rankCount];
            Arrays.fill(ofRanks, NONE);
        }
        ofRanks[rank] = value;
    }

    /** What counts for all ranks, unless the program has set it. */
    void conclude(final int usual, final int rankCount)
    {
        ofAll = isSet ? ofAll : usual;
        Checks.range(name, ofAll, least, most);
        if (ofRanks != null && ofRanks.length != rankCount)
        {
            throw new IllegalArgumentException("rankCount was changed behind " + name + ": found=" + rankCount + ", expected=" +
                ofRanks.length);
        }
    }

    int ofAll()
    {
        return ofAll;
    }

    int of(final int rank)
    {
        return ofRanks == null || ofRanks[rank] == NONE ? ofAll : ofRanks[rank];
    }

    /** Whether the program has set what counts for a rank. */
    boolean isSetFor(final int rank)
    {
        return isSet || ofRanks != null && ofRanks[rank] != NONE;
    }

    boolean hasRanks()
    {
        return ofRanks != null;
    }
}
