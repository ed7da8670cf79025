import { entry } from './catalogue-entry.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';

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
