// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Holds the documents to what is in the tree. Links to other sites are not followed.
 */
@Tag("once")
class DocumentsTest
{
    static final Path ROOT = root();
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern CODE_BLOCK = Pattern.compile("^ *```.*?^ *```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.+?) *$", Pattern.MULTILINE);
    private static final Pattern LINK_TEXT = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern NAMED = Pattern.compile("docs/[A-Za-z0-9_/-]+\\.md");
    private static final Set<String> SKIPPED_DIRS = Set.of("target", ".git");

    @Test
    void shouldLinkOnlyToWhatExists() throws IOException
    {
        final List<String> broken = new ArrayList<>();
        int links = 0;
        for (final Path document : documents())
        {
            final Matcher matcher = LINK.matcher(withoutCode(document));
            while (matcher.find())
            {
                final String target = matcher.group(1);
                if (!target.contains("://") && !target.startsWith("mailto:"))
                {
                    links++;
                    final Path file = target.isEmpty() ? document : document.resolveSibling(target).normalize();
                    final String anchor = matcher.group(2);
                    if (!Files.exists(file) || anchor != null && !anchors(file).contains(anchor))
                    {
                        broken.add(ROOT.relativize(document) + " -> " + target + (anchor == null ? "" : "#" + anchor));
                    }
                }
            }
        }
        assertTrue(links > 0, "no link was found, so the search for them is broken");
        assertEquals(List.of(), broken, "links to files or headings that do not exist");
    }

    /** The figures on the first page are rows of a generated page, and of the run that the first page says. */
    @Test
    void shouldShowFiguresOfTheResultsInTheReadme() throws IOException
    {
        final String readme = Files.readString(ROOT.resolve("README.md"));
        final Matcher page = Pattern.compile(
            "rows of \\[Results]\\(([^)]+)\\): Tallypost (\\S+), run on (\\S+)\\s").matcher(readme);
        assertTrue(page.find(), "README.md says which page its figures are of");
        final String results = Files.readString(ROOT.resolve(page.group(1)));
        final List<String> rows = readme.lines().filter((line) -> line.matches("\\| (rate|round trip|load), .*")).toList();
        assertEquals(3, rows.size(), rows::toString);
        assertEquals(List.of(),
            rows.stream().filter((row) -> results.lines().noneMatch(row::equals)).toList(), "not in the results");
        assertTrue(results.contains("tallypost " + page.group(2) + "."), page::group);
        assertTrue(results.contains("ended " + page.group(3) + "T"), page::group);
    }

    @Test
    void shouldNameOnlyDocumentsThatExistInJava() throws IOException
    {
        final List<String> broken = new ArrayList<>();
        int names = 0;
        for (final Path source : files(ROOT, ".java"))
        {
            final Matcher matcher = NAMED.matcher(Files.readString(source));
            while (matcher.find())
            {
                names++;
                if (!Files.exists(ROOT.resolve(matcher.group())))
                {
                    broken.add(ROOT.relativize(source) + " -> " + matcher.group());
                }
            }
        }
        assertTrue(names > 0, "no name of a document was found, so the search for them is broken");
        assertEquals(List.of(), broken, "names of documents that do not exist");
    }

    @Test
    void shouldTellHeadingsAsLinksNameThem()
    {
        assertEquals("what-a-waiting-poll-does", anchor("What a waiting poll does"));
        assertEquals("the-file-bell-and-others", anchor("The file `bell`, and [others](idle.md#limits)"));
        assertEquals("a--b-c_d", anchor("A & B-C_d"));
    }

    /** The index of a page is the README beside it, or that of docs. */
    @Test
    void shouldListEveryDocumentInAnIndex() throws IOException
    {
        final Path docs = ROOT.resolve("docs");
        for (final Path document : files(docs, ".md"))
        {
            final Path beside = document.resolveSibling("README.md");
            final Path index = Files.exists(beside) && !document.equals(beside) ? beside : docs.resolve("README.md");
            final String link = "](" + index.getParent().relativize(document) + ")";
            assertTrue(document.equals(index) || Files.readString(index).contains(link),
                ROOT.relativize(index) + " does not list " + ROOT.relativize(document));
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
        final List<Path> documents = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        try (Stream<Path> files = Files.list(ROOT))
        {
            files.filter((file) -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
        }
        assertFalse(documents.isEmpty(), "no documents under " + ROOT);
        return documents;
    }

    private static List<Path> files(final Path top, final String ending) throws IOException
    {
        final List<Path> found = new ArrayList<>();
        Files.walkFileTree(top, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult preVisitDirectory(final Path dir, final BasicFileAttributes attributes)
            {
                final boolean skipped = SKIPPED_DIRS.contains(dir.getFileName().toString());
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes)
            {
                if (file.toString().endsWith(ending))
                {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        found.sort(null);
        return found;
    }

    private static String withoutCode(final Path document) throws IOException
    {
        return CODE_BLOCK.matcher(Files.readString(document)).replaceAll("");
    }

    // Of equal headings the later ones get a number behind a hyphen, as GitHub does it.
    private static Set<String> anchors(final Path document) throws IOException
    {
        final Set<String> anchors = new HashSet<>();
        if (document.toString().endsWith(".md"))
        {
            final Matcher matcher = HEADING.matcher(withoutCode(document));
            while (matcher.find())
            {
                final String first = anchor(matcher.group(1));
                String anchor = first;
                for (int i = 1; !anchors.add(anchor); i++)
                {
                    anchor = first + "-" + i;
                }
            }
        }
        return anchors;
    }

    private static String anchor(final String heading)
    {
        return LINK_TEXT.matcher(heading).replaceAll("$1").toLowerCase(Locale.ROOT)
            .replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
    }

    // Maven runs tests in the module's directory; an IDE may run them at the top.
    private static Path root()
    {
        final Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("bin/tallypost")) ? here : here.getParent();
    }
}
