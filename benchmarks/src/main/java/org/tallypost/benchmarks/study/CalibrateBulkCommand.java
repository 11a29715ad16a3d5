// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.IntStream;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageProfile;
import org.tallypost.messaging.rma.CrossMemory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * {@code tallypost calibrate bulk}: measures what messengers choose the way of a message by.
 */
@Command(
    name = "bulk",
    description = "Measures the ways of a message within a node by length: with its bytes, out of a region, out of private " +
        "memory, lent, copied by the kernel where that is allowed, and a raw copy beside. Prints the lengths at which the " +
        "order changes. By the file that it writes messengers choose.",
    mixinStandardHelpOptions = true)
public final class CalibrateBulkCommand extends StudyOptions
{
    private static final int MIN_LENGTH = 64;
    private static final int MIN_ROUNDS = 5;
    private static final int MAX_ROUNDS = 1_000;

    @Option(names = "--out", paramLabel = "FILE",
        description = "Where the profile is written, for NodeContext.messageProfile(MessageProfile.read(file)), or " +
            "-D" + MessageProfile.FILE_PROPERTY + "=FILE.")
    private File out;

    @Option(names = "--check", paramLabel = "FILE", description = "Measures nothing: says whether a file is good here.")
    private File check;

    @Option(names = "--length", split = ",", paramLabel = "BYTES",
        description = "Lengths of messages, multiples of 8; default all powers of two from 64 to 16777216.")
    private List<Integer> lengths = IntStream.rangeClosed(6, 24).mapToObj((power) -> 1 << power).toList();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "25",
        description = "Turns of each way for each length; default ${DEFAULT-VALUE}.")
    private int rounds;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final PrintWriter writer = spec.commandLine().getOut();
        if (check != null)
        {
            writer.print(read().toText());
            writer.flush();
            return 0;
        }
        for (final int length : lengths)
        {
            require(length >= MIN_LENGTH && length <= Endpoint.MAX_MESSAGE_LENGTH && length % Long.BYTES == 0, "--length", length,
                "multiples of 8 from " + MIN_LENGTH + " to " + Endpoint.MAX_MESSAGE_LENGTH);
        }
        requireRange("--rounds", rounds, MIN_ROUNDS, MAX_ROUNDS);
        requireParent("--out", out == null ? null : out.toPath());
        final BulkMeter meter = new BulkMeter(parent(), rounds, System.nanoTime());
        final BulkFigures figures = meter.measure(lengths.stream().sorted().toList());
        writer.println("Two threads of one process on two ranks; one message at a time, with an answer without bytes. Median " +
            "of " + rounds + " turns, and how many times as long as by the fastest way, with its 95 % interval.");
        if (CrossMemory.whyNot() != null)
        {
            writer.println("Without " + BulkWay.CROSS.label() + ": " + CrossMemory.whyNot());
        }
        writer.print(figures.table());
        figures.notes().forEach(writer::println);
        final List<String> changes = figures.changes();
        writer.println(
            changes.isEmpty() ? "The order of the ways does not change." : String.join(System.lineSeparator(), changes));
        writer.print(figures.profile().toText());
        writer.flush();
        if (out != null)
        {
            figures.profile().write(out);
        }
        return 0;
    }

    private MessageProfile read()
    {
        try
        {
            return MessageProfile.read(check);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
