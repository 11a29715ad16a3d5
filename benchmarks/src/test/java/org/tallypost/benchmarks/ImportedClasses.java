// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Stream;

/** The classes of all modules without tests, imported once for all tests of a JVM: that takes seconds. */
final class ImportedClasses
{
    static final JavaClasses ALL = new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .withImportOption((location) -> !location.contains("-tests.jar"))
        .importPackages("org.tallypost", "mpi");

    private ImportedClasses()
    {
    }

    /** Those of some packages and of what is below them. */
    static JavaClasses of(final String... packages)
    {
        return ALL.that(DescribedPredicate.describe("in the packages", (JavaClass type) ->
            Stream.of(packages).anyMatch((name) -> type.getName().startsWith(name + "."))));
    }
}
