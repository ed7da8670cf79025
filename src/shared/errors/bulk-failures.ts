import { type CatalogueEntry, entry } from './catalogue-entry.ts';

/** Failures of changes of many campaigns, and of their files. */
export const bulkFailures = {
  bulk_not_started: entry(
    409,
    'info',
    'This selection of campaigns is no longer open. No draft was changed.',
    'Select the campaigns again.',
  ),
  pattern_too_slow: entry(
    422,
    'info',
    'The regular expression takes too long. No draft was changed.',
    'Make it simpler: avoid repetitions inside of repetitions.',
  ),
  pattern_invalid: entry(
    422,
    'info',
    'The regular expression is not valid.',
    'Correct it, or search for plain text.',
  ),
  csv_unreadable: entry(
    422,
    'info',
    'This file cannot be read as a table of campaigns. No draft was changed.',
    'Save it as CSV with the column “Campaign id (cid)”, or choose its encoding and separator.',
  ),
  csv_too_large: entry(
    413,
    'info',
    'This file is too large. No draft was changed.',
    'Use at most 20 MB, 10,000 rows, 300 columns and 100,000 characters in a cell.',
  ),
  csv_too_slow: entry(
    422,
    'info',
    'Reading this file takes too long. No draft was changed.',
    'Check that it is a CSV file, and divide it into smaller ones.',
  ),
} as const satisfies Record<string, CatalogueEntry>;
