// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a file of settings: lines "key = value", empty ones, and ones that begin with "#". UTF-8. A key comes once, except
 * "nodes"; its lines add up.
 */
final class LaunchFile
{
    private LaunchFile()
    {
    }

    static Map<LaunchSetting, String> read(final Path file)
    {
        final List<String> lines;
        try
        {
            lines = Files.readAllLines(file);
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException("cannot read the launch file: file=" + file + ", cause=" + ex, ex);
        }
        return parse(lines, file.toString());
    }

    static Map<LaunchSetting, String> parse(final List<String> lines, final String name)
    {
        final Map<LaunchSetting, String> settings = new EnumMap<>(LaunchSetting.class);
        for (int i = 0; i < lines.size(); i++)
        {
            final String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#"))
            {
                continue;
            }
            final int equals = line.indexOf('=');
            final String where = ", file=" + name + ", line=" + (i + 1);
            final LaunchSetting setting = equals < 0 ? null : setting(line.substring(0, equals).strip());
            if (setting == null)
            {
                throw new IllegalArgumentException("no setting: found=\"" + line + "\", expected \"key = value\" with a key of " +
                    keys() + where);
            }
            final String value = line.substring(equals + 1).strip();
            final String before = settings.put(setting, value);
            if (before != null && setting != LaunchSetting.NODES)
            {
                throw new IllegalArgumentException(setting.key() + " is set twice: found=" + before + " and " + value + where);
            }
            if (before != null)
            {
                settings.put(setting, before + "," + value);
            }
        }
        return settings;
    }

    private static LaunchSetting setting(final String key)
    {
        for (final LaunchSetting setting : LaunchSetting.values())
        {
            if (setting.key().equals(key) && setting != LaunchSetting.FILE)
            {
                return setting;
            }
        }
        return null;
    }

    private static String keys()
    {
        final StringBuilder keys = new StringBuilder();
        for (final LaunchSetting setting : LaunchSetting.values())
        {
            keys.append(setting == LaunchSetting.FILE ? "" : keys.length() == 0 ? setting.key() : ", " + setting.key());
        }
        return keys.toString();
    }
}
