// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.tallypost.benchmarks.plan.FlowSelection;
import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.PlanRules;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Sizing;
import org.tallypost.benchmarks.plan.Way;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.benchmarks.process.Coordinator;
import org.tallypost.benchmarks.process.RunOutcome;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.benchmarks.report.Estimate;
import org.tallypost.benchmarks.report.FlowResult;
import org.tallypost.benchmarks.report.JsonReport;
import org.tallypost.benchmarks.report.ResultTable;
import org.tallypost.benchmarks.report.RunSentences;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.cli.console.OptionException;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Flow;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What all workloads have in common on the command line.
 * <p>
 * Exit codes: 0 if every message was verified, 1 if the run failed or something arrived that was not sent, 2 for options that
 * cannot be.
 */
abstract class RunCommand implements Callable<Integer>
{
    /** Messages of a rate test come in batches, because without flow control a whole batch has to fit into the mailbox. */
    private static final int RATE_BATCHES = 5;
    private static final int ALLTOALL_SLOTS = 8;
    private static final int DEFAULT_SLOTS = 16;

    private static final int DEFAULT_LENGTH = 2048;
    private static final int SHORT_LENGTH = 48;

    @Spec
    private CommandSpec spec;

    @Option(names = {"--length", "--message-length"}, paramLabel = "BYTES",
        description = "Bytes of a message, 1 to 16,777,216; default 2048, for pingpong 48.")
    private Integer givenLength;

    @Option(names = "--slots", paramLabel = "N",
        description = "Slots of 64 bytes per sender in each mailbox; default 8 for alltoall, 16 for the others.")
    private Integer slots;

    @Option(names = "--credit-slots", paramLabel = "N", defaultValue = "2",
        description = "Of a sender's slots, those kept for credit packets; default ${DEFAULT-VALUE}.")
    private int creditSlots;

    @Option(names = "--flow", paramLabel = "FLOW", defaultValue = "all", converter = Converters.FlowConverter.class,
        description = "Flow control: none (the reference: mailboxes that hold everything; not with several nodes), static, " +
            "dynamic, or all of them in turns; default ${DEFAULT-VALUE}.")
    private FlowSelection flow;

    @Option(names = "--credit-return", paramLabel = "WAY", defaultValue = "direct",
        converter = Converters.CreditReturnConverter.class,
        description = "How credits come back: direct (shared memory) or packet (through the mailbox); default ${DEFAULT-VALUE}.")
    private CreditReturn creditReturn;

    @Option(names = "--piggyback", description = "Let data packets carry credits.")
    private boolean piggyback;

    @Option(names = "--repeat", paramLabel = "N", defaultValue = "10",
        description = "Turns of each flow control that are measured; default ${DEFAULT-VALUE}.")
    private int repeat;

    @Option(names = "--operations", paramLabel = "N",
        description = "Operations in a turn, each timed (alltoall); round trips in a turn, timed together (pingpong, " +
            "multipingpong); messages of each sender in a batch, five batches in a turn (rate). Default: as many as make some " +
            "20,000 messages, but no more than 200 (alltoall) or 8 MiB (rate).")
    private Integer operations;

    @Option(names = "--warmup", paramLabel = "N",
        description = "Operations of each flow control before measuring. Default: as many as make some 200,000 messages, " +
            "but no more than 2,000 (alltoall).")
    private Integer warmup;

    @Option(names = "--check-all", description = "Compare all bytes of every message in the measured turns as well, not " +
        "only its ends, length and tag.")
    private boolean isAllChecked;

    @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "60s", converter = DurationConverter.class,
        description = "Give up when no message moved for so long, such as 60s or 2m; default ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Option(names = "--json", paramLabel = "FILE", description = "Write results and environment to this file as well.")
    private Path json;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Existing directory for the mapped files; default /dev/shm, or the system's place for temporary files.")
    private File directory;

    @Option(names = "--corrupt-rank", paramLabel = "RANK", defaultValue = "-1", hidden = true,
        description = "Damage one byte that this rank sends in each step in which all bytes are compared, to see that it is " +
            "found.")
    private int corruptRank;

    @Mixin
    private NodeOptions nodeOptions;

    abstract WorkloadKind workload();

    abstract int ranks();

    abstract int processes();

    abstract int active();

    /** The paths of messages that take turns. */
    List<MessagePath> paths()
    {
        return List.of(MessagePath.RUNS);
    }

    @Override
    public final Integer call() throws IOException, InterruptedException
    {
        final RunPlan plan = plan();
        final File parent = directory == null ? WorkDirectory.defaultParent() : directory;
        check(plan, parent);
        final PrintStream errorStream = System.err;
        errorStream.println(Estimate.of(plan, Runtime.getRuntime().availableProcessors()).sentence());
        final RunOutcome outcome = new Coordinator(plan, parent, new ProgressLine(plan, errorStream), errorStream).run();
        final boolean hasRun = outcome.failure() == null;
        final List<FlowResult> results = hasRun ? FlowResult.of(plan, outcome) : List.of();
        if (json != null)
        {
            JsonFile.write(json, JsonReport.tree(results, Environment.current(outcome.flags()), outcome.failure()));
        }
        if (!hasRun)
        {
            errorStream.println("FAILED: " + outcome.failure());
            return 1;
        }
        final PrintWriter out = spec.commandLine().getOut();
        out.print(ResultTable.format(plan, results));
        RunSentences.of(plan, results).forEach(out::println);
        out.flush();
        return results.stream().allMatch(FlowResult::verified) ? 0 : 1;
    }

    private int slots()
    {
        return slots != null ? slots : workload() == WorkloadKind.ALLTOALL ? ALLTOALL_SLOTS : DEFAULT_SLOTS;
    }

    private int defaultWarmup(final long senders, final int messageLength)
    {
        final int usual = PlanRules.warmupOperations(workload(), senders, messageLength);
        return workload() != WorkloadKind.ALLTOALL || !paths().contains(MessagePath.REGIONS) ? usual : Math.max(
            usual, PlanRules.operationsPerLap(ranks(), slots(), active(), MessagePath.REGIONS, messageLength));
    }

    private RunPlan plan()
    {
        final WorkloadKind workload = workload();
        final long senders = switch (workload)
        {
            case ALLTOALL -> (long)active() * (active() - 1);
            case PINGPONG, MULTIPINGPONG -> active();
            case RATE -> active() - 1;
        };
        final int messageLength =
            givenLength != null ? givenLength : workload == WorkloadKind.PINGPONG ? SHORT_LENGTH : DEFAULT_LENGTH;
        final int turn = operations != null ? operations : PlanRules.operationsPerTurn(workload, senders, messageLength);
        final int before = warmup != null ? warmup : defaultWarmup(senders, messageLength);
        // without credits nothing bounds what is under way between nodes
        final List<Flow> flows = nodeOptions.nodes() == 1 || flow != FlowSelection.ALL ? flow.flows() :
            flow.flows().stream().filter(each -> each != Flow.NONE).toList();
        final boolean isStepAnOperation = workload == WorkloadKind.ALLTOALL;
        final int batches = workload == WorkloadKind.RATE ? RATE_BATCHES : 1;
        return new RunPlan(
            workload,
            ranks(),
            processes(),
            active(),
            messageLength,
            slots(),
            creditSlots,
            flows,
            paths(),
            isAllChecked,
            creditReturn,
            piggyback,
            repeat,
            isStepAnOperation ? turn : batches,
            isStepAnOperation ? 1 : turn,
            isStepAnOperation ? before : (before + Math.max(1, turn) - 1) / Math.max(1, turn),
            timeout.toNanos(),
            corruptRank,
            nodeOptions.plan(flows.size() * paths().size()));
    }

    private void check(final RunPlan plan, final File parent) throws IOException
    {
        Optional<String> problem = PlanRules.problem(plan);
        if (problem.isEmpty())
        {
            problem = WorkDirectory.problem(parent).map((expected) -> "--directory: found " + parent + ", expected " + expected);
        }
        final Path jsonParent = json == null ? null : json.toAbsolutePath().getParent();
        if (problem.isEmpty() && jsonParent != null && !Files.isDirectory(jsonParent))
        {
            problem = Optional.of("--json: found " + json + ", expected a file in an existing directory");
        }
        if (problem.isEmpty())
        {
            final long usable = WorkDirectory.usableBytes(parent.toPath());
            final long needed = Sizing.fileBytes(plan);
            if (needed > usable)
            {
                problem = Optional.of(String.format(Locale.ROOT,
                    "--directory: found %,d bytes free in %s, expected at least %,d for %s (%,d of them for flow none)",
                    usable, parent, needed, plan.ways().stream().map(Way::text).toList(), Sizing.referenceBytes(plan)));
            }
        }
        if (problem.isPresent())
        {
            throw new OptionException(spec.commandLine(), problem.get());
        }
    }
}
