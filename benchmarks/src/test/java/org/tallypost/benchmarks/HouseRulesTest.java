// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Which class may know which. The poms hold the modules apart; this holds what a pom cannot see: which parts of
 * the JDK the protocol touches, and how far Aeron's types travel.
 */
@Tag("once")
class HouseRulesTest
{
    private static JavaClasses product;

    @BeforeAll
    static void importClasses()
    {
        product = ImportedClasses.ALL;
    }

    @Test
    void shouldKeepTheProtocolFreeOfMemoryThreadsClocksAndFiles()
    {
        shouldBePure("org.tallypost.creditprotocol..");
    }

    @Test
    void shouldKeepSchedulesFreeOfMemoryThreadsClocksAndFiles()
    {
        shouldBePure("org.tallypost.schedule..");
    }

    /** Of the product the fabric knows the protocol and the schedules, and it has no clock but its own. */
    @Test
    void shouldKeepTheFabricToTheProtocolAndTheSchedules()
    {
        check(classes().that().resideInAPackage("org.tallypost.fabric..").should().onlyDependOnClassesThat()
            .resideInAnyPackage("org.tallypost.fabric..", "org.tallypost.creditprotocol..", "org.tallypost.schedule..",
            "java.lang..", "java.util.."));
        check(noClasses().that().resideInAPackage("org.tallypost.fabric..")
            .should().callMethod(System.class, "nanoTime")
            .orShould().callMethod(System.class, "currentTimeMillis"));
    }

    private static void shouldBePure(final String packages)
    {
        check(classes().that().resideInAPackage(packages)
            .should().onlyDependOnClassesThat()
            .resideInAnyPackage(packages, "java.lang", "java.lang.annotation", "java.lang.invoke",
            "java.lang.runtime", "java.util", "java.util.function"));
        check(noClasses().that().resideInAPackage(packages)
            .should().dependOnClassesThat().areAssignableTo(Thread.class)
            .orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(System.class, "currentTimeMillis"));
    }

    @Test
    void shouldKeepMailboxAndProtocolStrangers()
    {
        check(noClasses().that().resideInAPackage("org.tallypost.mailbox..")
            .should().dependOnClassesThat().resideInAPackage("org.tallypost.creditprotocol.."));
        check(noClasses().that().resideInAPackage("org.tallypost.creditprotocol..")
            .should().dependOnClassesThat().resideInAPackage("org.tallypost.mailbox.."));
    }

    @Test
    void shouldStopAeronAtItsTransport()
    {
        check(noClasses().that().resideInAnyPackage(
            "org.tallypost.mailbox..", "org.tallypost.creditprotocol..", "org.tallypost.endpoint..",
            "org.tallypost.messaging..", "org.tallypost.collectives..", "org.tallypost.activemessages..",
            "org.tallypost.services..", "org.tallypost.deck..",
            "org.tallypost.cli..", "mpi..")
            .should().dependOnClassesThat().resideInAPackage("io.aeron.."));
    }

    @Test
    void shouldShowNoTypeOfAeronToThoseWhoUseTheTransport()
    {
        final DescribedPredicate<JavaCodeUnit> showsAeron = DescribedPredicate.describe("show a type of Aeron", (unit) ->
            Stream.concat(unit.getAllInvolvedRawTypes().stream(), unit.getExceptionTypes().stream())
            .anyMatch((type) -> type.getBaseComponentType().getPackageName().startsWith("io.aeron")));
        check(noCodeUnits().that().areDeclaredInClassesThat(arePublicIn("org.tallypost.transportaeron.."))
            .and().areNotPrivate().and().areNotPackagePrivate().should(ArchConditions.be(showsAeron)));
        check(noFields().that().areDeclaredInClassesThat(arePublicIn("org.tallypost.transportaeron.."))
            .and().areNotPrivate().and().areNotPackagePrivate().should()
            .haveRawType(JavaClass.Predicates.resideInAPackage("io.aeron..")));
        check(noClasses().that(arePublicIn("org.tallypost.transportaeron.."))
            .should().beAssignableTo(JavaClass.Predicates.resideInAPackage("io.aeron..")));
    }

    private static DescribedPredicate<JavaClass> arePublicIn(final String packages)
    {
        return JavaClass.Predicates.resideInAPackage(packages).and(JavaClass.Predicates.resideOutsideOfPackage("..internal.."))
            .and(DescribedPredicate.describe("are public", (type) -> type.getModifiers().contains(JavaModifier.PUBLIC)));
    }

    @Test
    void shouldImportDownwardsOnly()
    {
        check(slices().matching("org.tallypost.(*)..").should().beFreeOfCycles());
        check(slices().matching("org.tallypost.cli.(*)..").should().notDependOnEachOther()
            .ignoreDependency(
            DescribedPredicate.alwaysTrue(), JavaClass.Predicates.resideInAPackage("org.tallypost.cli.console")));
        check(noClasses().that().resideOutsideOfPackage("org.tallypost.benchmarks..")
            .should().dependOnClassesThat().resideInAPackage("org.tallypost.benchmarks.."));
    }

    @Test
    void shouldKeepTheHarnessFreeOfWhatItMeasures()
    {
        check(noClasses().that().resideInAPackage("org.tallypost.benchmarks.harness..")
            .should().dependOnClassesThat().resideInAnyPackage("org.tallypost.benchmarks.compare..",
            "org.tallypost.benchmarks.study..", "org.tallypost.endpoint..", "org.tallypost.transportaeron..", "io.aeron.."));
    }

    /** How long it takes to compare proofs and nonces must not tell how many bytes were right. Terms are no secret. */
    @Test
    void shouldCompareProofsInTheSameTimeWhereverTheyDiffer()
    {
        check(noClasses().that().resideInAPackage("org.tallypost.transportaeron..")
            .and().doNotHaveSimpleName("GroupTerms")
            .should().callMethod(Arrays.class, "equals", byte[].class, byte[].class)
            .orShould().callMethod(Arrays.class, "compare", byte[].class, byte[].class)
            .orShould().callMethod(Arrays.class, "mismatch", byte[].class, byte[].class));
    }

    /** What a program's error handler throws must not end a thread of the runtime, and its floods are bounded. */
    @Test
    void shouldCallTheErrorHandlerOfAProgramBehindItsGuardOnly()
    {
        final DescribedPredicate<JavaCall<?>> asksForIt = JavaCall.Predicates.target(HasName.Predicates.name("errorHandler"))
            .and(JavaCall.Predicates.target(HasOwner.Predicates.With.owner(
            JavaClass.Predicates.assignableTo("org.tallypost.endpoint.NodeContext"))));
        check(noClasses().that().resideInAnyPackage("org.tallypost.endpoint..", "org.tallypost.transportaeron..")
            .and().doNotHaveSimpleName("LocalNode")
            .should().callCodeUnitWhere(DescribedPredicate.describe("ask for the program's own", asksForIt::test)));
        check(noClasses().that().resideInAnyPackage("org.tallypost.mailbox..", "org.tallypost.endpoint..")
            .and().doNotHaveSimpleName("GuardedErrorHandler")
            .should().callMethod("org.agrona.ErrorHandler", "onError", Throwable.class.getName()));
    }

    private static void check(final ArchRule rule)
    {
        // A module that has no classes yet breaks no rule.
        rule.allowEmptyShould(true).check(product);
    }
}
