import { type CatalogueEntry, entry } from './catalogue-entry.ts';

/** Failures of reading, summing and exporting reports. */
export const reportFailures = {
  number_too_large: entry(
    422,
    'info',
    'A sum of this report is too large to be exact, so it is not shown. The data is unchanged.',
    'Choose a shorter range or fewer rows.',
  ),
  report_too_large: entry(
    502,
    'info',
    'The report of the service is larger than Countersign reads.',
    'Choose a shorter range, or a single feed.',
  ),
  report_cache_damaged: entry(
    500,
    'warn',
    'A part of the report cache is damaged. It is not used.',
    'Refresh the report to read it again.',
  ),

  report_export_ended: entry(
    410,
    'info',
    'This export has ended.',
    'Start it again. Nothing of the first file was kept.',
  ),
  clipboard_refused: entry(
    403,
    'info',
    'Nothing was copied: the browser refused the clipboard.',
    'Turn to this window and copy again, or save a file instead.',
  ),
  report_worker_failed: entry(
    500,
    'error',
    'The figures could not be worked out.',
    'Try again. What was read is kept.',
  ),
} as const satisfies Record<string, CatalogueEntry>;

/** Failures of labels of campaigns, which lie on this computer only. */
export const labelFailures = {
  label_unknown: entry(404, 'info', 'There is no such label.', 'Open the list of labels.'),
  label_name_taken: entry(
    409,
    'info',
    'Another label of this profile has this name.',
    'Choose another name.',
  ),
  label_limit: entry(
    409,
    'info',
    'This profile has 100 labels already.',
    'Delete a label that you no longer need, then add this one.',
  ),
} satisfies Record<string, CatalogueEntry>;

/** Failures of marks, saved views and alerts of the reports. All of them lie on this computer only. */
export const reportNoteFailures = {
  mark_limit: entry(
    409,
    'info',
    'This profile has 1,000 marks already.',
    'Remove marks that you no longer need, then mark the value again.',
  ),
  view_unknown: entry(404, 'info', 'There is no such view.', 'Open the list of views.'),
  view_name_taken: entry(
    409,
    'info',
    'Another view of this profile has this name.',
    'Choose another name, or replace that view.',
  ),
  view_limit: entry(
    409,
    'info',
    'This profile has 50 views already.',
    'Delete a view that you no longer need, then save again.',
  ),
  alert_unknown: entry(404, 'info', 'There is no such alert.', 'Open the list of alerts.'),
  alert_limit: entry(
    409,
    'info',
    'This profile has 50 alerts already.',
    'Delete an alert that you no longer need, then add this one.',
  ),
} satisfies Record<string, CatalogueEntry>;
