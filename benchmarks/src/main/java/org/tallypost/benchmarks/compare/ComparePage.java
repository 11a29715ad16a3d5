// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.report.ReportPage;

/**
 * The comparison as one page.
 */
final class ComparePage
{
    private ComparePage()
    {
    }

    /**
     * Writes the page.
     *
     * @param file   to write or replace.
     * @param report of {@link CompareReport}; its environment tells the library's version.
     * @throws IOException if its parts cannot be read, or the file cannot be written.
     */
    static void write(final Path file, final ObjectNode report) throws IOException
    {
        Files.writeString(file, ReportPage.html(ComparePage.class, "page.html", report));
    }
}
