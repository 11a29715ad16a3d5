// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A report as one page that needs nothing from anywhere else: the report, the library that draws it, and the script that does it
 * are all inside.
 */
public final class ReportPage
{
    private static final String LIBRARY = "/META-INF/resources/webjars/chart.js/%s/dist/chart.umd.js";
    private static final String LIBRARY_MARK = "/* CHART LIBRARY */";
    private static final String DATA_MARK = "/* DATA */";
    private static final String STYLE_MARK = "/* STYLE */";
    private static final String HELPERS_MARK = "/* HELPERS */";

    private ReportPage()
    {
    }

    /**
     * Makes a page. What pages have in common, style and helpers, is put into all of them.
     *
     * @param owner  class beside which the page's frame lies.
     * @param frame  name of the resource, which has marks for the library, the style, the helpers and the data.
     * @param report with an environment that tells the library's version.
     * @return the page.
     * @throws IOException if its parts cannot be read.
     */
    public static String html(final Class<?> owner, final String frame, final ObjectNode report) throws IOException
    {
        final String version = report.path("environment").path("versions").path("chartjs").asText();
        // Inside a script element only the beginning of a tag could do harm.
        final String data = report.toString().replace("<", "\\u003c");
        return resource(owner, frame)
            .replace(STYLE_MARK, resource(ReportPage.class, "page.css"))
            .replace(HELPERS_MARK, resource(ReportPage.class, "page.js"))
            .replace(LIBRARY_MARK, library(version))
            .replace(DATA_MARK, data);
    }

    /** Without the address of its source map, which a browser would look for. */
    private static String library(final String version) throws IOException
    {
        return resource(ReportPage.class, String.format(LIBRARY, version)).replaceAll("(?m)^//# sourceMappingURL=.*$", "");
    }

    private static String resource(final Class<?> owner, final String name) throws IOException
    {
        try (InputStream stream = owner.getResourceAsStream(name))
        {
            if (stream == null)
            {
                throw new IOException("missing resource: " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
