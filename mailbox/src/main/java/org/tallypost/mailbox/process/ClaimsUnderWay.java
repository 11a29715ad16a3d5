// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

/**
 * Waits for the end of the claims that were under way at one moment, each on its own. To wait for a moment at which there is none
 * would take as long as many threads send without a pause. For a consumer that has closed something before, so that claims that
 * begin later find it closed. For one thread.
 *
 * <pre>
 *   close                 full fence      SYNC POINT claim-mark: a claim that began before is noted, or it finds what was closed
 *   seen.note(key)        each mark that claims there: its claim, and its attempt or position
 *   seen.isOver()         again and again, until true
 * </pre>
 *
 * A claim is over when its mark is cleared or claims something else, or when its thread's process is gone. A mark that claims the
 * same number of slots in the same mailbox again tells by its attempt that it is another one. A mark that had the number of an
 * attempt and now has a position is at the same claim, or at a later one, which is waited for as well: once for a mark at most.
 */
public final class ClaimsUnderWay
{
    private final Registry registry;
    private final long[] claims;
    private final long[] words;
    private int count;

    /**
     * Nothing is noted yet.
     *
     * @param registry with the marks.
     */
    public ClaimsUnderWay(final Registry registry)
    {
        this.registry = registry;
        claims = new long[registry.marks()];
        words = new long[registry.marks()];
    }

    /**
     * Notes the claims in a mailbox that live threads have under way now.
     *
     * @param key of the mailbox, {@link ClaimedRing#claimKey()}.
     */
    public void note(final long key)
    {
        for (int mark = 0; mark < claims.length; mark++)
        {
            note(key, mark);
        }
    }

    /**
     * Notes those of one process.
     *
     * @param key         of the mailbox, {@link ClaimedRing#claimKey()}.
     * @param process     index of the process, as read from shared memory.
     * @param incarnation of it.
     */
    public void note(final long key, final int process, final int incarnation)
    {
        for (int mark = 0; mark < claims.length; mark++)
        {
            if (registry.isMarkOf(mark, process, incarnation))
            {
                note(key, mark);
            }
        }
    }

    private void note(final long key, final int mark)
    {
        // SYNC POINT claim-mark: the claim first; its attempt was stored before it
        final long claim = registry.claim(mark);
        if (claims[mark] == 0 && ClaimMark.isFor(claim, key) && registry.isMarkLive(mark))
        {
            claims[mark] = claim;
            words[mark] = registry.claimWord(mark);
            count++;
        }
    }

    /**
     * Looks whether all that was noted is over.
     *
     * @return true if so; then what those claims have added to the write position is seen.
     */
    public boolean isOver()
    {
        for (int mark = 0; mark < claims.length && count > 0; mark++)
        {
            if (claims[mark] != 0 && isOver(mark))
            {
                claims[mark] = 0;
                count--;
            }
        }
        return count == 0;
    }

    private boolean isOver(final int mark)
    {
        // SYNC POINT claim-cleared
        if (registry.claim(mark) != claims[mark] || !registry.isMarkLive(mark))
        {
            return true;
        }
        final long word = registry.claimWord(mark);
        if (word == words[mark])
        {
            return false;
        }
        if (words[mark] < 0 && word > 0)
        {
            words[mark] = word;
            return false;
        }
        return true;
    }
}
