// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.cli.CommandRun;

@Tag("once")
class CalibrateCommandTest
{
    @Test
    void shouldPrintWhatWasFittedAndHowWell()
    {
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), "calibrate");
        assertEquals(0, run.exitCode(), run.errors());
        assertTrue(run.output().startsWith("L = 11."), run.output());
        assertTrue(run.output().contains("published   52908.41 us, simulated"), run.output());
        assertEquals(5, run.output().lines().count(), run.output());
    }
}
