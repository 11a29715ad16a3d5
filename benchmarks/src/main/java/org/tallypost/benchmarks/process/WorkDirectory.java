// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.IoUtil;
import org.tallypost.benchmarks.plan.RunPlan;

/**
 * The directory of a run: plan, control file, one node directory per flow control, and the workers' results. It lives as long as
 * the run.
 */
public final class WorkDirectory
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final File SHARED_MEMORY = new File("/dev/shm");

    private final File directory;

    private WorkDirectory(final File directory)
    {
        this.directory = directory;
    }

    /**
     * Where runs go if the user names no place: memory if the host has a file system for it.
     *
     * @return an existing directory.
     */
    public static File defaultParent()
    {
        return SHARED_MEMORY.isDirectory() && Files.isWritable(SHARED_MEMORY.toPath()) ?
            SHARED_MEMORY : new File(System.getProperty("java.io.tmpdir"));
    }

    /**
     * What is wrong with a place for mapped files that a user has named.
     *
     * @param parent that was named.
     * @return what was expected instead, or nothing if runs can go there.
     */
    public static Optional<String> problem(final File parent)
    {
        try
        {
            return Files.isDirectory(parent.toPath()) && Files.isWritable(parent.toPath()) ?
                Optional.empty() : Optional.of("an existing directory that can be written");
        }
        catch (final InvalidPathException ex)
        {
            return Optional.of("a name with characters that this JVM can give to the system: start it with another locale, as " +
                "LC_ALL=C.UTF-8, or choose another name");
        }
    }

    /**
     * Creates a new directory that only this user can read.
     *
     * @param parent existing directory.
     * @return the directory.
     * @throws IOException if it cannot be created.
     */
    public static WorkDirectory create(final File parent) throws IOException
    {
        return new WorkDirectory(Files.createTempDirectory(parent.toPath(), "tallypost-bench-").toFile());
    }

    /**
     * The directory that a parent has created.
     *
     * @param directory that exists.
     * @return the directory.
     */
    public static WorkDirectory of(final File directory)
    {
        return new WorkDirectory(directory);
    }

    /**
     * The directory itself.
     *
     * @return the directory.
     */
    public File directory()
    {
        return directory;
    }

    File controlFile()
    {
        return new File(directory, "control");
    }

    void writePlan(final RunPlan plan) throws IOException
    {
        MAPPER.writeValue(planFile(), plan);
    }

    RunPlan readPlan() throws IOException
    {
        return MAPPER.readValue(planFile(), RunPlan.class);
    }

    private File planFile()
    {
        return new File(directory, "plan.json");
    }

    void writeResult(final WorkerResult result) throws IOException
    {
        MAPPER.writeValue(resultFile(result.process()), result);
    }

    List<WorkerResult> readResults(final int processes) throws IOException
    {
        final List<WorkerResult> results = new ArrayList<>();
        for (int process = 0; process < processes; process++)
        {
            results.add(MAPPER.readValue(resultFile(process), WorkerResult.class));
        }
        return results;
    }

    private File resultFile(final int process)
    {
        return new File(directory, "result-" + process + ".json");
    }

    /**
     * Removes the directory with everything in it. What others remove at the same time does not matter.
     */
    public void delete()
    {
        IoUtil.delete(directory, true);
    }

    /**
     * Bytes that can still be written at a place.
     *
     * @param path existing directory.
     * @return bytes.
     * @throws IOException if the file system does not tell.
     */
    public static long usableBytes(final Path path) throws IOException
    {
        return Files.getFileStore(path).getUsableSpace();
    }
}
