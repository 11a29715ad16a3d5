// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A report as a file of JSON.
 */
public final class JsonFile
{
    private static final ObjectMapper MAPPER = JsonMapper.builder()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
        .build();

    private JsonFile()
    {
    }

    /**
     * Writes the report. A reader never sees half of it.
     *
     * @param file to write or replace.
     * @param root of the report.
     * @throws IOException if it cannot be written.
     */
    public static void write(final Path file, final ObjectNode root) throws IOException
    {
        final Path target = file.toAbsolutePath();
        final Path temporary = target.resolveSibling(target.getFileName() + ".part");
        try
        {
            MAPPER.writeValue(temporary.toFile(), root);
            Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
        }
        finally
        {
            Files.deleteIfExists(temporary);
        }
    }
}
