// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Holds the documents to what is in the tree. Links to other sites are not followed.
 */
class DocumentsTest
{
    static final Path ROOT = root();
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(#[^)]*)?\\)");

    @Test
    void shouldLinkOnlyToWhatExists() throws IOException
    {
        final List<String> broken = new ArrayList<>();
        int links = 0;
        for (final Path document : documents())
        {
            final Matcher matcher = LINK.matcher(Files.readString(document));
            while (matcher.find())
            {
                final String target = matcher.group(1);
                if (!target.contains("://") && !target.startsWith("mailto:"))
                {
                    links++;
                    if (!Files.exists(document.resolveSibling(target)))
                    {
                        broken.add(ROOT.relativize(document) + " -> " + target);
                    }
                }
            }
        }
        assertTrue(links > 0, "no link was found, so the search for them is broken");
        assertEquals(List.of(), broken, "links to files that do not exist");
    }

    @Test
    void shouldListEveryDocumentInTheIndex() throws IOException
    {
        final String index = Files.readString(ROOT.resolve("docs/README.md"));
        for (final Path document : documents())
        {
            final String name = document.getFileName().toString();
            if (document.getParent().equals(ROOT.resolve("docs")) && !name.equals("README.md"))
            {
                assertTrue(index.contains("](" + name + ")"), "docs/README.md does not list " + name);
            }
        }
    }

    @Test
    void shouldMarkTheCommandsThatTheChecksRun() throws IOException
    {
        final String readme = Files.readString(ROOT.resolve("README.md"));
        assertTrue(readme.contains("<!-- ci: test -->\n```sh\nmvn -B verify\n"), "the test command");
        assertTrue(readme.contains("<!-- ci: main -->\n```sh\nbin/tallypost bench alltoall\n"), "the main command");
    }

    private static List<Path> documents() throws IOException
    {
        final List<Path> documents = new ArrayList<>();
        for (final Path dir : List.of(ROOT, ROOT.resolve("docs")))
        {
            try (Stream<Path> files = Files.list(dir))
            {
                files.filter((file) -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
            }
        }
        assertFalse(documents.isEmpty(), "no documents under " + ROOT);
        return documents;
    }

    // Maven runs tests in the module's directory; an IDE may run them at the top.
    private static Path root()
    {
        final Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("bin/tallypost")) ? here : here.getParent();
    }
}
