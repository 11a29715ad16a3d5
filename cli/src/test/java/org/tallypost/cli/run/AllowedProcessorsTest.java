// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class AllowedProcessorsTest
{
    @Test
    void shouldReadRanges()
    {
        assertArrayEquals(new int[]{ 0, 1, 2, 5, 8, 9 },
            AllowedProcessors.parse("Name:\tjava\nCpus_allowed_list:\t0-2,5,8-9\nMems_allowed:\t1\n"));
    }

    @Test
    void shouldRefuseWhatIsNotThere()
    {
        assertThrows(UnavailableToolException.class, () -> AllowedProcessors.parse("Name:\tjava\n"));
    }
}
