// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.agrona.IoUtil;

/**
 * Gives each fork to the runner that can run it, all below one directory, which goes in the end.
 */
final class Runners implements ForkRunner, AutoCloseable
{
    private static final int VERSION_MS = 5_000;

    private final File directory;
    private final Thread hook = new Thread(this::cleanUp, "native-clean-up");
    private final JvmForkRunner jvms;
    private final ForkRunner alltoall;
    private final ForkRunner mpi;
    private final ForkRunner ucx;

    /**
     * Creates all runners; those of programs that are not there are never asked.
     *
     * @param parent existing directory, best in memory.
     * @param path   on which programs are looked for; null for none.
     * @param cores  of the machine.
     * @throws IOException if a directory cannot be created.
     */
    Runners(final File parent, final String path, final int cores) throws IOException
    {
        directory = Files.createTempDirectory(parent.toPath(), "tallypost-native-").toFile();
        Runtime.getRuntime().addShutdownHook(hook);
        jvms = new JvmForkRunner(parent);
        final Bracket bracket = new Bracket(jvms);
        alltoall = new AlltoallRunner(parent, bracket);
        mpi = MpiRunner.whyNot(path) != null ? null : new MpiRunner(directory,
            NativeProgram.find("mpirun", path).orElseThrow(), NativeProgram.find("mpicc", path).orElseThrow(), cores);
        ucx = UcxRunner.whyNot(path) != null ? null :
            new UcxRunner(directory, NativeProgram.find("ucx_perftest", path).orElseThrow(), bracket);
    }

    /** Why a transport cannot be measured on this machine, or null. */
    static String whyNot(final TransportKind kind, final String path)
    {
        return switch (kind)
        {
            case OPEN_MPI -> MpiRunner.whyNot(path);
            case UCX -> UcxRunner.whyNot(path);
            default -> null;
        };
    }

    /**
     * What a native transport is, in the words of its own tools.
     *
     * @param kind of the transport.
     * @param path on which programs are looked for.
     * @return its version, or null if it does not tell.
     * @throws IOException          if a program cannot be started.
     * @throws InterruptedException if this thread is interrupted.
     */
    String version(final TransportKind kind, final String path) throws IOException, InterruptedException
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

    @Override
    public ForkResult run(final ForkSpec spec) throws IOException, InterruptedException
    {
        return switch (spec.transport())
        {
            case OPEN_MPI -> mpi.run(spec);
            case UCX -> ucx.run(spec);
            default -> spec.mode() == Mode.ALLTOALL ? alltoall.run(spec) : jvms.run(spec);
        };
    }

    private void cleanUp()
    {
        IoUtil.delete(directory, true);
    }

    @Override
    public void close()
    {
        jvms.close();
        Runtime.getRuntime().removeShutdownHook(hook);
        cleanUp();
    }
}
