// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.report.Environment;

/**
 * The results of a run as JSON: <code>{"results": [...], "environment": {...}}</code>, and {@code "failure"} if it failed.
 */
public final class JsonReport
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonReport()
    {
    }

    /**
     * Builds the report.
     *
     * @param results     of the flow controls; empty if the run failed.
     * @param environment that it ran on.
     * @param failure     why the run failed, or null.
     * @return the tree.
     */
    public static ObjectNode tree(final List<FlowResult> results, final Environment environment, final String failure)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.putArray("results").addAll(results.stream().map(JsonReport::result).toList());
        root.set("environment", MAPPER.valueToTree(environment));
        if (failure != null)
        {
            root.put("failure", failure);
        }
        return root;
    }

    private static ObjectNode result(final FlowResult result)
    {
        final RunPlan plan = result.plan();
        final ObjectNode node = MAPPER.createObjectNode();
        node.put("workload", plan.workload().label());
        node.put("flow", Units.lower(result.flow()));
        node.put("path", result.path().label());
        node.put("allChecked", plan.isAllChecked());
        node.put("creditReturn", Units.lower(plan.creditReturn()));
        node.put("ranks", plan.ranks());
        node.put("active", plan.active());
        node.put("processes", plan.processes());
        node.put("nodes", plan.nodes().count());
        node.put("messageLength", plan.messageLength());
        node.put("slots", plan.slots());
        node.put("creditSlots", plan.creditSlots());
        node.putObject("timeNs")
            .put("min", rounded(result.timeNs().min(), 1))
            .put("median", rounded(result.timeNs().median(), 1))
            .put("max", rounded(result.timeNs().max(), 1));
        node.put("overhead", result.overhead() == null ? null : rounded(result.overhead(), 4));
        node.put("delayedShare", rounded(result.delayedShare(), 4));
        node.put("creditPackets", result.creditPackets());
        node.put("creditsStolen", result.creditsStolen());
        node.put("mailboxBytes", result.mailboxBytes());
        node.put("verified", result.verified());
        addDetails(node, result);
        return node;
    }

    private static void addDetails(final ObjectNode node, final FlowResult result)
    {
        node.put("piggyback", result.plan().piggyback());
        node.put("repeats", result.plan().repeats());
        node.put("operations", result.operations());
        node.put("messages", result.messages());
        node.put("requests", result.requests());
        node.put("responses", result.responses());
        if (!result.network().isEmpty())
        {
            node.set("network", MAPPER.valueToTree(result.network()));
            node.put("place", result.plan().nodes().place());
            node.put("seed", result.plan().nodes().seed());
        }
        if (result.roundTrips() != null)
        {
            node.set("roundTripNs", MAPPER.valueToTree(result.roundTrips()));
        }
        if (result.plan().workload() == WorkloadKind.RATE)
        {
            node.put("ratePerSecond", rounded(result.ratePerSecond(), 0));
        }
        if (result.isThesisAlltoall())
        {
            node.put("thesisRatio", rounded(result.thesisRatio(), 4));
        }
        if (result.mismatch() != null)
        {
            node.put("mismatch", result.mismatch());
        }
    }

    private static BigDecimal rounded(final double value, final int digits)
    {
        return BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
    }
}
