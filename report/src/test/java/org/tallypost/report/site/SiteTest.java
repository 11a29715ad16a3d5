// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.report.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.Contrast;

@Tag("once")
class SiteTest
{
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"#]*)(?:#([^\"]*))?\"");
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");
    private static final Pattern TITLE = Pattern.compile("<title>([^<]+)</title>");

    @TempDir
    private Path target;

    /** All documents of this tree. */
    @Test
    void shouldMakePagesWithTitlesOfTheirOwnAndLinksThatLeadToThem() throws IOException
    {
        Site.main(new String[]{root().toString(), target.toString()});
        final Map<Path, String> pages = pages();
        final Map<Path, Set<String>> anchors = new HashMap<>();
        final Map<String, Path> titles = new HashMap<>();
        pages.forEach((page, html) ->
        {
            anchors.put(page, anchors(page, html));
            final Matcher title = TITLE.matcher(html);
            assertTrue(title.find(), () -> page + " has no title");
            final Path other = titles.put(title.group(1), page);
            assertEquals(null, other, () -> page + " has the title of another page");
            assertEquals(2, html.split("<h1[ >]", -1).length, () -> page + " has not one heading");
            assertEquals(count(html, "<table>"), count(html, "<div class=\"wide\" tabindex=\"0\"><table>"), page::toString);
            assertTrue(html.contains("<html lang=\"en\">") && html.contains("name=\"viewport\""), page::toString);
        });
        final List<String> broken = new ArrayList<>();
        int links = 0;
        for (final Map.Entry<Path, String> page : pages.entrySet())
        {
            final Matcher link = LINK.matcher(page.getValue());
            while (link.find())
            {
                if (!link.group(1).matches("(https?|mailto|data):.*"))
                {
                    links++;
                    final Path other = link.group(1).isEmpty() ? page.getKey() :
                        page.getKey().resolveSibling(link.group(1)).normalize();
                    if (!Files.isRegularFile(other) || link.group(2) != null && !anchors.get(other).contains(link.group(2)))
                    {
                        broken.add(target.relativize(page.getKey()) + " -> " + link.group());
                    }
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(links > pages.size(), "the search for links is broken: found " + links);
    }

    /** In the colours of day and of night. */
    @Test
    void shouldHaveTextThatCanBeRead() throws IOException
    {
        final String css;
        try (InputStream in = Site.class.getResourceAsStream("site.css"))
        {
            css = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        final int dark = css.indexOf("prefers-color-scheme: dark");
        for (final Map<String, String> colours :
            List.of(Contrast.colours(css.substring(0, dark)), Contrast.colours(css.substring(dark))))
        {
            assertEquals(Set.of("page", "panel", "text", "quiet", "link", "line"), colours.keySet());
            for (final String text : List.of("text", "quiet", "link"))
            {
                for (final String behind : List.of("page", "panel"))
                {
                    final double found = Contrast.between(colours.get(text), colours.get(behind));
                    assertTrue(found >= Contrast.OF_TEXT, () -> text + " on " + behind + ": found " + found);
                }
            }
        }
        assertTrue(css.contains(".wide { overflow-x: auto;"), "wide tables do not scroll");
    }

    @Test
    void shouldRefuseLinksThatLeadToNothing(@TempDir final Path tree) throws IOException
    {
        Files.createDirectories(tree.resolve("docs"));
        Files.writeString(tree.resolve("README.md"), "# Top\n\n[gone](gone.md) [no part](#none) [far](https://example.org/x)\n");
        Files.writeString(tree.resolve("docs/README.md"), "# Index\n\n[top](../README.md#top) [out](../../out.md)\n");
        final String message = assertThrows(IllegalStateException.class,
            () -> Site.main(new String[]{tree.toString(), target.toString()})).getMessage();
        assertEquals("links that lead to nothing: " +
            "[README.md -> gone.md, README.md -> #none, docs/README.md -> ../../out.md]", message);
    }

    @Test
    void shouldShowTextAsItIs(@TempDir final Path tree) throws IOException
    {
        Files.createDirectories(tree.resolve("docs"));
        Files.writeString(tree.resolve("README.md"),
            "# A <b> & `c`\n\n<!-- not shown -->\n\n<script>x</script>\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n");
        Files.writeString(tree.resolve("docs/README.md"),
            "# Index\n\n**Guide.** How?\n\n" +
            "| page | question |\n| --- | --- |\n| [One](../one.md) | 1? |\n| [Two](../two.md) | 2? |\n");
        Files.writeString(tree.resolve("one.md"), "# One\n\n[Two](two.md#part) and [a file](file.txt)\n");
        Files.writeString(tree.resolve("two.md"), "# Two\n\n## Part\n\n## Part\n");
        Files.writeString(tree.resolve("file.txt"), "1 < 2\n");
        Site.main(new String[]{tree.toString(), target.toString()});
        final String top = Files.readString(target.resolve("index.html"));
        assertTrue(top.contains("<title>A  &amp; c - Tallypost</title>"), top);
        assertTrue(top.contains("&lt;script&gt;x&lt;/script&gt;") && !top.contains("not shown"), top);
        assertTrue(top.contains("<div class=\"wide\" tabindex=\"0\"><table>"), top);
        final String one = Files.readString(target.resolve("one.html"));
        assertTrue(one.contains("href=\"two.html#part\"") && one.contains("href=\"file.txt.html\""), one);
        assertTrue(one.contains("<span>next: <a href=\"two.html\">Two</a></span>") && !one.contains("<span>before"), one);
        assertTrue(Files.readString(target.resolve("two.html")).contains("id=\"part-1\""));
        assertTrue(Files.readString(target.resolve("file.txt.html")).contains("1 &lt; 2"));
    }

    private Map<Path, String> pages() throws IOException
    {
        final Map<Path, String> pages = new HashMap<>();
        try (Stream<Path> files = Files.walk(target))
        {
            for (final Path file : files.filter((name) -> name.toString().endsWith(".html")).toList())
            {
                pages.put(file, Files.readString(file));
            }
        }
        return pages;
    }

    private static Set<String> anchors(final Path page, final String html)
    {
        final Set<String> anchors = new HashSet<>();
        final Matcher id = ID.matcher(html);
        while (id.find())
        {
            assertTrue(anchors.add(id.group(1)), () -> page + " has two places named " + id.group(1));
        }
        return anchors;
    }

    private static int count(final String html, final String part)
    {
        return html.split(Pattern.quote(part), -1).length - 1;
    }

    // Maven runs tests in the module's directory; an IDE may run them at the top.
    private static Path root()
    {
        final Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("bin/tallypost")) ? here : here.getParent();
    }
}
