// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import org.tallypost.benchmarks.compare.JvmForkRunner;
import org.tallypost.benchmarks.compare.Scope;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code tallypost study credits}.
 */
@Command(
    name = "credits",
    description = "What credits cost: the endpoint with flow control dynamic and static against none; and its rate with 16 " +
        "slots for the sender against Agrona's ring of 64 KiB.",
    mixinStandardHelpOptions = true)
final class CreditsCommand extends StudyRun
{
    private static final int DEFAULT_DURATION_MS = 40;

    @Option(names = "--scope", paramLabel = "SCOPE", defaultValue = "processes",
        description = "threads (of one JVM) or processes; default ${DEFAULT-VALUE}.")
    private String scope;

    @Option(names = "--parts", paramLabel = "PART", split = ",", defaultValue = "rtt,rate,few",
        description = "rtt and rate: each flow control against none; few: 16 slots against 64 KiB; default ${DEFAULT-VALUE}.")
    private List<String> parts;

    CreditsCommand()
    {
        super(Study.CREDITS, DEFAULT_DURATION_MS);
    }

    @Override
    void check()
    {
        require(List.of("threads", "processes").contains(scope), "--scope", "'" + scope + "'", "threads, processes");
        parts.forEach((part) -> require(List.of("rtt", "rate", CreditTrials.FEW).contains(part), "--parts", "'" + part + "'",
            "some of rtt, rate, few"));
    }

    @Override
    List<Series> measure(final JvmForkRunner runner, final Consumer<String> progress) throws IOException, InterruptedException
    {
        return new CreditTrials(Scope.valueOf(scope.toUpperCase(Locale.ROOT)), parts, rounds(0, 1),
            durationMs(), warmup(), attempts(), probeMs(), timeoutMs()).run(runner, progress);
    }

    @Override
    List<String> method()
    {
        return List.of(
            "One sender and one receiver, " + scope + ", each figure from JVMs of its own, in turns. Ratios are those of the " +
                "two figures of the same round.",
            "Mailboxes of 64 KiB: without flow control all of it, static credits for half (the other half is the receiver's " +
                "own rank's), dynamic ones for as much as the sender comes to use.",
            "With 16 slots for the sender, 1 KiB, the mailbox has 2 KiB, the receiver's own rank's share included.");
    }

    @Override
    Map<String, Object> settings()
    {
        final Map<String, Object> settings = super.settings();
        settings.put("scope", scope);
        settings.put("parts", parts);
        return settings;
    }
}
