// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.tallypost.benchmarks.harness.Booking;
import org.tallypost.benchmarks.harness.Team;
import org.tallypost.benchmarks.harness.TeamException;
import org.tallypost.benchmarks.harness.TurnTaker;

/**
 * Measures Open MPI with small programs of ours, which are compiled on the spot. The first rank reads and answers the lines of
 * turns as a party of a team does; between two turns all ranks wait without processor time.
 */
public final class MpiProgram
{
    /** Before the name of a program in C that is compiled on the spot. */
    public static final String PREFIX = "tallypost-";

    private static final String TURNS = "turns.h";
    private static final String SUFFIX = ".c";
    private static final int COMPILE_MS = 60_000;

    private final String name;
    private final File directory;
    private final Path launcher;
    private final Path compiler;
    private final int cores;
    private String failure;
    private boolean isCompiled;

    /**
     * A program that is not compiled yet.
     *
     * @param name      of the program: mpi or imb.
     * @param directory existing one for the program.
     * @param path      on which mpirun and mpicc are.
     * @param cores     of the machine.
     */
    public MpiProgram(final String name, final File directory, final String path, final int cores)
    {
        this(name, directory, NativeProgram.find("mpirun", path).orElseThrow(), NativeProgram.find("mpicc", path).orElseThrow(),
            cores);
    }

    MpiProgram(final String name, final File directory, final Path launcher, final Path compiler, final int cores)
    {
        this.name = name;
        this.directory = directory;
        this.launcher = launcher;
        this.compiler = compiler;
        this.cores = cores;
    }

    /**
     * Why it cannot be used.
     *
     * @param path on which programs are looked for; null for none.
     * @return the reason, or null if it can.
     */
    public static String whyNot(final String path)
    {
        // other implementations have an mpirun, too
        return Stream.of("mpirun", "mpicc", "ompi_info").allMatch((name) -> NativeProgram.find(name, path).isPresent()) ? null :
            "mpirun and mpicc of Open MPI are not there; Debian has them in the packages openmpi-bin, libopenmpi-dev and gcc";
    }

    /**
     * Starts a team.
     *
     * @param title        of the team, for messages.
     * @param ranks        of the team.
     * @param arguments    of the program.
     * @param own          directory of the team.
     * @param timeoutMs    for which it may be silent, in milliseconds.
     * @param isWithoutCma whether the kernel copies nothing from process to process.
     * @return the team; if the program cannot be compiled, one that says why.
     * @throws IOException          if it cannot be started.
     * @throws InterruptedException if this thread is interrupted.
     */
    public TurnTaker start(
        final String title, final int ranks, final List<String> arguments, final File own, final int timeoutMs,
        final boolean isWithoutCma) throws IOException, InterruptedException
    {
        compileOnce();
        if (failure != null)
        {
            return new Failed(failure);
        }
        return new Team(title, List.of(command(ranks, arguments)), List.of(), variables(own, isWithoutCma), own, timeoutMs);
    }

    private void compileOnce() throws IOException, InterruptedException
    {
        if (isCompiled)
        {
            return;
        }
        isCompiled = true;
        failure = compile(compiler, directory, name);
    }

    /**
     * Makes a program of a source of ours, in a directory.
     *
     * @return why that failed, or null.
     */
    static String compile(final Path compiler, final File directory, final String name) throws IOException, InterruptedException
    {
        for (final String file : List.of(TURNS, name + SUFFIX))
        {
            try (InputStream source = MpiProgram.class.getResourceAsStream(file))
            {
                Files.copy(source, directory.toPath().resolve(file));
            }
        }
        final List<String> command =
            List.of(compiler.toString(), "-O2", "-std=gnu11", "-o", PREFIX + name, name + SUFFIX, "-pthread");
        final Process process = NativeProgram.start(command, Map.of(), directory, "mpicc");
        final String why = NativeProgram.await(process, directory, "mpicc", COMPILE_MS).failure();
        return why == null ? null : "mpicc: " + why;
    }

    /**
     * The beginning of a command that starts ranks of a program in C.
     *
     * @param launcher  of Open MPI.
     * @param directory of the program.
     * @param name      of the program, without {@link #PREFIX}.
     * @param ranks     of it.
     * @param cores     of the machine.
     * @return the command, to which arguments may be added.
     */
    public static List<String> launch(
        final Path launcher, final File directory, final String name, final int ranks, final int cores)
    {
        final List<String> command = new ArrayList<>(
            List.of(launcher.toString(), "-np", Integer.toString(ranks), "--bind-to", "none"));
        if (ranks > cores)
        {
            command.add("--oversubscribe");
        }
        command.add(new File(directory, PREFIX + name).getPath());
        return command;
    }

    List<String> command(final int ranks, final List<String> arguments)
    {
        final List<String> command = launch(launcher, directory, name, ranks, cores);
        command.addAll(arguments);
        return command;
    }

    /** For each cell its mode, length, ranks, and receives beside; a cell without Open MPI has the mode none. */
    static List<String> arguments(final TeamSpec spec)
    {
        final List<String> arguments = new ArrayList<>();
        for (final LinkSpec cell : spec.cells())
        {
            arguments.addAll(cell == null ? List.of("none", "0", "0", "0", "0") : List.of(
                cell.mode().label(), Integer.toString(cell.length()), Integer.toString(cell.parties()),
                Integer.toString(cell.others().posted()), cell.others().wildcard() ? "1" : "0"));
        }
        return arguments;
    }

    /**
     * All files in a directory of ours, which goes in the end; a container's only user may be root.
     *
     * @param own          the directory.
     * @param isWithoutCma whether the kernel copies nothing from process to process.
     * @return variables of the environment.
     */
    public static Map<String, String> variables(final File own, final boolean isWithoutCma)
    {
        final Map<String, String> variables = new HashMap<>(Map.of(
            "OMPI_ALLOW_RUN_AS_ROOT", "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
            "OMPI_MCA_btl_vader_backing_directory", own.getPath(),
            "OMPI_MCA_btl_sm_backing_directory", own.getPath(),
            "OMPI_MCA_btl_base_warn_component_unused", "0",
            "TMPDIR", own.getPath()));
        if (isWithoutCma)
        {
            // version 4, and 5
            variables.put("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
            variables.put("OMPI_MCA_smsc", "^cma,knem,xpmem");
        }
        return variables;
    }

    /** Never gets ready. */
    private record Failed(String reason) implements TurnTaker
    {
        @Override
        public void awaitReady() throws TeamException
        {
            throw new TeamException(reason);
        }

        @Override
        public List<Booking> turn(
            final int cell, final int parties, final long messages, final int profile, final double paceNs) throws TeamException
        {
            throw new TeamException(reason);
        }

        @Override
        public void close()
        {
            // nothing was started
        }
    }
}
