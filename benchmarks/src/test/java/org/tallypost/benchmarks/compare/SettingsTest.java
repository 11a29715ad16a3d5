// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SettingsTest
{
    /** The subject takes every other turn: with as many teams as all others together, each team rests as long. */
    @Test
    void shouldGiveTheSubjectAsManyTeamsAsAllOthers()
    {
        final Settings settings = CompareFixture.processes(Mode.RATE,
            TransportKind.TALLYPOST_ENDPOINT, TransportKind.AGRONA_MANY_TO_ONE, TransportKind.AERON_IPC);
        assertEquals(3, settings.takers());
        assertEquals(6, settings.teams(0));
        assertEquals(3, settings.teams(1));
    }

    /** Each team of an alltoall has a JVM for each rank: teams that rest for no other take the cores of those that measure. */
    @Test
    void shouldNotCountContestantsThatTakeNoPart()
    {
        final Settings settings = CompareFixture.processes(Mode.ALLTOALL, TransportKind.TALLYPOST_ENDPOINT,
            TransportKind.AGRONA_MANY_TO_ONE, TransportKind.AERON_IPC, TransportKind.OPEN_MPI, TransportKind.UCX);
        assertEquals(2, settings.takers());
        assertEquals(3, settings.teams(0));
        assertEquals(3, settings.teams(3));
    }

    @Test
    void shouldHaveALimit()
    {
        final Settings settings = CompareFixture.processes(Mode.RATE, TransportKind.TALLYPOST_ENDPOINT,
            TransportKind.AGRONA_MANY_TO_ONE, TransportKind.AGRONA_ONE_TO_ONE, TransportKind.AERON_IPC,
            TransportKind.TALLYPOST_MAILBOX, TransportKind.UCX);
        assertEquals(6, settings.takers());
        assertEquals(12, settings.teams(0));
    }

    @Test
    void shouldHaveItsTeamsIfItIsAlone()
    {
        assertEquals(3, CompareFixture.processes(Mode.ALLTOALL, TransportKind.TALLYPOST_ENDPOINT).teams(0));
    }
}
