// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.jcstress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All races, for a moment each. */
@Tag("once")
class RacesTest
{
    @Test
    void shouldHoldWhereRightAndBreakWhereWrong() throws IOException, InterruptedException
    {
        assertEquals("", Races.run(Path.of("target", "races"), false, ""));
    }
}
