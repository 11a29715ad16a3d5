// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.tallypost.endpoint.Endpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code tallypost study isolation}.
 */
@Command(
    name = "isolation",
    description = "Latency of a quiet sender's messages, alone and while another sender floods the same receiver.",
    mixinStandardHelpOptions = true)
final class IsolationCommand extends StudyRun
{
    private static final int DEFAULT_DURATION_MS = 150;
    private static final int MIN_BYTES = 1024;
    private static final int MAX_BYTES = 1 << 24;
    private static final int SENDERS = 2;
    private static final List<Contender> CONTENDERS = List.of(
        Contender.TALLYPOST_DYNAMIC, Contender.TALLYPOST_STATIC, Contender.AGRONA_MANY_TO_ONE, Contender.AERON_IPC);

    @Option(names = "--bytes", paramLabel = "N", split = ",", defaultValue = "4096,65536,262144",
        description = "Bytes of the receiving buffer, powers of two; default ${DEFAULT-VALUE}.")
    private List<Integer> bytes;

    @Option(names = "--work", paramLabel = "N", split = ",", defaultValue = "0,32",
        description = "Steps of work, of about 5 cycles, that the receiver does for each message; default ${DEFAULT-VALUE}.")
    private List<Integer> work;

    @Option(names = "--length", paramLabel = "BYTES", defaultValue = "48",
        description = "Length of messages, a multiple of 8; default ${DEFAULT-VALUE}.")
    private int length;

    @Option(names = "--turn", paramLabel = "N", defaultValue = "8",
        description = "Messages that the flooding sender sends at most before it is the quiet one's turn; default " +
            "${DEFAULT-VALUE}.")
    private int turn;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "2",
        description = "2: both senders on one thread. 3: each on its own, and all three yield; with fewer than three cores " +
            "this measures the scheduler; default ${DEFAULT-VALUE}.")
    private int threads;

    @Option(names = "--corrupt", hidden = true, description = "Damage a message, to see that it is found.")
    private boolean corrupt;

    IsolationCommand()
    {
        super(Study.ISOLATION, DEFAULT_DURATION_MS);
    }

    @Override
    void check()
    {
        bytes.forEach((count) -> require(count >= MIN_BYTES && count <= MAX_BYTES && Integer.bitCount(count) == 1, "--bytes",
            count, "powers of two from " + MIN_BYTES + " to " + MAX_BYTES));
        work.forEach((count) -> requireRange("--work", count, 0, 1 << 20));
        require(length >= 8 && length <= Endpoint.MAX_RUN_LENGTH && length % 8 == 0, "--length", length,
            "a multiple of 8 from 8 to " + Endpoint.MAX_RUN_LENGTH);
        requireRange("--turn", turn, 1, 1 << 16);
        requireRange("--threads", threads, 2, 3);
    }

    @Override
    List<Series> measure(final JvmRunner runner, final Consumer<String> progress) throws IOException, InterruptedException
    {
        final List<TrialSpec.Point> points = new ArrayList<>();
        work.forEach((steps) -> bytes.forEach((count) -> points.add(new TrialSpec.Point(count, steps))));
        return new Trials(template(SENDERS, threads, points, length, turn, corrupt), CONTENDERS, rounds(0, 1),
            Trials.inJvms(runner), progress).run(SENDERS);
    }

    @Override
    List<String> method()
    {
        return List.of(
            "One-way times of the quiet sender's messages of " + length + " bytes, by the same clock: from just before the " +
                "first attempt to send until the receiver has the message in hand. The quiet sender sends one message, and the " +
                "next one 8 to 16 us after it has arrived.",
            threads == 2 ?
                "Two threads of one JVM: the receiver, and one on which the flooding sender (turns of at most " + turn +
                    (turn == 1 ? " message" : " messages") + ", as fast as there is room) and the quiet one take turns." :
                "Three threads of one JVM, all of which yield when they have to wait: with fewer than three cores this " +
                    "measures the scheduler.",
            "The receiver polls at most " + TrialSpec.LIMIT + " messages at a time and checks every word; then come the " +
                "steps of work, each of a shift, an exclusive or and a multiplication that waits for the step before. It is " +
                "the same for all. Without work the receiver may keep up with the flood, and then nothing queues up.",
            "M/s are all messages, the flood's included.");
    }

    @Override
    Map<String, Object> settings()
    {
        final Map<String, Object> settings = super.settings();
        settings.put("bytes", bytes);
        settings.put("work", work);
        settings.put("length", length);
        settings.put("turn", turn);
        settings.put("threads", threads);
        return settings;
    }
}
