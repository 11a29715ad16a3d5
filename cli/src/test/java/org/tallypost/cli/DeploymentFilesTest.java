// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.openapi.models.V1VolumeMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.transportaeron.launch.LaunchSetting;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files in deploy/: manifests have the form that Kubernetes prescribes, and all files fit each other and the commands. */
@Tag("once")
class DeploymentFilesTest
{
    private static final Path DEPLOY = Path.of("..", "deploy");
    private static final Gson GSON = new GsonBuilder().registerTypeAdapter(OffsetDateTime.class,
        (JsonDeserializer<OffsetDateTime>)(json, type, context) -> OffsetDateTime.parse(json.getAsString())).create();

    private static String text(final String name) throws IOException
    {
        return Files.readString(DEPLOY.resolve(name));
    }

    private static List<JsonElement> documents(final String yaml)
    {
        return StreamSupport.stream(new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml).spliterator(), false)
            .map(GSON::toJsonTree).toList();
    }

    /** Checks all fields, and then all types of their values. */
    private static void examine(final String yaml) throws IOException
    {
        final List<JsonElement> documents = documents(yaml);
        assertEquals(2, documents.size());
        V1Service.validateJsonElement(documents.get(0));
        final V1Service service = GSON.fromJson(documents.get(0), V1Service.class);
        final V1PodSpec pod;
        final int ranks;
        final Map<String, String> labels = new TreeMap<>();
        if (documents.get(1).getAsJsonObject().get("kind").getAsString().equals("Job"))
        {
            V1Job.validateJsonElement(documents.get(1));
            final V1Job job = GSON.fromJson(documents.get(1), V1Job.class);
            assertEquals("batch/v1", job.getApiVersion());
            assertEquals("Indexed", job.getSpec().getCompletionMode());
            ranks = job.getSpec().getCompletions();
            assertEquals(ranks, job.getSpec().getParallelism(), "all ranks run at the same time");
            pod = job.getSpec().getTemplate().getSpec();
            assertEquals(service.getMetadata().getName(), pod.getSubdomain());
            labels.put("job-name", job.getMetadata().getName());
        }
        else
        {
            V1StatefulSet.validateJsonElement(documents.get(1));
            final V1StatefulSet set = GSON.fromJson(documents.get(1), V1StatefulSet.class);
            assertEquals("apps/v1", set.getApiVersion());
            assertEquals("StatefulSet", set.getKind());
            ranks = set.getSpec().getReplicas();
            pod = set.getSpec().getTemplate().getSpec();
            assertEquals("Parallel", set.getSpec().getPodManagementPolicy(), "each rank waits for the others");
            assertEquals(service.getMetadata().getName(), set.getSpec().getServiceName());
            labels.putAll(set.getSpec().getTemplate().getMetadata().getLabels());
            assertEquals(labels, set.getSpec().getSelector().getMatchLabels());
        }
        assertEquals("None", service.getSpec().getClusterIP(), "a name for each pod");
        assertEquals(labels, service.getSpec().getSelector());
        assertEquals("UDP", service.getSpec().getPorts().get(0).getProtocol());
        examine(pod, ranks, service.getMetadata().getName());
    }

    private static void examine(final V1PodSpec pod, final int ranks, final String domain)
    {
        final V1Container container = pod.getContainers().get(0);
        final Map<String, String> environment = container.getEnv().stream()
            .collect(Collectors.toMap(V1EnvVar::getName, V1EnvVar::getValue));
        final Set<String> known = Arrays.stream(LaunchSetting.values()).map(LaunchSetting::variable).collect(Collectors.toSet());
        assertTrue(known.containsAll(environment.keySet()), environment::toString);
        assertEquals(Integer.toString(ranks), environment.get(LaunchSetting.RANKS.variable()));
        assertEquals(domain, environment.get(LaunchSetting.DOMAIN.variable()));

        final Map<String, V1Volume> volumes = pod.getVolumes().stream().collect(Collectors.toMap(V1Volume::getName, (v) -> v));
        final Map<String, V1VolumeMount> mounts = container.getVolumeMounts().stream()
            .collect(Collectors.toMap(V1VolumeMount::getName, (mount) -> mount));
        assertEquals(volumes.keySet(), mounts.keySet());
        assertEquals("/dev/shm", mounts.get("shm").getMountPath());
        assertEquals("Memory", volumes.get("shm").getEmptyDir().getMedium());
        assertTrue(volumes.get("shm").getEmptyDir().getSizeLimit().getNumber().compareTo(
            container.getResources().getLimits().get("memory").getNumber()) < 0, "its files count against the limit of memory");
        assertTrue(environment.get(LaunchSetting.SECRET_FILE.variable()).startsWith(mounts.get("secret").getMountPath() + "/"));
        assertEquals(pod.getSecurityContext().getRunAsUser(), pod.getSecurityContext().getFsGroup(), "it may read the secret");
        assertTrue(commands().containsAll(container.getArgs()), () -> container.getArgs().toString());
    }

    private static Set<String> commands()
    {
        return Tallypost.commandLine().getSubcommands().keySet();
    }

    @ParameterizedTest
    @CsvSource({"job.yaml", "statefulset.yaml"})
    void shouldHaveManifestsThatKubernetesTakes(final String name) throws IOException
    {
        examine(text(name));
    }

    @ParameterizedTest
    @CsvSource({"medium:, medum:", "medium: Memory, medium: Disk", "name: shm, name: other", "value: \"4\", value: \"5\"",
        "completions: 4, completions: x", "sizeLimit: 256Mi, sizeLimit: 2Gi", "sizeLimit: 256Mi, sizeLimit: much",
        "containers:, container:", "subdomain: ranks, subdomain: rank", "parallelism: 4, parallelism: 2",
        "TALLYPOST_DOMAIN, TALLYPOST_DOMAINS", "[\"hello\"], [\"helo\"]"})
    void shouldFindWhatIsWrongInAManifest(final String right, final String wrong) throws IOException
    {
        final String text = text("job.yaml");
        final String changed = text.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong));
        assertNotEquals(text, changed);
        assertThrows(Throwable.class, () -> examine(changed));
    }

    @Test
    void shouldRunCommandsThatExist() throws IOException
    {
        final Pattern command = Pattern.compile("(?m)^Exec\\w+=\\S+ -jar /opt/tallypost/tallypost\\.jar (\\w+)");
        final List<String> named = command.matcher(text("tallypost@.service")).results().map((found) -> found.group(1)).toList();
        assertEquals(List.of("doctor", "hello"), named);
        assertTrue(commands().containsAll(named));
        final String image = text("Dockerfile");
        assertTrue(image.contains("COPY cli/target/tallypost-cli.jar /opt/tallypost/tallypost.jar\n"));
        assertTrue(image.contains("CMD [\"doctor\""));
        for (final String manifest : List.of("job.yaml", "statefulset.yaml"))
        {
            final String user = image.replaceFirst("(?s).*\nUSER (\\d+)\n.*", "$1");
            assertTrue(text(manifest).contains("runAsUser: " + user + "\n"), manifest);
        }
    }
}
