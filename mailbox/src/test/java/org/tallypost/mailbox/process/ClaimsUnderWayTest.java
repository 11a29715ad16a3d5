// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.Rig;

/** Claims that are waited for one by one, while there is always one under way. */
class ClaimsUnderWayTest
{
    @TempDir
    private File directory;

    private Rig rig;
    private ClaimMark first;
    private ClaimMark second;
    private ClaimsUnderWay seen;
    private long key;

    @BeforeEach
    void start()
    {
        rig = new Rig(directory, 2, 64, 4);
        first = rig.takeMark(rig.process);
        second = rig.takeMark(rig.process);
        seen = new ClaimsUnderWay(rig.registry);
        key = rig.box.claimKey();
    }

    @Test
    void shouldBeOverAtOnceIfNobodyClaims()
    {
        first.intend(ClaimMark.key(9, 1), 1);
        seen.note(key);
        assertTrue(seen.isOver());
    }

    /** Two threads take turns without a gap: at no look is there a moment without a claim. */
    @Test
    void shouldNotWaitForClaimsThatBeganLater()
    {
        first.intend(key, 1);
        seen.note(key);
        second.intend(key, 1);
        assertFalse(seen.isOver());
        first.clear();
        assertTrue(seen.isOver(), "the second one began later");
    }

    @Test
    void shouldTellAThreadsNextClaimFromTheOneBefore()
    {
        first.intend(key, 1);
        seen.note(key);
        assertFalse(seen.isOver());
        first.clear();
        first.intend(key, 1);
        assertTrue(seen.isOver(), "the attempt has another number");
        seen.note(key);
        rig.box.claim(first, 1);
        assertFalse(seen.isOver(), "perhaps the same claim, with its position");
        assertFalse(seen.isOver());
        first.clear();
        first.intend(key, 1);
        rig.box.claim(first, 1);
        assertTrue(seen.isOver(), "another position");
    }

    @Test
    void shouldWaitForAClaimUntilItsMarkIsCleared()
    {
        first.intend(key, 3);
        rig.box.claim(first, 3);
        seen.note(key);
        for (int i = 0; i < 10; i++)
        {
            rig.send(second, 0, i, 20);
            assertFalse(seen.isOver());
        }
        first.clear();
        assertTrue(seen.isOver());
    }

    @Test
    void shouldNotWaitForTheDead()
    {
        final int doomed = rig.join();
        final ClaimMark dead = rig.takeMark(doomed);
        dead.intend(key, 1);
        first.intend(key, 1);
        seen.note(key);
        first.clear();
        assertFalse(seen.isOver());
        rig.declareGone(doomed);
        assertTrue(seen.isOver());
        seen.note(key);
        assertTrue(seen.isOver());
    }

    @Test
    void shouldLookAtOneProcessOnly()
    {
        final int elsewhere = rig.join();
        rig.takeMark(elsewhere).intend(key, 1);
        seen.note(key, rig.process, rig.registry.incarnation(rig.process));
        assertTrue(seen.isOver());
        seen.note(key, elsewhere, rig.registry.incarnation(elsewhere));
        seen.note(key, rig.process, rig.registry.incarnation(rig.process));
        assertFalse(seen.isOver());
    }
}
