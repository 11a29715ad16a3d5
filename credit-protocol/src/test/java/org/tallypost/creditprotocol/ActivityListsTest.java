// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ActivityListsTest
{
    @Example
    void shouldStartWithAllInLowInOrder()
    {
        assertEquals("[[0, 1, 2], [], [], []]", describe(new ActivityLists(3), 3));
        assertEquals("[[0], [], [], []]", describe(new ActivityLists(1), 1));
        assertEquals(27, new ActivityLists(3).stateBytes());
    }

    @Example
    void shouldTurnThreeListsRoundAndLeaveNull()
    {
        final ActivityLists lists = new ActivityLists(5);
        for (int sender = 0; sender < 5; sender++)
        {
            lists.remove(sender);
        }
        lists.addFirst(ActivityLists.MEDIUM, 0);
        lists.addFirst(ActivityLists.HIGH, 1);
        lists.addFirst(ActivityLists.HIGH, 2);
        lists.addFirst(ActivityLists.NULL, 3);
        lists.addLast(ActivityLists.NULL, 4);
        lists.shift();
        assertEquals("[[0], [2, 1], [], [3, 4]]", describe(lists, 5));
        assertEquals(0, lists.last(ActivityLists.LOW));
        lists.remove(0);
        lists.shift();
        assertEquals("[[2, 1], [], [], [3, 4]]", describe(lists, 5));
        assertEquals(1, lists.last(ActivityLists.LOW));
    }

    /** Against lists of the JDK. Each number is a move of one sender to the front or back of a list, or a shift. */
    @Property(tries = 2000)
    void shouldDoAsPlainListsDo(@ForAll @IntRange(min = 1, max = 6) final int senders,
        @ForAll @Size(max = 60) final List<@IntRange(min = 0, max = 4095) Integer> moves)
    {
        final ActivityLists lists = new ActivityLists(senders);
        final List<LinkedList<Integer>> plain = new ArrayList<>();
        for (int list = 0; list < 4; list++)
        {
            plain.add(new LinkedList<>());
        }
        for (int sender = 0; sender < senders; sender++)
        {
            plain.get(ActivityLists.LOW).add(sender);
        }
        for (final int move : moves)
        {
            final Integer sender = (move >> 3) % senders;
            final int to = move & 3;
            if ((move & 4) == 0 && plain.get(ActivityLists.LOW).isEmpty())
            {
                lists.shift();
                plain.add(ActivityLists.HIGH, plain.remove(ActivityLists.LOW));
            }
            lists.remove(sender);
            plain.forEach((list) -> list.remove(sender));
            if ((move & 4) == 0)
            {
                lists.addFirst(to, sender);
                plain.get(to).addFirst(sender);
            }
            else
            {
                lists.addLast(to, sender);
                plain.get(to).addLast(sender);
            }
            assertEquals(plain.toString(), describe(lists, senders));
        }
    }

    private static String describe(final ActivityLists lists, final int senders)
    {
        final List<List<Integer>> all = new ArrayList<>();
        for (int list = 0; list < 4; list++)
        {
            final int[] members = new int[senders];
            final int count = lists.copy(list, members);
            final List<Integer> copy = Arrays.stream(members, 0, count).boxed().toList();
            all.add(copy);
            assertEquals(count == 0, lists.isEmpty(list));
            final int named = list;
            copy.forEach((sender) -> assertEquals(named, lists.list(sender)));
            if (count > 0)
            {
                assertEquals(members[count - 1], lists.last(list));
            }
        }
        return all.toString();
    }
}
