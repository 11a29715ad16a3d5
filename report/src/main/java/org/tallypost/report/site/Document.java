// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.report.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * A document of the source tree: its headings, its links, and its text as HTML. Headings get the anchors that GitHub gives them.
 */
final class Document
{
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    private final Path name;
    private final Node tree;
    private final Map<Node, String> anchorOf = new IdentityHashMap<>();
    private final Map<String, String> sections = new LinkedHashMap<>();
    private final Set<String> anchors = new HashSet<>();
    private final List<String> links = new ArrayList<>();
    private String title;

    Document(final Path name, final String text)
    {
        this.name = name;
        this.tree = PARSER.parse(text);
        final List<Node> comments = new ArrayList<>();
        tree.accept(new AbstractVisitor()
        {
            @Override
            public void visit(final Heading heading)
            {
                add(heading);
                super.visit(heading);
            }

            @Override
            public void visit(final Link link)
            {
                links.add(link.getDestination());
                super.visit(link);
            }

            @Override
            public void visit(final HtmlBlock block)
            {
                if (block.getLiteral().startsWith("<!--"))
                {
                    comments.add(block);
                }
            }
        });
        comments.forEach(Node::unlink);
        if (title == null)
        {
            throw new IllegalStateException(name + " has no heading");
        }
    }

    private void add(final Heading heading)
    {
        final String text = text(heading);
        final String first = text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
        String anchor = first;
        for (int i = 1; !anchors.add(anchor); i++)
        {
            anchor = first + "-" + i;
        }
        anchorOf.put(heading, anchor);
        if (heading.getLevel() == 2)
        {
            sections.put(anchor, text);
        }
        if (title == null)
        {
            title = text;
        }
    }

    Path name()
    {
        return name;
    }

    String title()
    {
        return title;
    }

    /** Headings of the second level, by their anchors. */
    Map<String, String> sections()
    {
        return sections;
    }

    Set<String> anchors()
    {
        return anchors;
    }

    List<String> links()
    {
        return links;
    }

    Node tree()
    {
        return tree;
    }

    /** The name of what a link leads to. */
    Path target(final String link)
    {
        final int anchor = link.indexOf('#');
        final String place = anchor < 0 ? link : link.substring(0, anchor);
        return place.isEmpty() ? name : name.resolveSibling(place).normalize();
    }

    static boolean isForeign(final String link)
    {
        return link.contains("://") || link.startsWith("mailto:");
    }

    /** The page for a document, or for another file or directory. */
    static Path page(final Path name)
    {
        final String file = name.getFileName().toString();
        if ("README.md".equals(file))
        {
            return name.resolveSibling("index.html");
        }
        return name.resolveSibling((file.endsWith(".md") ? file.substring(0, file.length() - 3) : file) + ".html");
    }

    /** The address of one page as the other one links to it. */
    static String address(final Path from, final Path to)
    {
        final Path directory = from.getParent();
        return (directory == null ? to : directory.relativize(to)).toString();
    }

    /** The text without what is around it. */
    String html()
    {
        final HtmlRenderer renderer = HtmlRenderer.builder().extensions(EXTENSIONS).escapeHtml(true)
            .attributeProviderFactory((context) -> this::complete).build();
        // Text is escaped, so a tag is one that the renderer has written.
        return renderer.render(tree)
            .replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>").replace("</table>", "</table></div>")
            .replace("<pre>", "<pre tabindex=\"0\">");
    }

    private void complete(final Node node, final String tag, final Map<String, String> attributes)
    {
        if (node instanceof Heading)
        {
            attributes.put("id", anchorOf.get(node));
        }
        else if (node instanceof Link link && !isForeign(link.getDestination()))
        {
            final int anchor = link.getDestination().indexOf('#');
            final String place = anchor == 0 ? "" : address(page(name), page(target(link.getDestination())));
            attributes.put("href", place + (anchor < 0 ? "" : link.getDestination().substring(anchor)));
        }
    }

    /** The words of a node and of all that is in it. */
    static String text(final Node node)
    {
        final StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor()
        {
            @Override
            public void visit(final Text part)
            {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(final Code part)
            {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(final SoftLineBreak part)
            {
                text.append(' ');
            }
        });
        return text.toString();
    }
}
