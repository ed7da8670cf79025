import { failures } from './catalogue-entry.ts';

export const reportFailures = {
  ...failures(422, 'info', {
    number_too_large: [
      'A sum of this report is too large to be exact, so it is not shown. The data is unchanged.',
      'Choose a shorter range or fewer rows.',
    ],
  }),
  ...failures(502, 'info', {
    report_too_large: [
      'The report of the service is larger than Countersign can read.',
      'Choose a shorter range, or a single feed.',
    ],
  }),
  ...failures(500, 'warn', {
    report_cache_damaged: [
      'A part of the report cache is damaged. It is not used.',
      'Refresh the report to read it again.',
    ],
  }),
  ...failures(410, 'info', {
    report_export_ended: ['This export has ended.', 'Start it again. The incomplete file was not kept.'],
  }),
  ...failures(403, 'info', {
    clipboard_refused: [
      'Nothing was copied: the browser refused the clipboard.',
      'Click in this window and copy again, or save a file instead.',
    ],
  }),
  ...failures(500, 'error', {
    report_worker_failed: ['The figures could not be computed.', 'Try again. Loaded data is kept.'],
  }),
};

export const labelFailures = {
  ...failures(404, 'info', {
    label_unknown: ['There is no such label.', 'Open the list of labels.'],
  }),
  ...failures(409, 'info', {
    label_name_taken: ['Another label of this profile has this name.', 'Choose another name.'],
    label_limit: [
      'This profile has 100 labels already.',
      'Delete a label that you no longer need, then add this one.',
    ],
  }),
};

export const reportNoteFailures = {
  ...failures(409, 'info', {
    mark_limit: [
      'This profile has 1,000 marks already.',
      'Remove marks that you no longer need, then mark the value again.',
    ],
    view_name_taken: [
      'Another view of this profile has this name.',
      'Choose another name, or replace that view.',
    ],
    view_limit: [
      'This profile has 50 views already.',
      'Delete a view that you no longer need, then save again.',
    ],
    alert_limit: [
      'This profile has 50 alerts already.',
      'Delete an alert that you no longer need, then add this one.',
    ],
  }),
  ...failures(404, 'info', {
    view_unknown: ['There is no such view.', 'Open the list of views.'],
    alert_unknown: ['There is no such alert.', 'Open the list of alerts.'],
  }),
};
