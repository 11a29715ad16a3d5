// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A module is published, and then the BOM has it and its pom has what repositories ask for, or its pom says that it is not. */
@Tag("once")
class PublishedModulesTest
{
    private static final String BOM = "bom";
    private static final String UNPUBLISHED = "<maven.deploy.skip>true</maven.deploy.skip>";
    private static final Pattern MODULE = Pattern.compile("<module>([^<]*)</module>");
    private static final Pattern MANAGED = Pattern.compile(
        "<dependency>\\s*<groupId>org\\.tallypost</groupId>\\s*<artifactId>tallypost-([^<]*)</artifactId>\\s*" +
        "<version>\\$\\{project\\.version\\}</version>\\s*</dependency>");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]*)</version>");
    private static final Pattern PLUGIN = Pattern.compile("<artifactId>(maven-[a-z]+-plugin)</artifactId>\\s*<version>([^<]*)<");

    @Test
    void shouldListEveryPublishedModuleInTheBom() throws IOException
    {
        final List<String> listed = found(MANAGED, pom(BOM));
        assertEquals(published().stream().map(PublishedModulesTest::artifact).collect(Collectors.toSet()), Set.copyOf(listed));
        assertEquals(listed.size(), new HashSet<>(listed).size(), "listed twice: " + listed);
        assertEquals(count(pom(BOM), "<dependency>"), listed.size(), "each has the version of the BOM: " + listed);
    }

    @Test
    void shouldGiveTheBomTheVersionOfTheBuild() throws IOException
    {
        assertTrue(found(MODULE, rootPom()).contains(BOM), "the build has the BOM");
        assertEquals(found(VERSION, rootPom()).get(0), found(VERSION, pom(BOM)).get(0));
        for (final String module : published())
        {
            assertEquals(found(VERSION, rootPom()).get(0), found(VERSION, pom(module)).get(0), module);
        }
    }

    /** The BOM has no parent, so its project imports no versions of tools, and so it repeats what it would inherit. */
    @Test
    void shouldSayTheSameInTheBomAsInTheRoot() throws IOException
    {
        final String bom = pom(BOM);
        assertEquals(0, count(bom, "<parent>"));
        for (final String element : List.of("licenses", "developers", "inceptionYear", "project.build.outputTimestamp"))
        {
            assertEquals(element(element, rootPom()), element(element, bom));
        }
        assertEquals(element("connection", rootPom()), element("connection", bom));
        final String root = rootPom();
        PLUGIN.matcher(bom).results().forEach((plugin) ->
            assertTrue(PLUGIN.matcher(root).results().anyMatch((own) -> own.group().equals(plugin.group())), plugin.group()));
    }

    @Test
    void shouldDescribeAndNameEveryPublishedModule() throws IOException
    {
        for (final String module : published())
        {
            final String pom = pom(module);
            assertTrue(pom.contains("<artifactId>tallypost-" + artifact(module) + "</artifactId>"), module);
            assertTrue(element("name", pom).contains(module), module);
            assertTrue(element("description", pom).length() > 20, module);
            final String name = "org.tallypost." + module.replace("-", "").replace('/', '.');
            assertEquals(name, element("Automatic-Module-Name", pom), module);
        }
    }

    /** A module in a folder has the folder in its name. */
    private static String artifact(final String module)
    {
        return module.replace('/', '-');
    }

    /** Modules of the build that are published, but for the BOM itself. */
    private static List<String> published() throws IOException
    {
        final List<String> published = new ArrayList<>();
        for (final String module : found(MODULE, rootPom()))
        {
            if (!BOM.equals(module) && !pom(module).contains(UNPUBLISHED))
            {
                published.add(module);
            }
        }
        assertTrue(published.containsAll(List.of("mailbox", "endpoint", "transport-aeron")), "found: " + published);
        return published;
    }

    private static String element(final String name, final String pom)
    {
        final String tag = Pattern.quote(name);
        final List<String> texts = found(Pattern.compile("<" + tag + ">(.*?)</" + tag + ">", Pattern.DOTALL), pom);
        assertTrue(!texts.isEmpty(), "the pom has no " + name);
        return texts.get(0);
    }

    private static List<String> found(final Pattern pattern, final String text)
    {
        return pattern.matcher(text).results().map((result) -> result.group(1)).collect(Collectors.toList());
    }

    private static int count(final String text, final String part)
    {
        return (int)Pattern.compile(Pattern.quote(part)).matcher(text).results().count();
    }

    private static String rootPom() throws IOException
    {
        return Files.readString(DocumentsTest.ROOT.resolve("pom.xml"));
    }

    private static String pom(final String module) throws IOException
    {
        return Files.readString(DocumentsTest.ROOT.resolve(module).resolve("pom.xml"));
    }
}
