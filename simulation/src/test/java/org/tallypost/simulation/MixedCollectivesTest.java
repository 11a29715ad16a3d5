// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.transportaeron.NodeAddress;

/**
 * Operations of all kinds in processes with one rank each, on one node or several: results are compared with what is computed
 * plainly, and members that call something else are told. With "multicast" nodes can hear each other at once.
 */
@Tag("once")
class MixedCollectivesTest extends TeamsOfNodesRig
{
    private static final int OPERATIONS = Integer.getInteger("tallypost.mixedOperations", 300);

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final List<ForkedJvm> children = new ArrayList<>();

    MixedCollectivesTest()
    {
        System.out.println("MixedCollectivesTest: -Dtallypost.seed=" + seed);
    }

    @AfterEach
    void end()
    {
        CloseHelper.closeAll(children);
    }

    private void start(final String ranks) throws Exception
    {
        final boolean isMulticast = ranks.endsWith(" multicast");
        final int[] ofNodes = Arrays.stream(ranks.replace(" multicast", "").split(" ")).mapToInt(Integer::parseInt).toArray();
        launch(ofNodes.length, ofNodes);
        final NodeAddress group = isMulticast ? freeGroup() : null;
        for (int rank = 0; rank < endpoints.length; rank++)
        {
            children.add(MixedCollectivesProcess.start(directory, ports, ofNodes, group, rank, seed, OPERATIONS));
        }
        for (final ForkedJvm child : children)
        {
            assertEquals("joined", child.readLine());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "3", "5", "1 1", "2 1 multicast", "2 2"})
    void shouldDoAsComputedPlainlyAndTellAllMembersOfCallsThatDiffer(final String ranks) throws Exception
    {
        start(ranks);
        for (String line = ""; !"done".equals(line); )
        {
            for (final ForkedJvm child : children)
            {
                line = child.readLine();
            }
        }
        for (final String each : CallsThatDiffer.CASES)
        {
            for (final int odd : CallsThatDiffer.odds(each, children.size(), seed))
            {
                shouldBeTold(each + " at " + odd + " = MISMATCH ");
            }
        }
        for (final ForkedJvm child : children)
        {
            assertEquals("told", child.readLine());
            assertEquals(0, child.waitFor());
        }
    }

    /** All of them name a member, and those of a node the same one. */
    private void shouldBeTold(final String start)
    {
        final int[] named = new int[children.size()];
        for (int member = 0; member < named.length; member++)
        {
            final String line = children.get(member).readLine();
            final String what = "member " + member + ": " + line + ", seed=" + seed;
            assertTrue(line.startsWith(start), what);
            named[member] = Integer.parseInt(line.substring(start.length()));
            assertTrue(named[member] >= 0 && named[member] < named.length, what);
            final int before = member - 1;
            assertTrue(member == 0 || nodeOf(before) != nodeOf(member) || named[before] == named[member], what);
        }
    }
}
