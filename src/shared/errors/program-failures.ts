import { failures } from './catalogue-entry.ts';

export const programFailures = {
  // The program itself
  ...failures(500, 'error', {
    internal: [
      'Something went wrong inside Countersign.',
      'Try again. If it persists, report it with the log from the data folder.',
    ],
    core_stopped_often: [
      'Countersign’s core stopped several times.',
      'Start it again. If it stops again, report it with the diagnostics.',
    ],
    database_engine_unusable: [
      'The database engine of Countersign does not load on this computer.',
      'Install Countersign again from where you got it. On Linux, update the system first.',
    ],
    secret_unreadable: [
      'A stored secret cannot be opened with the key of this session.',
      'Sign in again, or start with the host that stored it.',
    ],
    pages_missing: [
      'The pages of the app are missing.',
      'Build them with `npm run build`, or install Countersign again.',
    ],
    port_taken: [
      'Another program listens on this port already, or the system has reserved it.',
      'Close that program, or choose another port.',
    ],
  }),
  ...failures(400, 'info', {
    bad_input: ['The request is not in the expected form.', 'Correct the named fields and send it again.'],
  }),
  ...failures(401, 'info', {
    not_signed_in: ['This page has no valid session.', 'Open the address that Countersign printed at start.'],
  }),
  ...failures(410, 'info', {
    session_ended: [
      'The session ended before this call was answered.',
      'Look at the current state before you repeat the call.',
    ],
  }),
  ...failures(503, 'info', {
    shutting_down: ['Countersign is closing. Nothing was done.', 'Start it again, then try again.'],
  }),
  ...failures(403, 'warn', {
    sender_refused: [
      'This window may not send this request. Nothing was done.',
      'Use the window that Countersign opened.',
    ],
  }),
  ...failures(502, 'warn', {
    core_unreachable: ['Countersign does not answer.', 'Check that it is still running, then try again.'],
  }),
  ...failures(500, 'warn', {
    vault_unusable: [
      'The key could not be saved on this computer.',
      'Try again at the next start. Until then, secrets last until you quit.',
    ],
  }),
  ...failures(403, 'error', {
    policy_unusable: [
      'The policy of this computer’s administrator cannot be used.',
      'Ask your administrator to correct it. Countersign notices that by itself.',
    ],
  }),
  ...failures(403, 'info', {
    service_not_allowed: [
      'The policy of this computer’s administrator does not allow this service.',
      'Use a service that it allows, or ask your administrator.',
    ],
  }),
  // Guards of the loopback listeners
  ...failures(421, 'warn', {
    host_not_allowed: ['This address is not served here.', 'Use the address that was printed at start.'],
  }),
  ...failures(403, 'warn', {
    origin_not_allowed: ['Requests from other pages are refused.', 'Use the page that Countersign opened.'],
  }),
  ...failures(400, 'info', {
    bad_request: ['The request could not be read.', 'Correct the request and send it again.'],
  }),
  ...failures(404, 'info', {
    not_found: ['There is nothing at this address.', 'Check the path and the id.'],
  }),
  ...failures(405, 'info', {
    method_not_allowed: ['This address does not take that method.', 'Use a method that the contract names.'],
  }),
  ...failures(408, 'info', {
    request_timeout: ['The request took too long to arrive.', 'Send it again on a better connection.'],
  }),
  ...failures(413, 'info', {
    payload_too_large: ['The request body is too large.', 'Send less at once.'],
  }),
  ...failures(414, 'info', {
    uri_too_long: ['The address is too long.', 'Use fewer or shorter parameters.'],
  }),
  ...failures(415, 'info', {
    unsupported_media_type: ['The body must be JSON.', 'Send `Content-Type: application/json`.'],
  }),
  ...failures(431, 'info', {
    headers_too_large: ['The request headers are too large.', 'Send fewer or shorter headers.'],
  }),
  // JSON that a canonical form cannot carry
  ...failures(400, 'info', {
    json_invalid: ['The body is not valid JSON.', 'Correct the JSON and send it again.'],
    json_duplicate_key: ['The JSON names the same key twice.', 'Name each key once.'],
    json_forbidden_key: ['The JSON uses a key that is not allowed.', 'Remove the key.'],
    json_number_inexact: [
      'The JSON has a number that cannot be kept exactly.',
      'Use a number with fewer digits.',
    ],
    json_lone_surrogate: ['The JSON has a broken character.', 'Send well-formed Unicode.'],
    json_too_deep: ['The JSON is nested too deeply.', 'Use at most 64 levels.'],
  }),
  ...failures(413, 'info', {
    json_too_large: [
      'The JSON contains too many members or entries.',
      'Send at most 5,000 members in one object, and 50,000 members and entries in all.',
    ],
  }),
};

export const storageFailures = {
  ...failures(423, 'warn', {
    data_folder_locked: [
      'Another Countersign uses this data folder.',
      'Close the other one, or start with another folder.',
    ],
  }),
  ...failures(500, 'error', {
    data_folder_unusable: [
      'The data folder cannot be used.',
      'Check that the folder exists and is yours to write.',
    ],
    data_folder_remote: [
      'The data folder is on a network, where the data would not be safe.',
      'Choose a folder on a disk of this computer.',
    ],
    data_folder_open: [
      'Other users of this computer may read the data folder, and Windows did not restrict it.',
      'Choose a folder inside your profile, or on a drive that keeps permissions (NTFS).',
    ],
    data_folder_foreign: [
      'The folder contains files that are not Countersign’s, and would become private. Nothing was changed.',
      'Name an empty folder, or one that does not exist yet.',
    ],
    path_occupied: [
      'There is a folder in the place of a file of Countersign.',
      'Move it away, then start again. Nothing was changed.',
    ],
    lock_damaged: [
      'The lock file of the data folder is damaged.',
      'Restart the computer. If this message comes back, start with a new folder and restore a backup there.',
    ],
    schema_newer: [
      'The data was written by a newer Countersign.',
      'Install the newer version. Nothing was changed.',
    ],
    schema_older_build: [
      'The data folder is from an older build of Countersign.',
      'Move the folder away, or choose another one, to start fresh. Nothing in it was changed.',
    ],
    schema_unknown: [
      'A database has a schema number that no Countersign writes.',
      'Replace it with a backup, then start again. Nothing was changed.',
    ],
    schema_incomplete: [
      'The tables of a database are not those of its schema number.',
      'Replace it with a backup, or move it away to start with an empty one. Nothing was changed.',
    ],
    rows_contradict: [
      'Stored rows contradict each other.',
      'Replace it with a backup, or move it away to start with an empty one.',
    ],
    database_corrupt: [
      'A database file is damaged.',
      'Keep the damaged file elsewhere, and replace it with a backup.',
    ],
  }),
  ...failures(507, 'error', {
    lock_lost: [
      'The lock file of the data folder was deleted or replaced, so nothing more is saved or sent.',
      'Quit Countersign, then start it again. Never delete the files of the lock.',
    ],
    disk_full: ['The disk is full: nothing more can be saved.', 'Free some space on it, then try again.'],
    disk_read_only: ['The disk cannot be written to.', 'Make it writable, or choose another place.'],
    storage_failed: ['The change could not be written to disk.', 'Check the disk, then try again.'],
  }),
  ...failures(409, 'warn', {
    file_in_use: [
      'Another program has this file open, so it was not replaced.',
      'Close the file there, then save again.',
    ],
  }),
  ...failures(422, 'info', {
    file_unreadable: [
      'This file cannot be read: it was moved or changed since, or another program has it open.',
      'Choose it again.',
    ],
  }),
};

/** Failures of a disk or a database at run time. The embedded service reports all of them as not ready. */
export const storageCodes = [
  'storage_failed',
  'disk_full',
  'disk_read_only',
  'database_corrupt',
] as const satisfies readonly (keyof typeof storageFailures)[];

export const dataFailures = {
  ...failures(422, 'info', {
    backup_unreadable: [
      'This isn’t a complete Countersign backup.',
      'Choose a file that “Back up…” has saved.',
    ],
  }),
  ...failures(409, 'info', {
    backup_newer: [
      'This backup was made by a newer Countersign.',
      'Install the newer version, then restore it.',
    ],
    data_busy: ['A backup is being made.', 'Wait until it is saved.'],
    data_run_ended: ['This backup or restore has ended.', 'Begin again.'],
    training_running: ['Training is open.', 'Close it first.'],
  }),
  ...failures(422, 'warn', {
    backup_damaged: ['This backup is damaged or was edited. Nothing was replaced.', 'Choose another backup.'],
  }),
};

export const trainingFailures = {
  ...failures(404, 'info', {
    training_only: ['This belongs to training.', 'Open Training at the left, or from the command palette.'],
    nothing_left: ['There is nothing to resume.', 'Start a mission or practice.'],
    attempt_not_found: ['There is no such attempt.', 'Open the list of attempts.'],
    figure_unknown: ['This lesson has no such picture.', 'Continue without it.'],
    practice_state_unknown: ['There is no saved state with this name.', 'Choose one from the list.'],
  }),
  ...failures(409, 'info', {
    no_workspace: ['No mission or practice is open.', 'Start one on the Training page.'],
    formats_elsewhere: [
      'Training uses the number and time format of Countersign.',
      'Change it on the Settings page of Countersign itself.',
    ],
    workspace_open: ['A mission or practice is open already.', 'Finish it or leave it first.'],
    workspace_kind: [
      'This does not belong to the open mission or practice.',
      'Leave it, and start what you need on the Training page.',
    ],
    practice_states_full: [
      'Practice cannot keep more saved states.',
      'Save under a name in the list to replace that state.',
    ],
  }),
  ...failures(422, 'info', {
    trainee_missing: ['Training needs a name.', 'Enter a name on the Training page.'],
  }),
};

const lookAgain = 'Check again later. If it persists, report it to the publisher of Countersign.';
const doNotInstall =
  'Countersign stays as it is. Report it to the publisher of Countersign, and install nothing from there meanwhile.';

export const updateFailures = {
  ...failures(409, 'info', {
    updates_off: [
      'This installation does not update itself.',
      'Ask your administrator, or use the package manager that installed it.',
    ],
  }),
  ...failures(502, 'info', {
    update_unreachable: ['The update server cannot be reached.', 'Check the connection, then look again.'],
  }),
  ...failures(502, 'warn', {
    update_address_refused: [
      'The update server is not reached over https alone, so nothing was loaded from it.',
      lookAgain,
    ],
    update_signature_missing: ['The list of updates is not signed.', doNotInstall],
    update_signature_wrong: [
      'The list of updates was not signed by the publisher of Countersign, or was changed since.',
      doNotInstall,
    ],
    update_feed_invalid: ['The list of updates is not in the expected form.', lookAgain],
    update_feed_expired: [
      'The list of updates is out of date, so it cannot tell the newest version.',
      'Check the clock of this computer, then look again.',
    ],
    update_feed_replayed: ['The update server offers an older list of updates than before.', lookAgain],
    update_older: [
      'The update server offers an older version than the installed one.',
      'Countersign is never replaced by an older version. There is nothing to do.',
    ],
    update_publisher_wrong: ['The update is from another publisher than this Countersign.', doNotInstall],
    update_file_wrong: [
      'The downloaded update is not the one that the publisher signed. It was removed.',
      'Download it again. If it persists, report it to the publisher of Countersign.',
    ],
  }),
  ...failures(404, 'info', {
    update_not_for_system: [
      'There is no update for this system.',
      'Ask the publisher of Countersign for a package for it.',
    ],
  }),
  ...failures(500, 'error', {
    update_not_installed: [
      'The update could not be installed. Countersign stays as it was.',
      'Try again, or install the new version by hand.',
    ],
  }),
};
