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
} as const satisfies Record<string, CatalogueEntry>;
