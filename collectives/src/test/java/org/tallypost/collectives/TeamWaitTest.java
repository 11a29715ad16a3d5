// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.node.Node;

/** What a thread does at the end of an operation that has failed. */
class TeamWaitTest
{
    private static final int NEEDED = 20;

    @TempDir
    private Path directory;

    /** A message to another node needs so many attempts. */
    private static final class Owing implements Course
    {
        private int left = NEEDED;

        @Override
        public void start(final Operation operation)
        {
        }

        @Override
        public void progress()
        {
            left = Math.max(0, left - 1);
        }

        @Override
        public long position()
        {
            return 0;
        }

        @Override
        public boolean isMoving()
        {
            return false;
        }

        @Override
        public boolean isPolling()
        {
            return left > 0;
        }

        @Override
        public void lookAtMembers()
        {
        }

        @Override
        public int late(final int[] into)
        {
            return 0;
        }

        @Override
        public void fail(final long result, final int about)
        {
        }

        @Override
        public void end(final long result)
        {
        }

        @Override
        public void leave()
        {
        }

        @Override
        public int culprit()
        {
            return 0;
        }
    }

    /** How much is left to be told when an operation that ends at its second look has returned. */
    private int leftAfter(final long result, final boolean isExpired)
    {
        try (Node node = Node.launch(CollectivesTest.context(directory, 1)); Endpoint endpoint = node.open(0))
        {
            final CollectivesContext context = new CollectivesContext();
            final TeamWait waiting = new TeamWait(endpoint, context, 10);
            waiting.teams(new Teams(null, context, waiting));
            final Owing course = new Owing();
            final int[] looks = new int[1];
            final Progress awaited = () -> looks[0]++ == 0 ? Team.IN_PROGRESS : result;
            final long deadlineNs = System.nanoTime() + (isExpired ? -1 : Long.MAX_VALUE / 2);
            assertEquals(result, waiting.await(course, awaited, true, deadlineNs));
            return course.left;
        }
    }

    @Test
    void shouldTellOthersWhyTheTeamHasEndedBeforeItReturns()
    {
        assertEquals(0, leftAfter(Team.MEMBER_GONE, false));
        assertEquals(0, leftAfter(Team.MISMATCH, false));
        assertEquals(NEEDED, leftAfter(1, false), "nothing is owed at the end of an operation");
        assertEquals(NEEDED - 1, leftAfter(Team.REVOKED, true), "not beyond the deadline");
    }
}
