// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Why a fact is not seen: a file like {@code reasons.json}, by the id of the fact. Each begins with what is at odds: the model,
 * the protocol, the paper, or the measure that is taken here.
 */
final class Reasons
{
    private final Map<String, String> reasons;

    private Reasons(final Map<String, String> reasons)
    {
        this.reasons = reasons;
    }

    static Reasons load(final Source source)
    {
        try (InputStream stream = Reasons.class.getResourceAsStream(source.reasons()))
        {
            return new Reasons(new ObjectMapper().readValue(stream, new TypeReference<Map<String, String>>()
            {
            }));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    String of(final String id)
    {
        return reasons.get(id);
    }

    Map<String, String> all()
    {
        return reasons;
    }
}
