import { type CatalogueEntry, entry } from './catalogue-entry.ts';

/** Failures of training: its window, its workspaces and its result files. */
export const trainingFailures = {
  training_only: entry(
    404,
    'info',
    'This belongs to training.',
    'Open Training from the Help menu or the command palette.',
  ),
  no_workspace: entry(409, 'info', 'No mission or practice is open.', 'Start one on the Training page.'),
  workspace_open: entry(
    409,
    'info',
    'A mission or practice is open already.',
    'Finish it or leave it first.',
  ),
  workspace_kind: entry(
    409,
    'info',
    'This is not part of what is open now.',
    'Leave it, and start what you need on the Training page.',
  ),
  nothing_left: entry(404, 'info', 'There is nothing to go on with.', 'Start a mission or practice.'),
  trainee_missing: entry(422, 'info', 'Nobody has said who trains.', 'Enter a name on the Training page.'),
  attempt_not_found: entry(404, 'info', 'There is no such attempt.', 'Open the list of attempts.'),
  practice_state_unknown: entry(
    404,
    'info',
    'There is no saved state of this name.',
    'Choose one of the list.',
  ),
  result_refused: entry(
    422,
    'warn',
    'This is no intact result file.',
    'Ask for the file again as Countersign saved it.',
  ),
} as const satisfies Record<string, CatalogueEntry>;
