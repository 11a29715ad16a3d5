// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.cli.console.OptionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What all studies have in common: where their files go, and how options that cannot be are refused.
 */
abstract class StudyOptions implements Callable<Integer>
{
    @Spec
    CommandSpec spec;

    @Option(names = "--json", paramLabel = "FILE", description = "Write everything to this file as well.")
    Path json;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Existing directory for the mapped files; default /dev/shm, or the system's place for temporary files.")
    private File directory;

    /** Where mapped files go, checked. */
    final File parent()
    {
        final File parent = directory == null ? WorkDirectory.defaultParent() : directory;
        final Optional<String> problem = WorkDirectory.problem(parent);
        require(problem.isEmpty(), "--directory", parent, problem.orElse(""));
        return parent;
    }

    /** That a file can be written, before anything is measured. */
    final void requireParent(final String name, final Path file)
    {
        final Path place = file == null ? null : file.toAbsolutePath().getParent();
        require(place == null || Files.isDirectory(place), name, file, "a file in an existing directory");
    }

    final void requireRange(final String name, final int value, final int least, final int most)
    {
        require(value >= least && value <= most, name, value, least + " to " + most);
    }

    final void require(final boolean isMet, final String name, final Object found, final String expected)
    {
        if (!isMet)
        {
            throw new OptionException(spec.commandLine(), name + ": found " + found + ", expected " + expected);
        }
    }
}
