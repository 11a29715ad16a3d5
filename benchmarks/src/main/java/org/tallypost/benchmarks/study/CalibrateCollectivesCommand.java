// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;

import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.collectives.CostProfile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost calibrate collectives}: measures what collectives are chosen by.
 */
@Command(
    name = "collectives",
    description = "Measures what moving and reducing data costs on this machine, and how long operations take by each " +
        "algorithm: by that, teams choose algorithms.",
    mixinStandardHelpOptions = true)
public final class CalibrateCollectivesCommand implements Callable<Integer>
{
    /** Powers of 4, from 256 bytes to 1 MiB. */
    static final List<Integer> LENGTHS = List.of(256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576);

    @Spec
    private CommandSpec spec;

    @Mixin
    private CollectiveOptions options;

    @Option(names = "--out", paramLabel = "FILE",
        description = "Where the profile is written, for CollectivesContext.profile(CostProfile.read(file)).")
    private File out;

    @Option(names = "--check", paramLabel = "FILE", description = "Measures nothing: says whether a file is good here.")
    private File check;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final PrintWriter writer = spec.commandLine().getOut();
        options.check(spec.commandLine(), LENGTHS);
        CollectiveOptions.checkFile(spec.commandLine(), "--out", out == null ? null : out.toPath());
        final CostProfile profile;
        try
        {
            profile = check == null ? new CostMeter(WorkDirectory.defaultParent()).measure(
                options.members(), options.bytes(), options.rounds()) : CostProfile.read(check);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        writer.print(profile.toText());
        writer.flush();
        if (out != null)
        {
            profile.write(out);
        }
        return 0;
    }
}
