// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Each word of a class name of the product is explained in CONTRIBUTING.md, Words, or is an ordinary word. A reader can so look
 * up whatever a name says, and no thing gets a second name.
 */
@Tag("once")
class WordListTest
{
    private static final List<String> MODULES =
        List.of("mailbox", "credit-protocol", "endpoint", "transport-aeron", "messaging", "collectives",
            "active-messages", "services", "deck", "mpi",
            "adapters/micrometer", "adapters/agrona", "adapters/flow", "adapters/blocking",
            "adapters/rsocket");
    private static final Pattern CLASS =
        Pattern.compile("^ *(?:(?:public|private|protected|static|final|abstract|sealed|non-sealed) )*" +
            "(?:class|interface|enum|record|@interface) (\\w+)", Pattern.MULTILINE);
    /** Its public classes have the names that programs know. */
    private static final String OF_OTHER_NAMES = "mpi";
    private static final Pattern NAME_WORD = Pattern.compile("[A-Z][a-z0-9]*");
    private static final Pattern ROW = Pattern.compile("^\\| ([a-z][a-z ,;-]*) \\|", Pattern.MULTILINE);
    private static final Pattern ENDING = Pattern.compile("s|es|r|er|ers|ed|ing");

    @Test
    void shouldExplainEveryWordOfAClassName() throws IOException
    {
        final Set<String> known = domainTerms().stream()
            .flatMap((term) -> Stream.of(term.split(" "))).collect(Collectors.toCollection(HashSet::new));
        known.addAll(ordinaryWords());
        final Map<String, String> missing = new TreeMap<>();
        int names = 0;
        for (final String module : MODULES)
        {
            for (final String name : classNames(module))
            {
                names++;
                final Matcher words = NAME_WORD.matcher(name);
                while (words.find())
                {
                    final String word = words.group().toLowerCase(Locale.ROOT);
                    if (!isKnown(word, known))
                    {
                        missing.put(word, name);
                    }
                }
            }
        }
        assertTrue(names > 100, "classes found: " + names);
        assertEquals(Map.of(), missing, "words that are neither in CONTRIBUTING.md, Words, nor in ordinary-words.txt");
    }

    @Test
    void shouldCallNoWordOfTheListOrdinary() throws IOException
    {
        final Set<String> both = domainTerms();
        both.retainAll(ordinaryWords());
        assertEquals(Set.of(), both, "words with a meaning of their own are not ordinary");
    }

    @Test
    void shouldKnowAWordByItsBase()
    {
        assertTrue(isKnown("pollers", Set.of("poll")));
        assertTrue(isKnown("settings", Set.of("setting")));
        assertFalse(isKnown("lantern", Set.of("lane")));
        assertFalse(isKnown("landed", Set.of("lane")));
    }

    private static boolean isKnown(final String word, final Set<String> known)
    {
        return known.contains(word) || known.stream().anyMatch((base) ->
            word.startsWith(base) && ENDING.matcher(word.substring(base.length())).matches());
    }

    /** First column of the tables. */
    private static Set<String> domainTerms() throws IOException
    {
        final String text = Files.readString(DocumentsTest.ROOT.resolve("CONTRIBUTING.md"));
        final String section = text.substring(text.indexOf("\n## Words\n"), text.indexOf("\nOne verb for one thing:\n"));
        final Set<String> terms = new HashSet<>();
        final Matcher rows = ROW.matcher(section);
        while (rows.find())
        {
            terms.addAll(List.of(rows.group(1).split(", ")));
        }
        terms.remove("word");
        assertTrue(terms.containsAll(Set.of("slot", "lane", "holder", "credits in hand", "frame")), "found: " + terms);
        return terms;
    }

    private static Set<String> ordinaryWords() throws IOException
    {
        try (InputStream in = WordListTest.class.getResourceAsStream("ordinary-words.txt"))
        {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                .filter((line) -> !line.startsWith("#"))
                .flatMap((line) -> Stream.of(line.split(" "))).collect(Collectors.toSet());
        }
    }

    private static Set<String> classNames(final String module) throws IOException
    {
        final Path sources = DocumentsTest.ROOT.resolve(module).resolve("src/main/java");
        final Set<String> names = new HashSet<>();
        try (Stream<Path> files = Files.walk(sources))
        {
            for (final Path file : files.filter((path) -> path.toString().endsWith(".java")).collect(Collectors.toList()))
            {
                final Matcher classes = CLASS.matcher(Files.readString(file));
                while (classes.find())
                {
                    if (!module.equals(OF_OTHER_NAMES) || !classes.group().contains("public "))
                    {
                        names.add(classes.group(1));
                    }
                }
            }
        }
        return names;
    }
}
