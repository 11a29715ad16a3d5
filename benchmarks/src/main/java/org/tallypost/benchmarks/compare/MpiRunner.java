// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures Open MPI with a small program of ours, which is compiled on the spot. It brackets its runs by itself, in the way in
 * which forks do.
 */
final class MpiRunner implements ForkRunner
{
    private static final String SOURCE = "mpi.c";
    private static final String PROGRAM = "tallypost-mpi";
    private static final int COMPILE_MS = 60_000;
    private static final int RUN_FIELDS = 10;

    private final File directory;
    private final Path launcher;
    private final Path compiler;
    private final int cores;
    private String failure;
    private boolean isCompiled;

    /**
     * A runner that has not compiled its program yet.
     *
     * @param directory existing one of its own.
     * @param launcher  mpirun.
     * @param compiler  mpicc.
     * @param cores     of the machine.
     */
    MpiRunner(final File directory, final Path launcher, final Path compiler, final int cores)
    {
        this.directory = directory;
        this.launcher = launcher;
        this.compiler = compiler;
        this.cores = cores;
    }

    /** Why it cannot be used, or null. */
    static String whyNot(final String path)
    {
        // other implementations have an mpirun, too
        return Stream.of("mpirun", "mpicc", "ompi_info").allMatch((name) -> NativeProgram.find(name, path).isPresent()) ? null :
            "mpirun and mpicc of Open MPI are not there; Debian has them in the packages openmpi-bin, libopenmpi-dev and gcc";
    }

    @Override
    public ForkResult run(final ForkSpec spec) throws IOException, InterruptedException
    {
        compileOnce();
        if (failure != null)
        {
            return ForkResult.failed(failure);
        }
        final Process process = NativeProgram.start(command(spec), variables(), directory, "mpi");
        final NativeProgram.Outcome outcome = NativeProgram.await(process, directory, "mpi", spec.timeoutMs());
        return outcome.failure() == null ? parse(outcome.output()) : ForkResult.failed(outcome.failure());
    }

    private void compileOnce() throws IOException, InterruptedException
    {
        if (isCompiled)
        {
            return;
        }
        isCompiled = true;
        try (InputStream source = MpiRunner.class.getResourceAsStream(SOURCE))
        {
            Files.copy(source, directory.toPath().resolve(SOURCE));
        }
        final List<String> command = List.of(compiler.toString(), "-O2", "-std=gnu11", "-o", PROGRAM, SOURCE);
        final Process process = NativeProgram.start(command, Map.of(), directory, "mpicc");
        final String why = NativeProgram.await(process, directory, "mpicc", COMPILE_MS).failure();
        failure = why == null ? null : "mpicc: " + why;
    }

    List<String> command(final ForkSpec spec)
    {
        final int ranks = spec.parties();
        final List<String> command = new ArrayList<>(
            List.of(launcher.toString(), "-np", Integer.toString(ranks), "--bind-to", "none"));
        if (ranks > cores)
        {
            command.add("--oversubscribe");
        }
        command.add(new File(directory, PROGRAM).getPath());
        command.addAll(List.of(spec.mode().label(), Integer.toString(spec.length()), Integer.toString(spec.durationMs()),
            Integer.toString(spec.warmups()), Integer.toString(spec.attempts()), Integer.toString(spec.probeMs())));
        final MachineStates states = spec.states();
        for (final double ns : new double[] {states.nearNs(), states.fastNs(), states.slowNs()})
        {
            command.add(String.format(Locale.ROOT, "%.3f", ns));
        }
        // in seconds: the program ends by itself a little later than it would be ended
        command.add(Integer.toString(spec.timeoutMs() / 1000 + 2));
        return command;
    }

    /** All files in our directory, which goes in the end; a container's only user may be root. */
    private Map<String, String> variables()
    {
        return Map.of(
            "OMPI_ALLOW_RUN_AS_ROOT", "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
            "OMPI_MCA_btl_vader_backing_directory", directory.getPath(),
            "OMPI_MCA_btl_sm_backing_directory", directory.getPath(),
            "OMPI_MCA_btl_base_warn_component_unused", "0",
            "TMPDIR", directory.getPath());
    }

    /**
     * Reads what the program printed.
     *
     * @param output of it.
     * @return the runs.
     */
    static ForkResult parse(final String output)
    {
        final List<ForkResult.Run> runs = new ArrayList<>();
        long wrong = -1;
        for (final String line : output.lines().toList())
        {
            final String[] fields = line.split(" ");
            if (fields[0].equals("RUN") && fields.length == RUN_FIELDS + 1)
            {
                final double[] values = new double[RUN_FIELDS];
                for (int i = 0; i < RUN_FIELDS; i++)
                {
                    values[i] = Double.parseDouble(fields[i + 1]);
                }
                runs.add(new ForkResult.Run(new Probe(values[0], values[2], 0), new Probe(values[1], values[3], 0), values[4],
                    values[5], values[6], values[7], (long)values[8], values[9]));
            }
            else if (fields[0].equals("WRONG"))
            {
                wrong = Long.parseLong(fields[1]);
            }
        }
        return wrong < 0 ? ForkResult.failed("the program did not come to its end") : new ForkResult(runs, wrong, 0, null);
    }
}
