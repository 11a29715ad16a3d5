// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page that walks a message through the code says what the code does. */
@Tag("once")
class WayOfAMessageTest
{
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/design/way-of-a-message.md");
    private static final Pattern COUNTS = Pattern.compile("Files: (\\d+)\\. Changes: (\\d+)\\.");

    /** A line of a tree. */
    private record Step(int depth, String type, String method)
    {
        @Override
        public String toString()
        {
            return type + "." + method;
        }
    }

    @Test
    void shouldCallWhatThePageSaysAndCountIt() throws IOException
    {
        final List<Step> tree = new ArrayList<>();
        boolean isTree = false;
        int trees = 0;
        for (final String line : Files.readAllLines(PAGE))
        {
            final Matcher counts = COUNTS.matcher(line);
            if (line.startsWith("```"))
            {
                isTree = !isTree;
            }
            else if (isTree)
            {
                final String[] name = line.trim().split("\\.");
                tree.add(new Step((line.length() - line.stripLeading().length()) / 2, name[0], name[1]));
            }
            else if (counts.find())
            {
                checkCalls(tree);
                assertEquals(counts.group(0), "Files: " + files(tree) + ". Changes: " + changes(tree) + ".", tree::toString);
                tree.clear();
                trees++;
            }
        }
        assertEquals(6, trees, "trees with counts");
        assertTrue(tree.isEmpty(), () -> "a tree without counts: " + tree);
    }

    private static void checkCalls(final List<Step> tree) throws IOException
    {
        final List<Step> callers = new ArrayList<>();
        for (final Step step : tree)
        {
            while (callers.size() > step.depth())
            {
                callers.remove(callers.size() - 1);
            }
            assertTrue(!bodies(step).isEmpty(), () -> "no such method: " + step);
            if (!callers.isEmpty())
            {
                final Step caller = callers.get(callers.size() - 1);
                final Pattern call = Pattern.compile("\\b" + step.method() + "\\(");
                assertTrue(bodies(caller).stream().anyMatch((body) -> call.matcher(body).find()),
                    () -> caller + " does not call " + step);
            }
            callers.add(step);
        }
    }

    private static int files(final List<Step> tree)
    {
        final TreeSet<String> types = new TreeSet<>();
        tree.forEach((step) -> types.add(step.type()));
        return types.size();
    }

    /** From line to line, by way of the callers that are returned to. */
    private static int changes(final List<Step> tree)
    {
        final List<Step> callers = new ArrayList<>();
        int count = 0;
        String at = tree.get(0).type();
        for (final Step step : tree)
        {
            while (callers.size() > step.depth())
            {
                callers.remove(callers.size() - 1);
                if (callers.size() == step.depth() && !callers.isEmpty() && !callers.get(callers.size() - 1).type().equals(at))
                {
                    at = callers.get(callers.size() - 1).type();
                    count++;
                }
            }
            count += step.type().equals(at) ? 0 : 1;
            at = step.type();
            callers.add(step);
        }
        return count;
    }

    /** What the methods of that name do, in the one source file of that name. */
    private static List<String> bodies(final Step step) throws IOException
    {
        final String source = source(step.type());
        final Matcher declaration = Pattern.compile(
            "^    (?:[\\w<>\\[\\].,&? ]+ )?" + step.method() +
            "\\([^;{]*?\\)(?:\\s+throws [\\w., ]+)?\\n    \\{\\n(.*?)^    \\}$",
            Pattern.MULTILINE | Pattern.DOTALL).matcher(source);
        final List<String> bodies = new ArrayList<>();
        while (declaration.find())
        {
            bodies.add(declaration.group(1));
        }
        return bodies;
    }

    private static String source(final String type) throws IOException
    {
        final List<Path> found = new ArrayList<>();
        for (final String module : List.of("mailbox", "endpoint"))
        {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java")))
            {
                files.filter((file) -> file.endsWith(type + ".java")).forEach(found::add);
            }
        }
        assertEquals(1, found.size(), () -> "source files of " + type + ": " + found);
        return Files.readString(found.get(0));
    }
}
