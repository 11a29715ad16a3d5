// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("once")
class TrialForkTest
{
    private static final TrialSpec.Point SMALL = new TrialSpec.Point(4_096, 0);
    private static final TrialSpec.Point LARGE = new TrialSpec.Point(262_144, 16);

    @TempDir
    private File directory;

    private List<TrialResult> run(final TrialSpec spec) throws InterruptedException
    {
        return new TrialFork(spec, directory).run();
    }

    @ParameterizedTest
    @EnumSource(Contender.class)
    void shouldCarryWhatManySendersOnOneThreadSend(final Contender contender) throws InterruptedException
    {
        final List<TrialResult> results = run(StudyFixture.trial(Study.BUFFERS, contender, 20, LARGE));
        assertEquals(1, results.size());
        final TrialResult result = results.get(0);
        assertEquals(0, result.wrong());
        assertEquals(1, result.runs().size());
        assertTrue(result.runs().get(0).figure() > 0);
        assertTrue(result.fileBytes() > result.bufferBytes(), result::toString);
        // beside its ring of 4,096 slots our endpoint has four lanes of 256
        final long lanes = contender.label().startsWith("tallypost") ? 4 * 256 * 64 : 0;
        assertEquals(contender == Contender.AERON_IPC ? 196_608 : 262_144 + lanes, result.bufferBytes());
        assertEquals(contender.label().startsWith("tallypost") ? 4_096 / 21 : 0, result.slotsPerSender());
        assertEquals(0, directory.list().length, "the points' files are gone");
    }

    @ParameterizedTest
    @EnumSource(Contender.class)
    void shouldTimeTheQuietSenderAloneAndBesideAFlood(final Contender contender) throws InterruptedException
    {
        final List<TrialResult> results = run(StudyFixture.trial(Study.ISOLATION, contender, 2, LARGE));
        assertEquals(List.of(Phase.ALONE, Phase.FLOOD), results.stream().map(TrialResult::phase).toList());
        results.forEach((result) ->
        {
            assertEquals(0, result.wrong());
            assertTrue(result.runs().get(0).p50Ns() > 0, result::toString);
            assertTrue(result.runs().get(0).p999Ns() >= result.runs().get(0).p99Ns(), result::toString);
        });
    }

    @Test
    void shouldTakeThreeThreadsAndSeveralPoints() throws InterruptedException
    {
        final TrialSpec two = StudyFixture.trial(Study.ISOLATION, Contender.TALLYPOST_STATIC, 2, SMALL, LARGE);
        final List<TrialResult> results = run(new TrialSpec(two.study(), two.contender(), 2, 3, two.points(), 48, 4, 2, 1, 1,
            false, two.timeoutMs()));
        assertEquals(List.of(SMALL, SMALL, LARGE, LARGE), results.stream().map(TrialResult::point).toList());
        assertEquals(21, results.get(0).slotsPerSender());
    }

    @ParameterizedTest
    @EnumSource(value = Study.class, names = { "BUFFERS", "ISOLATION" })
    void shouldFindDamage(final Study study) throws InterruptedException
    {
        final List<TrialResult> results =
            run(StudyFixture.corrupt(StudyFixture.trial(study, Contender.AGRONA_MANY_TO_ONE, 2, SMALL)));
        assertTrue(results.get(0).wrong() > 0, "no message was found to be wrong");
    }

    @Test
    void shouldGiveUpInTime()
    {
        final TrialSpec spec = new TrialSpec(Study.BUFFERS, Contender.AGRONA_MANY_TO_ONE, 2, 2, List.of(SMALL), 48, 1, 60_000, 0,
            1, false, 0);
        final String message = assertThrows(IllegalStateException.class, () -> run(spec)).getMessage();
        assertTrue(message.startsWith("4096 bytes: timeout: waited for "), message);
    }
}
