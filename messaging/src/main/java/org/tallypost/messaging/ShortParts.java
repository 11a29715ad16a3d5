// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

/**
 * Whether the bytes of long messages move in short parts, so that short messages beside them wait for little. One thread.
 *
 * <p>A short message that comes or goes while long ones move begins some short parts. If the next one comes within these, it was
 * waited for, and as many follow behind it. If none comes, the parts were short for nothing. Then the next short messages change
 * nothing, twice as many each time that this is found again. So answers to long messages cost next to no bandwidth.
 *
 * <pre>
 *   short message     short parts, or one to skip less
 *   parts pass        of the usual length again, and more to skip
 *   short message
 *   within the parts  as many again, and none to skip
 * </pre>
 */
final class ShortParts
{
    /** Some 5 us: a round trip beside takes one to two, and the program has the rest. */
    static final int COUNT = 8;
    /** Some 0.3 us: a short message waits no longer for what is copied before it is looked for. */
    static final int LENGTH = 4_096;
    /** Most short messages in a row that change nothing. */
    static final int MAX_SKIPS = 63;
    /** Rounds in which no part moves: then the rank that the bytes wait for is away. */
    private static final int MAX_STILL_ROUNDS = 64;

    private int movingCount;
    private int left;
    private int skips;
    private int toSkip;
    private int stillRounds;

    /** A long message begins to move. */
    void onBegin()
    {
        movingCount++;
    }

    /** One has ended, or goes another way. */
    void onEnd()
    {
        movingCount--;
    }

    /** A short message has come, or gone. */
    void onShort()
    {
        if (movingCount == 0)
        {
            return;
        }
        if (left > 0)
        {
            skips = 0;
            left = COUNT;
        }
        else if (toSkip > 0)
        {
            toSkip--;
        }
        else
        {
            left = COUNT;
        }
    }

    /** A part of a long message has moved. */
    void onPart()
    {
        stillRounds = 0;
        if (left > 0 && --left == 0)
        {
            skips = Math.min(MAX_SKIPS, 2 * skips + 1);
            toSkip = skips;
        }
    }

    /** A round begins. */
    void onRound()
    {
        stillRounds += stillRounds < MAX_STILL_ROUNDS ? 1 : 0;
    }

    /** Most bytes of a long message that are copied in one round, or lie unread. */
    int length(final int longest)
    {
        return left > 0 ? Math.min(LENGTH, longest) : longest;
    }

    /** Whether bytes go with later rounds although nothing stops them, so that nothing tells when. */
    boolean isHeldBack()
    {
        return left > 0 && movingCount > 0 && stillRounds < MAX_STILL_ROUNDS;
    }
}
