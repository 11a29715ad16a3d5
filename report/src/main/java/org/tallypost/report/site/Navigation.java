// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.report.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.StrongEmphasis;

/**
 * What is around the text of a page: the list of all pages, the sections of this one, and the pages before and behind it. Its own
 * anchors have a full stop, which no anchor of a heading has.
 */
final class Navigation
{
    private static final Path FIRST = Path.of("README.md");
    private static final Path INDEX = Path.of("docs", "README.md");
    private static final List<Path> ABOUT = List.of(FIRST, INDEX, Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md"));
    private static final int SECTIONS_SHOWN = 3;

    private final Map<Path, Document> documents;
    private final Map<String, List<Path>> groups = new LinkedHashMap<>();

    Navigation(final Map<Path, Document> documents)
    {
        this.documents = documents;
        groups.put("Tallypost", ABOUT.stream().filter(documents::containsKey).toList());
        for (Node node = documents.get(INDEX).tree().getFirstChild(); node != null; node = node.getNext())
        {
            if (node instanceof TableBlock && node.getPrevious() instanceof Paragraph before &&
                before.getFirstChild() instanceof StrongEmphasis name)
            {
                groups.put(Document.text(name).replace(".", ""), listed(documents.get(INDEX), node));
            }
        }
    }

    /** The documents that a part of an index links to, in its order, each once. */
    private List<Path> listed(final Document index, final Node part)
    {
        final List<Path> pages = new ArrayList<>();
        part.accept(new AbstractVisitor()
        {
            @Override
            public void visit(final Link link)
            {
                final Path target = Document.isForeign(link.getDestination()) ? null : index.target(link.getDestination());
                if (target != null && documents.containsKey(target) && !pages.contains(target) && !target.equals(index.name()))
                {
                    pages.add(target);
                }
            }

            @Override
            public void visit(final CustomBlock block)
            {
                visitChildren(block);
            }
        });
        return pages;
    }

    /** The page of a document. */
    String html(final Document document)
    {
        final Path name = document.name();
        final StringBuilder html = new StringBuilder();
        final boolean hasSections = document.sections().size() >= SECTIONS_SHOWN;
        open(html, name, document.title(), hasSections ? "columns" : "columns whole");
        if (hasSections)
        {
            html.append("<nav class=\"sections\" aria-label=\"On this page\">\n<h2>On this page</h2>\n<ul>\n");
            document.sections().forEach((anchor, text) ->
                html.append("<li><a href=\"#").append(anchor).append("\">").append(escape(text)).append("</a></li>\n"));
            html.append("</ul>\n</nav>\n");
        }
        html.append("<main id=\"site.text\">\n").append(document.html());
        neighbours(html, name);
        html.append("</main>\n");
        return close(html, name);
    }

    /** The page of a file, or of the files of a directory, as they are. */
    String html(final Path name, final Map<String, String> texts)
    {
        final StringBuilder html = new StringBuilder();
        open(html, name, name.toString(), "columns whole");
        html.append("<main id=\"site.text\">\n<h1>").append(escape(name.toString())).append("</h1>\n");
        texts.forEach((file, text) ->
        {
            if (!file.isEmpty())
            {
                html.append("<h2>").append(escape(file)).append("</h2>\n");
            }
            html.append("<pre tabindex=\"0\"><code>").append(escape(text)).append("</code></pre>\n");
        });
        html.append("</main>\n");
        return close(html, name);
    }

    private static void open(final StringBuilder html, final Path name, final String title, final String columns)
    {
        final String whole = "Tallypost".equals(title) ? title : title + " - Tallypost";
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
            .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
            .append("<meta name=\"color-scheme\" content=\"light dark\">\n<title>").append(escape(whole)).append("</title>\n")
            .append("<link rel=\"icon\" href=\"data:,\">\n")
            .append("<link rel=\"stylesheet\" href=\"").append(Document.address(Document.page(name), Path.of("site.css")))
            .append("\">\n</head>\n<body>\n<header>\n")
            .append("<a class=\"skip\" href=\"#site.text\">To the text</a>\n")
            .append("<a class=\"home\" href=\"").append(address(name, FIRST)).append("\">Tallypost</a>\n")
            .append("<a class=\"all\" href=\"#site.pages\">All pages</a>\n</header>\n")
            .append("<div class=\"").append(columns).append("\">\n");
    }

    private String close(final StringBuilder html, final Path name)
    {
        html.append("<nav class=\"pages\" id=\"site.pages\" aria-label=\"All pages\">\n");
        groups.forEach((group, pages) ->
        {
            html.append("<h2>").append(escape(group)).append("</h2>\n<ul>\n");
            for (final Path page : pages)
            {
                html.append("<li>").append(link(name, page)).append("</li>\n");
            }
            html.append("</ul>\n");
        });
        return html.append("</nav>\n</div>\n</body>\n</html>\n").toString();
    }

    private String link(final Path from, final Path to)
    {
        final boolean here = to.equals(from) || to.endsWith(FIRST) && !to.equals(INDEX) && isListed(to, from);
        return "<a href=\"" + address(from, to) + "\"" +
            (to.equals(from) ? " aria-current=\"page\"" : here ? " aria-current=\"true\"" : "") + ">" +
            escape(to.equals(FIRST) ? "README" : documents.get(to).title()) + "</a>";
    }

    private boolean isListed(final Path index, final Path name)
    {
        return !name.equals(index) && index.getParent() != null && index.getParent().equals(name.getParent());
    }

    private void neighbours(final StringBuilder html, final Path name)
    {
        final List<Path> order = order(name);
        final int place = order.indexOf(name);
        if (place >= 0 && order.size() > 1)
        {
            html.append("<nav class=\"neighbours\" aria-label=\"Before and behind\">\n");
            if (place > 0)
            {
                html.append("<span>before: ").append(link(name, order.get(place - 1))).append("</span>\n");
            }
            if (place < order.size() - 1)
            {
                html.append("<span>next: ").append(link(name, order.get(place + 1))).append("</span>\n");
            }
            html.append("</nav>\n");
        }
    }

    private List<Path> order(final Path name)
    {
        for (final List<Path> pages : groups.values())
        {
            if (pages.contains(name))
            {
                return pages;
            }
        }
        final Document index = documents.get(name.resolveSibling(FIRST));
        return index == null ? List.of() : listed(index, index.tree());
    }

    private static String address(final Path from, final Path to)
    {
        return Document.address(Document.page(from), Document.page(to));
    }

    private static String escape(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
