// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.verification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The small searches; "check full" makes the others. Without spin they are reported as skipped, with the reason. */
@Tag("once")
class ModelsTest
{
    private static final int SKIPPED = 77;

    @Test
    void shouldFindWhatIsExpectedInEachModel() throws IOException, InterruptedException
    {
        final Process check = new ProcessBuilder(Path.of("check").toAbsolutePath().toString(), "small")
            .redirectErrorStream(true).start();
        final String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        final int code = check.waitFor();
        assumeTrue(code != SKIPPED, output);
        assertEquals(0, code, output);
    }
}
