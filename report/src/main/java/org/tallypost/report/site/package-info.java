// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The documents as a site: one page of HTML for each document, with navigation, that needs no network and no server.
 */
package org.tallypost.report.site;
