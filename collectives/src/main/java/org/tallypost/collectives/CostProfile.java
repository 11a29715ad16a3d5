// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.tallypost.endpoint.ProfileFile;

/**
 * What moving and reducing data costs on a machine, and how long some operations take by each algorithm: from that a team works
 * out by which algorithm its operations go. {@code tallypost calibrate collectives} measures it and writes it to a file.
 * Immutable; any thread.
 */
public final class CostProfile
{
    /** The first line of a file. */
    public static final String HEADING = "# tallypost collectives cost profile 1";

    private static final double MAX_VALUE = 1e9;
    private static final String[] NAMES = {
        "lineNs", "nextLineNs", "stepNs", "turnNs",
        "copyNearNsPerKib", "copyFarNsPerKib", "reduceNearNsPerKib", "reduceFarNsPerKib", "messageNs", "messageNsPerKib"};
    private static final ProfileFile FORM = new ProfileFile(HEADING, "cost profile", "tallypost calibrate collectives", NAMES);
    /** Of a machine of 2026 with two cores that share a cache, and a network of 10 Gbit/s. */
    private static final double[] USUAL = {120, 40, 60, 4_000, 60, 160, 80, 180, 25_000, 1_000};
    /** Values of this machine. Those behind them are of the network, and need not be measured. */
    private static final int OF_MACHINE = 8;

    private final int processors;
    private final double[] values;
    private final MeasuredTimes times;

    private CostProfile(final int processors, final double[] values, final List<MeasuredTime> times)
    {
        this.processors = processors;
        this.values = values;
        this.times = new MeasuredTimes(times);
    }

    /**
     * A profile of this machine with what was measured.
     *
     * @param values {@link #lineNs}, {@link #nextLineNs}, {@link #stepNs}, {@link #turnNs}, then for a KiB copying near and far,
     *               reducing near and far; then, or none of both, {@link #messageNs} and a KiB of a message. Nanoseconds, more
     *               than 0.
     * @return the profile.
     * @throws IllegalArgumentException if there are more or fewer values, or one is out of range.
     */
    public static CostProfile measured(final double... values)
    {
        if (values.length != NAMES.length && values.length != OF_MACHINE)
        {
            throw new IllegalArgumentException(
                "values of a profile: found=" + values.length + ", expected=" + OF_MACHINE + " or " + NAMES.length);
        }
        for (int i = 0; i < values.length; i++)
        {
            if (!(values[i] > 0 && values[i] <= MAX_VALUE))
            {
                throw new IllegalArgumentException(
                    NAMES[i] + " out of range: found=" + values[i] + ", expected more than 0 and at most " + MAX_VALUE);
            }
        }
        final double[] all = USUAL.clone();
        System.arraycopy(values, 0, all, 0, values.length);
        return new CostProfile(Runtime.getRuntime().availableProcessors(), all, List.of());
    }

    /**
     * This profile with times of operations, which put right what follows from the other values.
     *
     * @param measured times of operations, by each algorithm that they can go by.
     * @return another profile.
     */
    public CostProfile with(final List<MeasuredTime> measured)
    {
        return new CostProfile(processors, values, measured);
    }

    /**
     * The profile that is used if there is no other one: usual values, and the number of processors of this machine.
     *
     * @return the profile.
     */
    public static CostProfile usual()
    {
        return measured(USUAL);
    }

    /**
     * Reads what {@link #write} has written on this machine.
     *
     * @param file with the profile.
     * @return the profile.
     * @throws IllegalArgumentException if the file cannot be read, is no profile, is damaged, or is of another machine; the
     *         message says which, found and expected.
     */
    public static CostProfile read(final File file)
    {
        final List<MeasuredTime> found = new ArrayList<>();
        final CostProfile costs = FORM.read(file, (values, others) ->
        {
            others.forEach((key, value) ->
            {
                if (key.startsWith(MeasuredTime.PREFIX))
                {
                    found.add(MeasuredTime.parse(key, value));
                }
            });
            return measured(values);
        });
        return costs.with(found);
    }

    /**
     * Writes it to a file, which {@link #read} reads.
     *
     * @param file to be made, or replaced.
     * @throws IOException if that fails.
     */
    public void write(final File file) throws IOException
    {
        ProfileFile.write(file, toText());
    }

    /**
     * It as the text of a file.
     *
     * @return lines that end in a line feed.
     */
    public String toText()
    {
        final StringBuilder text = new StringBuilder(parameters());
        times.all().forEach((time) -> text.append(time.toText()));
        return text.toString();
    }

    private String parameters()
    {
        return FORM.text(Arrays.stream(values).mapToObj((value) -> String.format(Locale.ROOT, "%.3f", value))
            .toArray(String[]::new));
    }

    MeasuredTimes times()
    {
        return times;
    }

    /**
     * Processors of the machine.
     *
     * @return at least 1.
     */
    public int processors()
    {
        return processors;
    }

    /**
     * The way of a line from one core to another.
     *
     * @return in nanoseconds.
     */
    public double lineNs()
    {
        return values[0];
    }

    /**
     * Reading a further line that is shown already.
     *
     * @return in nanoseconds.
     */
    public double nextLineNs()
    {
        return values[1];
    }

    /**
     * What a member does for a step, without data.
     *
     * @return in nanoseconds.
     */
    public double stepNs()
    {
        return values[2];
    }

    /**
     * Until another member has had its turn on a processor, if there are more members than processors.
     *
     * @return in nanoseconds.
     */
    public double turnNs()
    {
        return values[3];
    }

    /**
     * Copying a byte.
     *
     * @param isFar whether it comes from memory and not from a cache.
     * @return in nanoseconds.
     */
    public double copyNs(final boolean isFar)
    {
        return values[isFar ? 5 : 4] / 1024;
    }

    /**
     * Reducing a byte.
     *
     * @param isFar whether it comes from memory and not from a cache.
     * @return in nanoseconds.
     */
    public double reduceNs(final boolean isFar)
    {
        return values[isFar ? 7 : 6] / 1024;
    }

    /**
     * A message to another node, from the call that sends it to the one that has it.
     *
     * @return in nanoseconds.
     */
    public double messageNs()
    {
        return values[OF_MACHINE];
    }

    /**
     * A byte of a message to another node.
     *
     * @return in nanoseconds.
     */
    public double messageByteNs()
    {
        return values[OF_MACHINE + 1] / 1024;
    }

    /** As in a file, in a line. */
    @Override
    public String toString()
    {
        return "CostProfile{" + parameters().substring(HEADING.length() + 1).trim().replace("\n", "; ") + "; times=" +
            times.all().size() + "}";
    }
}
