// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.apps;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.tallypost.benchmarks.Tallypost;
import org.tallypost.benchmarks.compare.JvmFlags;
import org.tallypost.benchmarks.compare.MpiProgram;
import org.tallypost.benchmarks.compare.NativeProgram;
import org.tallypost.examples.Heat;
import org.tallypost.examples.Keys;
import org.tallypost.examples.Pattern;
import org.tallypost.examples.Poisson;
import org.tallypost.examples.Rounds;
import org.tallypost.examples.Share;

/**
 * Starts programs on each side, and waits for their end.
 */
final class Launchers
{
    private static final List<String> JVM_FLAGS = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData");
    /** Without mpi.jar: its classes come by the loader of MPJ Express, which loads the program too. */
    private static final List<String> MPJ_JARS = List.of("smpdev", "xdev", "mpjbuf", "loader2", "starter", "mpiExp");
    private static final String LOG4J = "log4j-1.2.jar";
    private static final List<Class<?>> COMMON =
        List.of(Share.class, Rounds.class, Heat.class, Keys.class, Poisson.class, Pattern.class);
    private static final int COMPILE_MS = 60_000;

    private final File directory;
    private final File mpj;
    private final int timeoutMs;
    private final Map<String, String> compiled = new HashMap<>();
    private Path classes;

    /**
     * Nothing is started yet.
     *
     * @param directory existing one for files.
     * @param mpj       where MPJ Express is.
     * @param timeoutMs for which a program may run, in milliseconds.
     */
    Launchers(final File directory, final File mpj, final int timeoutMs)
    {
        this.directory = directory;
        this.mpj = mpj;
        this.timeoutMs = timeoutMs;
    }

    /** Why a side cannot be measured on this machine, or null. */
    String whyNot(final Side side)
    {
        return switch (side)
        {
            case TALLYPOST, TALLYPOST_OPENMPI -> null;
            case OPENMPI -> MpiProgram.whyNot(System.getenv("PATH"));
            case MPJ -> new File(mpj, "lib/smpdev.jar").isFile() ? null :
                "no lib/smpdev.jar in " + mpj + "; Debian has MPJ Express in the package libmpj-java, --mpj names another place";
        };
    }

    /**
     * Runs a program once.
     *
     * @param side   it runs on.
     * @param app    to be run.
     * @param ranks  of it.
     * @param rounds of it.
     * @param warmUp milliseconds of messages before them, if it is one of messages.
     */
    Launch run(final Side side, final App app, final int ranks, final int rounds, final int warmUp)
        throws IOException, InterruptedException
    {
        final List<String> arguments = new ArrayList<>(app.arguments());
        arguments.add(Integer.toString(rounds));
        if (app.messages() > 0)
        {
            arguments.add(Integer.toString(warmUp));
        }
        final List<String> command = switch (side)
        {
            case TALLYPOST -> tallypost(app.mpiJava(), ranks, arguments);
            case TALLYPOST_OPENMPI -> tallypost(app.openMpi(), ranks, arguments);
            case MPJ -> mpj(app.mpiJava(), ranks, arguments);
            case OPENMPI -> openMpi(app, ranks, arguments);
        };
        final Map<String, String> variables =
            side == Side.OPENMPI ? MpiProgram.variables(directory, false) : Map.of("MPJ_HOME", mpj.getPath());
        final String name = AppsCommand.label(side);
        final NativeProgram.Outcome outcome = compiled.get(app.program()) != null && side == Side.OPENMPI ?
            new NativeProgram.Outcome(null, compiled.get(app.program())) :
            NativeProgram.await(NativeProgram.start(command, variables, directory, name), directory, name, timeoutMs);
        return outcome.failure() != null ? Launch.failed(outcome.failure()) : Launch.parse(app, rounds, outcome.output());
    }

    private static String java()
    {
        return System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    }

    private List<String> tallypost(final Class<?> program, final int ranks, final List<String> arguments)
    {
        final List<String> command = new ArrayList<>(JvmFlags.command(List.of(), null, Tallypost.class, "run", "--quiet", "-n",
            Integer.toString(ranks), "--directory", directory.getPath(), java()));
        command.addAll(JVM_FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(arguments);
        return command;
    }

    /** Its ranks are threads of one JVM. Debian's jars do not find their log library by themselves. */
    private List<String> mpj(final Class<?> program, final int ranks, final List<String> arguments) throws IOException
    {
        final StringBuilder path = new StringBuilder();
        for (final String jar : MPJ_JARS)
        {
            path.append(new File(mpj, "lib/" + jar + ".jar")).append(File.pathSeparator);
        }
        path.append(new File(mpj, "lib/" + LOG4J)).append(File.pathSeparator).append("/usr/share/java/" + LOG4J);
        final List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(JVM_FLAGS);
        command.addAll(List.of("-cp", path.toString(), "runtime.starter.MulticoreStarter", directory.getPath(),
            Integer.toString(ranks), "smpdev", "useLocalLoader", classes().toString(), program.getName()));
        command.addAll(arguments);
        return command;
    }

    /** A directory with the class files of the programs alone: there must be one package mpi, which is MPJ's. */
    private Path classes() throws IOException
    {
        if (classes == null)
        {
            final Path place = directory.toPath().resolve("classes");
            final List<Class<?>> all = new ArrayList<>(COMMON);
            for (final App app : App.values())
            {
                all.add(app.mpiJava());
            }
            for (final Class<?> type : all)
            {
                final String file = type.getName().replace('.', '/') + ".class";
                Files.createDirectories(place.resolve(file).getParent());
                if (!Files.exists(place.resolve(file)))
                {
                    copy(type, "/" + file, place.resolve(file));
                }
            }
            classes = place;
        }
        return classes;
    }

    private static void copy(final Class<?> beside, final String name, final Path to) throws IOException
    {
        try (InputStream in = beside.getResourceAsStream(name))
        {
            Files.copy(in, to);
        }
    }

    private List<String> openMpi(final App app, final int ranks, final List<String> arguments)
        throws IOException, InterruptedException
    {
        final String path = System.getenv("PATH");
        if (!compiled.containsKey(app.program()))
        {
            compiled.put(app.program(), compile(app, NativeProgram.find("mpicc", path).orElseThrow()));
        }
        final List<String> command = MpiProgram.launch(NativeProgram.find("mpirun", path).orElseThrow(), directory, app.program(),
            ranks, Runtime.getRuntime().availableProcessors());
        command.addAll(arguments);
        return command;
    }

    /** Why it failed, or null. */
    private String compile(final App app, final Path compiler) throws IOException, InterruptedException
    {
        final Path header = directory.toPath().resolve("rounds.h");
        if (!Files.exists(header))
        {
            copy(Share.class, "rounds.h", header);
        }
        final String file = app.program() + ".c";
        copy(Share.class, file, directory.toPath().resolve(file));
        final Process process = NativeProgram.start(
            List.of(compiler.toString(), "-O2", "-std=gnu11", "-o", MpiProgram.PREFIX + app.program(), file, "-lm"), Map.of(),
            directory, "mpicc");
        final String why = NativeProgram.await(process, directory, "mpicc", COMPILE_MS).failure();
        return why == null ? null : "mpicc: " + why;
    }
}
