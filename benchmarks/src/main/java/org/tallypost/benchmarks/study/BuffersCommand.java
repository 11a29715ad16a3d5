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
 * {@code tallypost study buffers}.
 */
@Command(
    name = "buffers",
    description = "Messages per second against the bytes of the receiving buffer, for several numbers of senders. All senders " +
        "take turns on one thread, the receiver has the other.",
    mixinStandardHelpOptions = true)
final class BuffersCommand extends StudyRun
{
    private static final int DEFAULT_DURATION_MS = 30;
    private static final int MIN_BYTES = 1024;
    private static final int MAX_BYTES = 1 << 24;
    private static final int MAX_SENDERS = 1024;
    private static final List<Contender> CONTENDERS = List.of(
        Contender.TALLYPOST_DYNAMIC, Contender.TALLYPOST_STATIC, Contender.AGRONA_MANY_TO_ONE, Contender.AERON_IPC);

    @Option(names = "--bytes", paramLabel = "N", split = ",", defaultValue = "1024,4096,16384,65536,262144,1048576",
        description = "Bytes of the receiving buffer, powers of two; default ${DEFAULT-VALUE}.")
    private List<Integer> bytes;

    @Option(names = "--senders", paramLabel = "N", split = ",", defaultValue = "1,2,16,64,256",
        description = "Numbers of senders; default ${DEFAULT-VALUE}.")
    private List<Integer> senders;

    @Option(names = "--length", paramLabel = "BYTES", defaultValue = "48",
        description = "Length of messages, a multiple of 8; default ${DEFAULT-VALUE}.")
    private int length;

    @Option(names = "--turn", paramLabel = "N", defaultValue = "1",
        description = "Messages that a sender sends at most before it is the next one's turn; default ${DEFAULT-VALUE}.")
    private int turn;

    @Option(names = "--corrupt", hidden = true, description = "Damage a message, to see that it is found.")
    private boolean corrupt;

    BuffersCommand()
    {
        super(Study.BUFFERS, DEFAULT_DURATION_MS);
    }

    @Override
    void check()
    {
        bytes.forEach((count) -> require(count >= MIN_BYTES && count <= MAX_BYTES && Integer.bitCount(count) == 1, "--bytes",
            count, "powers of two from " + MIN_BYTES + " to " + MAX_BYTES));
        senders.forEach((count) -> requireRange("--senders", count, 1, MAX_SENDERS));
        require(length >= 8 && length <= Endpoint.MAX_RUN_LENGTH && length % 8 == 0, "--length", length,
            "a multiple of 8 from 8 to " + Endpoint.MAX_RUN_LENGTH);
        requireRange("--turn", turn, 1, 1 << 16);
    }

    @Override
    List<Series> measure(final JvmRunner runner, final Consumer<String> progress) throws IOException, InterruptedException
    {
        final List<TrialSpec.Point> points = bytes.stream().map((count) -> new TrialSpec.Point(count, 0)).toList();
        final List<Series> all = new ArrayList<>();
        for (int i = 0; i < senders.size(); i++)
        {
            final int count = senders.get(i);
            all.addAll(new Trials(template(count, 2, points, length, turn, corrupt), CONTENDERS,
                rounds(i, senders.size()),
                Trials.inJvms(runner), progress).run(count));
        }
        return all;
    }

    @Override
    List<String> method()
    {
        return List.of(
            "Two threads of one JVM: one polls (at most " + TrialSpec.LIMIT + " messages at a time) and checks every word of " +
                "every message of " + length + " bytes; on the other all senders take turns of at most " + turn +
                (turn == 1 ? " message" : " messages") + ", and one that is refused passes its turn.",
            "Tallypost's mailbox has the bytes given, shared by all senders and the receiver's own rank; Agrona's ring has the " +
                "same bytes. Aeron has the longest terms of which three take no more than the bytes given, one log for all " +
                "senders, and no thread of its own: the sending thread runs driver and conductor when a sender was refused.",
            "File bytes are those of everything that belongs to the receiving buffer: credit words, spare slots, positions.");
    }

    @Override
    Map<String, Object> settings()
    {
        final Map<String, Object> settings = super.settings();
        settings.put("bytes", bytes);
        settings.put("senders", senders);
        settings.put("length", length);
        settings.put("turn", turn);
        return settings;
    }
}
