// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

/**
 * What was published, and is done again.
 */
public enum Source
{
    /** The master's thesis and the paper about the credit protocol. */
    PROTOCOL("The thesis, reproduced", "facts.json", "reasons.json", null),
    /** The thesis about ECCLib, a library of collectives. */
    ECCLIB("ECCLib, reproduced", "ecclib-facts.json", "ecclib-reasons.json", "up to 8 hosts"),
    /** The paper about DECK-GM, mail boxes on Myrinet. */
    DECK("DECK-GM, reproduced", "deck-facts.json", "deck-reasons.json", "two ranks"),
    /** The pages about an apparatus that varies LogGP's parameters of active messages. */
    LOGGP("LogGP's apparatus, reproduced", "loggp-facts.json", "loggp-reasons.json", "32 processes");

    private final String title;
    private final String facts;
    private final String reasons;
    private final String scale;

    Source(final String title, final String facts, final String reasons, final String scale)
    {
        this.title = title;
        this.facts = facts;
        this.reasons = reasons;
        this.scale = scale;
    }

    /**
     * What stands above the report.
     *
     * @return a few words.
     */
    public String title()
    {
        return title;
    }

    String facts()
    {
        return facts;
    }

    String reasons()
    {
        return reasons;
    }

    /** How large the experiments are, for people. */
    String scale(final Scale chosen)
    {
        return scale == null ? chosen.label() : scale;
    }
}
