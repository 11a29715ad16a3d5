// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.tallypost.benchmarks.harness.TurnTaker;

/**
 * The contestants that are programs of the machine.
 */
final class NativePrograms
{
    private static final int VERSION_MS = 5_000;

    private final String path;
    private final File directory;
    private final int cores;
    private MpiProgram mpi;

    /**
     * Nothing is started or compiled yet.
     *
     * @param path      on which programs are looked for; null for none.
     * @param directory existing one for files.
     * @param cores     of the machine.
     */
    NativePrograms(final String path, final File directory, final int cores)
    {
        this.path = path;
        this.directory = directory;
        this.cores = cores;
    }

    /** Why a transport cannot be measured on this machine, or null. */
    static String whyNot(final TransportKind kind, final String path)
    {
        return switch (kind)
        {
            case OPEN_MPI, OPEN_MPI_NO_CMA -> MpiProgram.whyNot(path);
            case UCX -> UcxTaker.whyNot(path);
            default -> null;
        };
    }

    TurnTaker start(final TransportKind kind, final String name, final TeamSpec spec, final File own)
        throws IOException, InterruptedException
    {
        if (kind == TransportKind.UCX)
        {
            return new UcxTaker(own, NativeProgram.find("ucx_perftest", path).orElseThrow(), spec);
        }
        if (mpi == null)
        {
            mpi = new MpiProgram("mpi", directory, path, cores);
        }
        return mpi.start(name, spec.parties(), MpiProgram.arguments(spec), own, spec.timeoutMs(),
            kind == TransportKind.OPEN_MPI_NO_CMA);
    }

    /**
     * What a native transport is, in the words of its own tools.
     *
     * @param kind of the transport.
     * @return its version, or null if it does not tell.
     * @throws IOException          if a program cannot be started.
     * @throws InterruptedException if this thread is interrupted.
     */
    String version(final TransportKind kind) throws IOException, InterruptedException
    {
        final Optional<Path> program = NativeProgram.find(kind == TransportKind.UCX ? "ucx_info" : "mpirun", path);
        if (program.isEmpty())
        {
            return null;
        }
        final List<String> command = List.of(program.get().toString(), kind == TransportKind.UCX ? "-v" : "--version");
        final Process process = NativeProgram.start(command, Map.of(), directory, "version");
        final String output = NativeProgram.await(process, directory, "version", VERSION_MS).output();
        return output == null ? null : output.lines().findFirst().map((line) -> line.replaceFirst("^# *", "")).orElse(null);
    }
}
