import { type CatalogueEntry, entry } from './catalogue-entry.ts';

/** Failures of the program itself, of its loopback listeners, and of JSON that a canonical form cannot carry. */
export const programFailures = {
  // The program itself
  internal: entry(
    500,
    'error',
    'Something went wrong inside Countersign.',
    'Try again. If it persists, report it with the log from the data folder.',
  ),
  bad_input: entry(
    400,
    'info',
    'The request is not in the expected form.',
    'Correct the named fields and send it again.',
  ),
  not_signed_in: entry(
    401,
    'info',
    'This page has no valid session.',
    'Open the address that Countersign printed at start.',
  ),
  session_ended: entry(
    410,
    'info',
    'The session ended before this call was answered.',
    'Look at the current state before you repeat the call.',
  ),
  shutting_down: entry(
    503,
    'info',
    'Countersign is closing. Nothing was done.',
    'Start it again, then try again.',
  ),
  sender_refused: entry(
    403,
    'warn',
    'This part of the program may not ask for that. Nothing was done.',
    'Use the window that Countersign opened.',
  ),
  core_unreachable: entry(
    502,
    'warn',
    'Countersign does not answer.',
    'Check that it is still running, then try again.',
  ),
  core_stopped_often: entry(
    500,
    'error',
    'Countersign’s core stopped several times.',
    'Start it again. If it stops again, report it with the diagnostics.',
  ),
  database_engine_unusable: entry(
    500,
    'error',
    'The database engine of Countersign does not load on this computer.',
    'Install Countersign again from where you got it. On Linux, update the system first.',
  ),
  secret_unreadable: entry(
    500,
    'error',
    'A stored secret cannot be opened with the key of this session.',
    'Sign in again, or start with the host that stored it.',
  ),
  vault_unusable: entry(
    500,
    'warn',
    'The key could not be saved on this computer.',
    'Try again at the next start. Until then, secrets last until you quit.',
  ),
  pages_missing: entry(
    500,
    'error',
    'The pages of the app are missing.',
    'Build them with `npm run build`, or install Countersign again.',
  ),
  port_taken: entry(
    500,
    'error',
    'Another program listens on this port already, or the system has reserved it.',
    'Close that program, or choose another port.',
  ),
  policy_unusable: entry(
    403,
    'error',
    'The policy of this computer’s administrator cannot be used.',
    'Ask your administrator to correct it. Countersign notices that by itself.',
  ),
  service_not_allowed: entry(
    403,
    'info',
    'The policy of this computer’s administrator does not allow this service.',
    'Use a service that it allows, or ask your administrator.',
  ),

  // Guards of the loopback listeners
  host_not_allowed: entry(
    421,
    'warn',
    'This address is not served here.',
    'Use the address that was printed at start.',
  ),
  origin_not_allowed: entry(
    403,
    'warn',
    'Requests from other pages are refused.',
    'Use the page that Countersign opened.',
  ),
  bad_request: entry(400, 'info', 'The request could not be read.', 'Correct the request and send it again.'),
  not_found: entry(404, 'info', 'There is nothing at this address.', 'Check the path and the id.'),
  method_not_allowed: entry(
    405,
    'info',
    'This address does not take that method.',
    'Use a method that the contract names.',
  ),
  request_timeout: entry(
    408,
    'info',
    'The request took too long to arrive.',
    'Send it again on a better connection.',
  ),
  payload_too_large: entry(413, 'info', 'The request body is too large.', 'Send less at once.'),
  uri_too_long: entry(414, 'info', 'The address is too long.', 'Use fewer or shorter parameters.'),
  unsupported_media_type: entry(
    415,
    'info',
    'The body must be JSON.',
    'Send `Content-Type: application/json`.',
  ),
  headers_too_large: entry(
    431,
    'info',
    'The request headers are too large.',
    'Send fewer or shorter headers.',
  ),

  // JSON that a canonical form cannot carry
  json_invalid: entry(400, 'info', 'The body is not valid JSON.', 'Correct the JSON and send it again.'),
  json_duplicate_key: entry(400, 'info', 'The JSON names the same key twice.', 'Name each key once.'),
  json_forbidden_key: entry(400, 'info', 'The JSON uses a key that is not allowed.', 'Remove the key.'),
  json_number_inexact: entry(
    400,
    'info',
    'The JSON has a number that cannot be kept exactly.',
    'Use a number with fewer digits.',
  ),
  json_lone_surrogate: entry(400, 'info', 'The JSON has a broken character.', 'Send well-formed Unicode.'),
  json_too_deep: entry(400, 'info', 'The JSON is nested too deeply.', 'Use at most 64 levels.'),
  json_too_large: entry(
    413,
    'info',
    'The JSON contains too many members or entries.',
    'Send at most 5,000 members in one object, and 50,000 members and entries in all.',
  ),
} as const satisfies Record<string, CatalogueEntry>;

/** Failures of the data folder, its databases and its disk. */
export const storageFailures = {
  data_folder_locked: entry(
    423,
    'warn',
    'Another Countersign uses this data folder.',
    'Close the other one, or start with another folder.',
  ),
  data_folder_unusable: entry(
    500,
    'error',
    'The data folder cannot be used.',
    'Check that the folder exists and is yours to write.',
  ),
  data_folder_remote: entry(
    500,
    'error',
    'The data folder is on a network, where the data would not be safe.',
    'Choose a folder on a disk of this computer.',
  ),
  data_folder_open: entry(
    500,
    'error',
    'Other users of this computer may read the data folder, and Windows did not close it to them.',
    'Choose a folder inside of your profile, or on a drive that keeps permissions (NTFS).',
  ),
  data_folder_foreign: entry(
    500,
    'error',
    'The folder contains files of something else, and would be closed to others. Nothing was changed.',
    'Name an empty folder, or one that does not exist yet.',
  ),
  path_occupied: entry(
    500,
    'error',
    'There is a folder in the place of a file of Countersign.',
    'Move it away, then start again. Nothing was changed.',
  ),
  lock_damaged: entry(
    500,
    'error',
    'The lock file of the data folder is damaged.',
    'Restart the computer. If this message comes back, start with a new folder and restore a backup there.',
  ),
  lock_lost: entry(
    507,
    'error',
    'The lock file of the data folder was deleted or replaced, so nothing more is saved or sent.',
    'Quit Countersign, then start it again. Never delete the files of the lock.',
  ),
  schema_newer: entry(
    500,
    'error',
    'The data was written by a newer Countersign.',
    'Install the newer version. Nothing was changed.',
  ),
  schema_older_build: entry(
    500,
    'error',
    'The data folder is from an older build of Countersign.',
    'Move the folder away, or choose another one, to start fresh. Nothing in it was changed.',
  ),
  schema_unknown: entry(
    500,
    'error',
    'A database has a schema number that no Countersign writes.',
    'Put a backup in its place, then start again. Nothing was changed.',
  ),
  schema_incomplete: entry(
    500,
    'error',
    'The tables of a database are not those of its schema number.',
    'Put a backup in its place, or move it away to begin with an empty one. Nothing was changed.',
  ),
  rows_contradict: entry(
    500,
    'error',
    'Stored rows contradict each other.',
    'Put a backup in its place, or move it away to begin with an empty one.',
  ),
  database_corrupt: entry(
    500,
    'error',
    'A database file is damaged.',
    'Keep the damaged file, and put a backup in its place.',
  ),
  disk_full: entry(
    507,
    'error',
    'The disk is full: nothing more can be saved.',
    'Free some space on it, then try again.',
  ),
  disk_read_only: entry(
    507,
    'error',
    'The disk cannot be written to.',
    'Make it writable, or choose another place.',
  ),
  storage_failed: entry(
    507,
    'error',
    'The change could not be written to disk.',
    'Check the disk, then try again.',
  ),
  file_in_use: entry(
    409,
    'warn',
    'Another program has this file open, so it was not replaced.',
    'Close the file there, then save again.',
  ),
  file_unreadable: entry(
    422,
    'info',
    'This file cannot be read: it was moved or changed since, or another program has it open.',
    'Choose it again.',
  ),
} as const satisfies Record<string, CatalogueEntry>;

/** The failures of a disk or a database during work. The answer of a service is the same for all of them: not ready. */
export const storageCodes = [
  'storage_failed',
  'disk_full',
  'disk_read_only',
  'database_corrupt',
] as const satisfies readonly (keyof typeof storageFailures)[];

/** Failures of backups, restores and the deletion of the data. */
export const dataFailures = {
  backup_unreadable: entry(
    422,
    'info',
    'This isn’t a complete Countersign backup.',
    'Choose a file that “Back up…” has saved.',
  ),
  backup_newer: entry(
    409,
    'info',
    'This backup was made by a newer Countersign.',
    'Install the newer version, then restore it.',
  ),
  backup_damaged: entry(
    422,
    'warn',
    'This backup is damaged or was edited. Nothing was replaced.',
    'Choose another backup.',
  ),
  data_busy: entry(409, 'info', 'A backup is being made.', 'Wait until it is saved.'),
  data_run_ended: entry(409, 'info', 'This backup or restore has ended.', 'Begin again.'),
  training_running: entry(409, 'info', 'Training is open.', 'Close it first.'),
} as const satisfies Record<string, CatalogueEntry>;

/** Failures of training: its window, its workspaces and its result files. */
export const trainingFailures = {
  training_only: entry(
    404,
    'info',
    'This belongs to training.',
    'Open Training at the left, or from the command palette.',
  ),
  no_workspace: entry(409, 'info', 'No mission or practice is open.', 'Start one on the Training page.'),
  formats_elsewhere: entry(
    409,
    'info',
    'Training writes numbers and times as Countersign does.',
    'Change it on the Settings page of Countersign itself.',
  ),
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
  nothing_left: entry(404, 'info', 'There is nothing to resume.', 'Start a mission or practice.'),
  trainee_missing: entry(422, 'info', 'Training needs a name.', 'Enter a name on the Training page.'),
  attempt_not_found: entry(404, 'info', 'There is no such attempt.', 'Open the list of attempts.'),
  figure_unknown: entry(404, 'info', 'This lesson has no such picture.', 'Continue without it.'),
  practice_state_unknown: entry(
    404,
    'info',
    'There is no saved state with this name.',
    'Choose one from the list.',
  ),
  practice_states_full: entry(
    409,
    'info',
    'Practice cannot keep more saved states.',
    'Save under a name in the list to replace that state.',
  ),
} as const satisfies Record<string, CatalogueEntry>;
