// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The children are shell scripts: they start at once. */
class TeamTest
{
    private static final int TIMEOUT_MS = 1_800_000;
    private static final String BOOKED = "BOOKED 10 9 8 0 -1 -1 -1 -";
    private static final String GOOD = "echo READY; while read -r line; do echo '" + BOOKED + "'; done";

    @TempDir
    private File directory;

    private Team team(final int timeoutMs, final String... scripts) throws IOException
    {
        final File own = Files.createDirectory(directory.toPath().resolve("team")).toFile();
        final List<List<String>> commands = Arrays.stream(scripts).map((script) -> List.of("sh", "-c", script)).toList();
        return new Team("pigeon, team 1", commands, List.of(), Map.of(), own, timeoutMs);
    }

    @Test
    void shouldTakeTurnsWithAllPartiesThatTakePart() throws IOException, TeamException, InterruptedException
    {
        try (Team team = team(TIMEOUT_MS, GOOD, GOOD, GOOD))
        {
            team.awaitReady();
            for (int i = 0; i < 10; i++)
            {
                final List<Booking> bookings = team.turn(0, 2, 100, 0, 0);
                assertEquals(2, bookings.size());
                assertEquals(Booking.parse(BOOKED), bookings.get(0));
            }
            assertEquals(3, team.turn(0, 3, 100, 0, 0).size());
        }
        assertArrayEquals(new String[0], directory.list());
    }

    @Test
    void shouldTakeSeveralBookingsOfOneProcess() throws IOException, TeamException, InterruptedException
    {
        try (Team team = team(TIMEOUT_MS, "echo READY; read -r line; echo '" + BOOKED + ";" + BOOKED + "'; read -r line"))
        {
            team.awaitReady();
            assertEquals(2, team.turn(0, 2, 100, 0, 0).size());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "echo READY; read -r line; kill -9 $$|process 1 of pigeon, team 1 ended in its turn with exit code 137",
        "echo READY; read -r line; echo no room >&2; exit 3|process 1 of pigeon, team 1 ended in its turn with exit code 3: no r",
        "echo READY; read -r line; echo hello|process 1 of pigeon, team 1 gave an answer that is none: found 'hello', expected",
        "echo READY; read -r line; echo; read -r line|process 1 of pigeon, team 1 gave an answer that is none: found",
        "echo READY; read -r line; echo FAILED too small; read -r line|process 1 of pigeon, team 1: too small",
    })
    void shouldSayWhichProcessDidWhatInItsTurn(final String script, final String message)
        throws IOException, TeamException, InterruptedException
    {
        try (Team team = team(TIMEOUT_MS, GOOD, script))
        {
            team.awaitReady();
            final String found = assertThrows(TeamException.class, () -> team.turn(0, 2, 100, 0, 0)).getMessage();
            assertTrue(found.startsWith(message), found);
        }
        assertArrayEquals(new String[0], directory.list());
    }

    @Test
    void shouldNotWaitForASilentProcessForEver() throws IOException, TeamException, InterruptedException
    {
        final List<ProcessHandle> children = new ArrayList<>();
        try (Team team = team(200, "sleep 600 & wait"))
        {
            ProcessHandle.current().children().forEach(children::add);
            final String found = assertThrows(TeamException.class, team::awaitReady).getMessage();
            assertEquals("process 0 of pigeon, team 1 did not answer before its first turn for 200 ms (--timeout)", found);
        }
        children.forEach((child) -> assertFalse(child.isAlive() && child.parent().isPresent() &&
            child.info().commandLine().orElse("").contains("sleep 600"), "a child is left"));
    }

    @Test
    void shouldNotWaitForAProcessWhosePartnerIsDead() throws IOException, TeamException, InterruptedException
    {
        // the first one waits for the second as long as the team may be silent
        try (Team team = team(TIMEOUT_MS, "echo READY; read -r line; read -r line", "echo READY; read -r line; kill -9 $$"))
        {
            team.awaitReady();
            assertEquals("process 1 of pigeon, team 1 ended in its turn with exit code 137",
                assertThrows(TeamException.class, () -> team.turn(0, 2, 100, 0, 0)).getMessage());
        }
    }

    @Test
    void shouldNameTheFirstCauseOfSeveral() throws IOException, TeamException, InterruptedException
    {
        try (Team team = team(TIMEOUT_MS, "echo READY; read -r line; echo FAILED another party failed; read -r line",
            "echo READY; read -r line; echo FAILED the disk is full; read -r line"))
        {
            team.awaitReady();
            assertEquals("process 1 of pigeon, team 1: the disk is full",
                assertThrows(TeamException.class, () -> team.turn(0, 2, 100, 0, 0)).getMessage());
        }
    }

    @Test
    void shouldRefuseAWrongGreeting() throws IOException
    {
        try (Team team = team(TIMEOUT_MS, "echo hello; read -r line"))
        {
            assertEquals("process 0 of pigeon, team 1 answered 'hello' at its start, expected READY",
                assertThrows(TeamException.class, team::awaitReady).getMessage());
        }
    }

    @Test
    void shouldTakeTurnsWithAProcessOfItsVersion() throws IOException, TeamException, InterruptedException
    {
        try (Team team = team(TIMEOUT_MS, "echo PROTOCOL " + PartyProcess.VERSION + "; " + GOOD, GOOD))
        {
            team.awaitReady();
            assertEquals(2, team.turn(0, 2, 100, 0, 0).size());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "echo PROTOCOL 7; read -r line|found version 7 of the harness's protocol, expected 1: its build does not fit this one",
        "echo PROTOCOL 7; exit 1|found version 7 of the harness's protocol, expected 1: its build does not fit this one",
        "echo PROTOCOL x; echo READY; read -r line|found version x of the harness's protocol, expected 1: its build does not",
        "echo FAILED no such field; read -r line|a harness without a version, which may not fit: no such field",
    })
    void shouldRefuseAProcessOfAnotherVersion(final String script, final String message) throws IOException
    {
        try (Team team = team(TIMEOUT_MS, script))
        {
            final String found = assertThrows(TeamException.class, team::awaitReady).getMessage();
            assertTrue(found.startsWith("process 0 of pigeon, team 1: " + message), found);
        }
        assertArrayEquals(new String[0], directory.list());
    }

    /** If a form here changes, {@link PartyProcess#VERSION} has to change as well: the other end may be of another build. */
    @Test
    void shouldSpeakAsItsVersionSays()
    {
        assertEquals(1, PartyProcess.VERSION);
        assertEquals("TURN 3 1 100 2 0.5", new Task(3, 1, 100, 2, 0.5).toLine());
        assertEquals(BOOKED, Booking.parse(BOOKED).toLine());
    }

    @Test
    void shouldStartNewProcessesForEachTurn() throws TeamException, InterruptedException
    {
        final long laterNs = System.nanoTime() + 3_600_000_000_000L;
        final String booked = "BOOKED 10 " + laterNs + " 1 2 -1 -1 -1 -";
        final List<Team> started = new ArrayList<>();
        final FreshTeam fresh = new FreshTeam(() ->
        {
            started.add(team(TIMEOUT_MS, "echo READY; read -r line; echo '" + booked + "'; read -r line", GOOD));
            return started.get(started.size() - 1);
        });
        fresh.awaitReady();
        assertEquals(0, started.size());
        for (int turn = 1; turn <= 3; turn++)
        {
            final long beforeNs = System.nanoTime();
            final List<Booking> bookings = fresh.turn(0, 2, 100, 0, 0);
            final long sinceNs = bookings.get(0).countedNs();
            assertTrue(sinceNs <= laterNs - beforeNs && sinceNs >= laterNs - System.nanoTime(), "since the start: " + sinceNs);
            assertEquals(List.of(1L, 2L * turn), List.of(bookings.get(0).messages(), bookings.get(0).wrong()));
            assertEquals(List.of(0L, 0L, 0L),
                List.of(bookings.get(1).countedNs(), bookings.get(1).messages(), bookings.get(1).wrong()));
            assertEquals(turn, started.size());
            assertArrayEquals(new String[0], directory.list(), "they have ended");
        }
        fresh.close();
        assertThrows(TeamException.class, () -> fresh.turn(0, 2, 100, 0, 0));
        assertEquals(3, started.size());
    }

    @Test
    void shouldSayThatTheProcessesOfATurnCannotBeStarted()
    {
        final FreshTeam fresh = new FreshTeam(() ->
        {
            throw new IOException("no more processes");
        });
        final TeamException ex = assertThrows(TeamException.class, () -> fresh.turn(0, 2, 100, 0, 0));
        assertEquals("its processes cannot be started: no more processes", ex.getMessage());
    }

    @Test
    void shouldLeaveNothingIfAProcessCannotBeStarted()
    {
        assertThrows(IOException.class, () -> new Team("pigeon", List.of(List.of("sh", "-c", GOOD), List.of("/there/is/none")),
            List.of(), Map.of(), Files.createDirectory(directory.toPath().resolve("team")).toFile(), TIMEOUT_MS));
        assertArrayEquals(new String[0], directory.list());
    }
}
