// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** All orders of messages and deaths in {@link NodesAgreement}; and that each of its rules is needed. */
@Tag("once")
class NodesAgreementModelTest
{
    @ParameterizedTest
    @CsvSource({"1, 3, 0", "2, 3, 1", "3, 1, 2", "4, 1, 2"})
    void shouldAgreeInAllOrders(final int members, final int agreements, final int deaths)
    {
        final NodesAgreementModel model =
            new NodesAgreementModel(members, agreements, deaths, NodesAgreementModel.Rule.NONE);
        final long startNs = System.nanoTime();
        assertNull(model.search());
        System.out.println(members + " members: " + model.states() + " states, " +
            (System.nanoTime() - startNs) / 1_000_000 + " ms");
        assertTrue(model.states() > members);
    }

    @ParameterizedTest
    @EnumSource(value = NodesAgreementModel.Rule.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindThatEachRuleIsNeeded(final NodesAgreementModel.Rule broken)
    {
        assertNotNull(new NodesAgreementModel(3, 2, 2, broken).search());
    }
}
