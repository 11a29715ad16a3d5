// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

/**
 * What was published, and is done again.
 */
public enum Source
{
    /** The master's thesis and the paper about the credit protocol. */
    PROTOCOL("The thesis, reproduced", "facts.json", "reasons.json", null,
        "J. Prades Gasulla, A New Credit-Based End-to-End Flow Control Protocol for High Performance Interconnects, master's " +
        "thesis, Universitat Politècnica de València, 2015; and the conference paper of J. Prades, F. Silla, J. Duato, " +
        "H. Fröning and M. Nüessle, Efficient Buffer Usage Through a New Flow-Control Mechanism.",
        "They measured credits on 64 nodes of EXTOLL, a network for clusters, with 1,024 processes. Here the same protocol " +
        "runs on a simulated network. Each process has a mailbox of slots of 64 bytes, and a message of 2 KB fills 37 of them. " +
        "Static: each sender keeps its share of the slots. Dynamic: slots move to the senders that use them. Overhead is the " +
        "time that an operation takes more than without flow control."),
    /** The thesis about ECCLib, a library of collectives. */
    ECCLIB("ECCLib, reproduced", "ecclib-facts.json", "ecclib-reasons.json", "up to 8 hosts",
        "A. Barbieri, Análisis e implementación de comunicaciones colectivas en NOWs, Universidad Nacional de La Plata, 2003.",
        "It measured broadcast, scatter, gather, reduce and barrier of PVM and LAM/MPI on Ethernet, and built ECCLib, in which " +
        "a broadcast is one transmission. RUDP makes it reliable. Here both run on a simulated bus of 10 Mb/s and a simulated " +
        "switch of 100 Mb/s."),
    /** The paper about DECK-GM, mail boxes on Myrinet. */
    DECK("DECK-GM, reproduced", "deck-facts.json", "deck-reasons.json", "two ranks",
        "C. B. Marquezan, R. B. Ávila and P. O. A. Navaux, DECK-GM: Uma Implementação do Ambiente DECK para Myrinet, " +
        "Universidade Federal do Rio Grande do Sul, 2003.",
        "It built named mail boxes with buffers of fixed sizes upon GM, the library of Myrinet, and measured them beside " +
        "MPICH-GM. Here the sizes of the module deck are held against it, and its numbers against each other."),
    /** The pages about an apparatus that varies LogGP's parameters of active messages. */
    LOGGP("LogGP's apparatus, reproduced", "loggp-facts.json", "loggp-reasons.json", "32 processes",
        "R. P. Martin, A Systematic Characterization of Application Sensitivity to Network Performance, University of " +
        "California, Berkeley, 1999.",
        "It put delays into active messages on Myrinet, to see how programs slow down by latency, by overhead and by gaps " +
        "between messages. Here the module active-messages has such messages and such delays; programs run in simulated time.");

    private final String title;
    private final String facts;
    private final String reasons;
    private final String scale;
    private final String publication;
    private final String subject;

    Source(
        final String title, final String facts, final String reasons, final String scale, final String publication,
        final String subject)
    {
        this.title = title;
        this.facts = facts;
        this.reasons = reasons;
        this.scale = scale;
        this.publication = publication;
        this.subject = subject;
    }

    /**
     * Which publication it is.
     *
     * @return authors, title and year, in one sentence.
     */
    public String publication()
    {
        return publication;
    }

    /** What was measured there, what is done here, and the words that a reader of the page needs. */
    String subject()
    {
        return subject;
    }

    /** In what the experiments differ from the published ones as a whole; nothing if they do not. */
    String conditions(final Scale chosen)
    {
        return this == PROTOCOL && chosen == Scale.QUICK ?
            "Published with 1,024 processes, and run here with fewer: numbers need not agree." : "";
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
