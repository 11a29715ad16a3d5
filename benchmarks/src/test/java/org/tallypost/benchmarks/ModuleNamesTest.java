// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.fabric.FabricRun;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.report.ReportPage;
import org.tallypost.schedule.Schedule;
import org.tallypost.thesis.Sheet;
import org.tallypost.transportaeron.AeronTransport;

/** On the module path a jar's module is named after its package, whatever its file is called. */
@Tag("once")
class ModuleNamesTest
{
    private static String pageOf(final Path base) throws IOException
    {
        return Files.readString(base.resolve("docs/guide/embed.md"));
    }

    @ParameterizedTest
    @ValueSource(classes = {
        Mailbox.class, Ledger.class, Schedule.class, FabricRun.class, ReportPage.class, Sheet.class, Endpoint.class,
        AeronTransport.class, org.tallypost.collectives.Reducers.class,
        org.tallypost.activemessages.ActiveMessages.class, org.tallypost.services.Services.class,
        org.tallypost.deck.Deck.class,
        org.tallypost.cli.Tallypost.class})
    void shouldNameTheModuleAfterItsPackage(final Class<?> type) throws IOException, URISyntaxException
    {
        final String expected = type.getPackageName();
        final Path place = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isRegularFile(place))
        {
            final Set<String> names = ModuleFinder.of(place).findAll().stream()
                .map((module) -> module.descriptor().name()).collect(Collectors.toSet());
            assertEquals(Set.of(expected), names, place::toString);
        }
        // without jars, as under "mvn test", the build's description tells what they will be
        final Path root = new File("").getAbsoluteFile().toPath().getParent();
        try (Stream<Path> modules = Files.list(root))
        {
            final long named = modules.map((module) -> module.resolve("pom.xml")).filter(Files::exists)
                .filter((pom) -> text(pom).contains("<Automatic-Module-Name>" + expected + "</Automatic-Module-Name>")).count();
            assertEquals(1, named, expected);
        }
        assertTrue(pageOf(root).contains("`" + expected + "`"), "embed.md names the module");
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new java.io.UncheckedIOException(ex);
        }
    }
}
