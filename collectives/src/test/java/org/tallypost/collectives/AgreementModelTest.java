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

/** Members agree on one value, in all orders of their steps and whichever die. */
@Tag("once")
class AgreementModelTest
{
    private static final boolean IS_FULL = Boolean.getBoolean("tallypost.fullSearch");

    @ParameterizedTest
    @CsvSource({"1, 3, 1", "2, 4, 2", "3, 2, 2", "4, 1, 2"})
    void shouldAgreeInAllOrders(final int members, final int agreements, final int deaths)
    {
        final AgreementModel model = new AgreementModel(
            members, agreements + (IS_FULL ? 1 : 0), deaths, AgreementModel.Rule.NONE);
        final long startNs = System.nanoTime();
        assertNull(model.search());
        System.out.println(members + " members: " + model.states() + " states, " +
            (System.nanoTime() - startNs) / 1_000_000 + " ms");
        assertTrue(model.states() > 10 * members);
    }

    @ParameterizedTest
    @EnumSource(value = AgreementModel.Rule.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindThatEachRuleIsNeeded(final AgreementModel.Rule broken)
    {
        assertNotNull(new AgreementModel(3, 2, 1, broken).search());
    }
}
