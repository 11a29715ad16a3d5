// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SlotSearchTest
{
    private final Cell reference = Cell.of(PatternKind.ALLTOALL, 64);

    @Test
    void shouldFindTheLeastSlotsThatKeepTheBound() throws InterruptedException
    {
        // the made-up overhead is 100% divided by the slots
        final SlotSearch search = new SlotSearch(new MadeUpRunner(), reference, 3);
        final SlotSearch.Found found = search.search(Rule.DYNAMIC, 2);
        assertEquals(34, found.slots());
        assertTrue(found.tried().get(33) > 3, "the one below was tried");
        assertTrue(found.tried().size() < 20, "few were tried: " + found.tried().keySet());
        assertEquals(64_000, search.referenceNs());
    }

    @Test
    void shouldNotPassByFewSlotsThatAreBetterThanMore() throws InterruptedException
    {
        final CellRunner runner = new MadeUpRunner();
        final SlotSearch search = new SlotSearch((cell) ->
            runner.run(cell.slots() > 45 && cell.slots() < 200 ? cell.rule(cell.rule(), 10, 2) : cell), reference, 3);
        assertEquals(34, search.search(Rule.DYNAMIC, 2).slots());
    }

    @Test
    void shouldAdmitThatNothingIsEnough() throws InterruptedException
    {
        final SlotSearch.Found found = new SlotSearch(new MadeUpRunner(), reference, 0.01).search(Rule.STATIC, 2);
        assertEquals(-1, found.slots());
        assertTrue(found.tried().containsKey(SlotSearch.MOST));
    }

    @Test
    void shouldBeContentWithTheLeastThatThereCanBe() throws InterruptedException
    {
        assertEquals(4, new SlotSearch(new MadeUpRunner(), reference, 50).search(Rule.STATIC, 2).slots());
    }
}
