import { agentFailures } from './agent-failures.ts';
import { entry } from './catalogue-entry.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { connectionFailures } from './connection-failures.ts';
import { oauthRefusals } from './oauth-refusals.ts';
import { reportNoteFailures } from './report-note-failures.ts';
import { storageFailures } from './storage-failures.ts';

/** Every expected failure of the program. Codes are never reused; `docs/errors.md` is generated from this table. */
export const catalogue = {
  // The program itself
  internal: entry(
    500,
    'error',
    'Something went wrong inside Countersign.',
    'Try again. If it stays, tell us, with the log from the data folder.',
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
  ...storageFailures,
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
    'Start it again. If it stops again, tell us, with the diagnostics.',
  ),
  runtime_too_old: entry(
    500,
    'error',
    'This Countersign was packaged with a runtime that is too old.',
    'Install Countersign again from where you got it.',
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
    'The key could not be kept on this computer.',
    'Try again at the next start. Until then, secrets last until you quit.',
  ),
  pages_missing: entry(
    500,
    'error',
    'The pages of the app are not there.',
    'Build them with `npm run build`, or install Countersign again.',
  ),
  port_taken: entry(
    500,
    'error',
    'Another program already listens on this port.',
    'Close that program, or choose another port.',
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
    'The JSON holds too many members or entries.',
    'Send at most 5,000 members in one object, and 50,000 members and entries in all.',
  ),

  // The service's answers, contract §7.1
  operation_refused: entry(
    400,
    'info',
    'The service refused the operation.',
    'Read its message, reload the current state and correct the change.',
  ),
  unauthenticated: entry(
    401,
    'info',
    'The member sign-in is missing or has expired.',
    'Sign in to the service again.',
  ),
  insufficient_balance: entry(
    402,
    'info',
    'The account has less than $1.00 available.',
    'Fund the account, then activate again.',
  ),
  forbidden: entry(
    403,
    'warn',
    'The account may not do this.',
    'Check which account you use and what it may do.',
  ),
  campaign_not_found: entry(
    404,
    'info',
    'The campaign does not exist in this account.',
    'Reload the list. Check the campaign id.',
  ),
  validation_failed: entry(422, 'info', 'Some fields are not valid.', 'Correct the named fields.'),
  rate_limited: entry(
    429,
    'info',
    'The service takes no more requests for now.',
    'Wait a moment, then try again.',
  ),
  service_unavailable: entry(
    503,
    'warn',
    'The service is not ready.',
    'Wait until it is back. Nothing was sent.',
  ),
  // The publisher reports and the remote endpoint, contract §7.2 and §7.3
  publisher_key_invalid: entry(
    401,
    'info',
    'The publisher key is missing, unknown or revoked.',
    'Send a living publisher key in `token`.',
  ),
  publisher_scope_missing: entry(
    403,
    'info',
    'The publisher key does not have the scope of this report.',
    'Use a key with the scope that the report needs.',
  ),
  source_forbidden: entry(
    403,
    'info',
    'This traffic source or feed is not open to this key or account.',
    'Check the tid or sid.',
  ),
  no_data: entry(404, 'info', 'There is no data to export.', 'Choose other dates.'),
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
  token_invalid: entry(
    401,
    'info',
    'The access token is missing, expired, revoked or meant for another place.',
    'Connect again through OAuth.',
  ),
  scope_missing: entry(
    403,
    'info',
    'The access token does not have the scope that this needs.',
    'Connect again and ask for the named scope.',
  ),
  menu_denied: entry(
    403,
    'info',
    'Remote tools are not in the menu of this account.',
    'Ask whoever runs the account to switch them on.',
  ),
  module_denied: entry(
    403,
    'info',
    'This part of the service is not open to the account.',
    'Call `svc_whoami` to see what is.',
  ),
  dlp_denied: entry(
    403,
    'warn',
    'The arguments contain something that looks like a credential.',
    'Remove it. Credentials never belong in a tool call.',
  ),
  confirmation_missing: entry(
    403,
    'warn',
    'The change was not confirmed.',
    'Show the change to a person, then commit with `confirmed: true`.',
  ),
  session_unknown: entry(
    404,
    'info',
    'The session has ended, or is another one’s.',
    'Initialize a new session.',
  ),
  not_acceptable: entry(
    406,
    'info',
    'The answer would be of a type that is not accepted.',
    'Send `Accept: application/json, text/event-stream`.',
  ),
  stream_open: entry(
    409,
    'info',
    'This session has an open stream already.',
    'Listen on that stream, or end it first.',
  ),
  client_unable: entry(
    400,
    'info',
    'The client does not offer or did not give what this needs.',
    'Use a client that can be asked, or do it in another way.',
  ),
  object_not_found: entry(
    404,
    'info',
    'There is nothing under this name or id for the account.',
    'Check the id and the account.',
  ),
  arguments_invalid: entry(
    400,
    'info',
    'Some arguments are not valid.',
    'Correct the named arguments. Do not repeat the call unchanged.',
  ),
  approval_invalid: entry(
    409,
    'info',
    'The approval cannot be used: unknown, used, expired or of another grant.',
    'Read the current state and prepare again.',
  ),
  approval_mismatch: entry(
    409,
    'warn',
    'What was sent is not what was prepared.',
    'Send payload and fingerprint unchanged, or prepare again.',
  ),
  state_moved: entry(
    409,
    'info',
    'What the change was prepared from has moved.',
    'Read the current state and prepare again.',
  ),
  idempotency_conflict: entry(
    409,
    'info',
    'This idempotency key belongs to another request.',
    'Use a fresh key for a different request.',
  ),
  idempotency_in_flight: entry(
    409,
    'info',
    'The same request is being worked on.',
    'Wait, then ask for its outcome.',
  ),
  quota_exceeded: entry(
    429,
    'info',
    'Too many requests.',
    'Wait as long as `Retry-After` says, then try again.',
  ),
  form_outdated: entry(
    403,
    'info',
    'This page was out of date. Nothing was done.',
    'Go back to the question and answer it there.',
  ),
  uploads_full: entry(
    429,
    'info',
    'The account keeps as many uploads as it may.',
    'Use a picture that is there already.',
  ),
  not_ready: entry(
    503,
    'warn',
    'A part that the service needs is not available.',
    'Look at `/ready`. Try again when it is back.',
  ),

  ...oauthRefusals,
  ...connectionFailures,
  ...agentFailures,
  ...reportNoteFailures,

  // How a service is reached
  service_unreachable: entry(
    502,
    'warn',
    'The service cannot be reached.',
    'Check the connection. What you see may be old.',
  ),
  service_answer_unreadable: entry(
    502,
    'error',
    'The service gave an answer that cannot be read.',
    'Try again. If it stays, tell the operator of the service.',
  ),
  service_failed: entry(502, 'warn', 'The service failed.', 'Try again later.'),

  // Reports
  number_too_large: entry(
    422,
    'info',
    'A sum of this report is too large to be exact, so it is not shown. The data is unchanged.',
    'Choose a shorter range or fewer rows.',
  ),
  report_cache_damaged: entry(
    500,
    'warn',
    'A part of the report cache is damaged. It is not used.',
    'Refresh the report to read it again.',
  ),

  // Proposals and confirmations
  nothing_to_change: entry(422, 'info', 'Nothing would change.', 'Change a field first.'),
  edit_conflict: entry(
    409,
    'info',
    'Someone else changed this campaign while you were editing.',
    'Look at both values and decide again.',
  ),
  campaign_locked: entry(
    423,
    'warn',
    'An earlier change to this campaign has an unknown outcome.',
    'Wait until it is settled, then try again.',
  ),
  too_many_waiting: entry(429, 'warn', 'Too many changes wait for a decision.', 'Decide some of them first.'),
  proposal_not_found: entry(404, 'info', 'There is no such proposal.', 'Open the list of proposals.'),
  proposal_not_waiting: entry(
    409,
    'info',
    'This proposal no longer waits for a decision.',
    'Look at its state in the list of proposals.',
  ),
  proposal_expired: entry(
    410,
    'info',
    'This proposal has expired. Nothing was sent.',
    'Propose the change again.',
  ),
  proposal_stale: entry(
    409,
    'info',
    'Someone else changed this campaign after the change was shown. Nothing was sent.',
    'Look at what changed and decide again.',
  ),
  showing_unknown: entry(409, 'warn', 'This confirmation is no longer valid.', 'Open the proposal again.'),
  fingerprint_mismatch: entry(
    409,
    'error',
    'The change is not the one that was shown. Nothing was sent.',
    'Propose the change again.',
  ),
  confirmation_too_early: entry(
    425,
    'warn',
    'The buttons were not armed yet.',
    'Read the change, then press Approve.',
  ),
  typed_value_wrong: entry(
    422,
    'info',
    'The typed value is not the one that was asked for.',
    'Type the value exactly as shown.',
  ),
  write_waits: entry(
    429,
    'info',
    'The service takes no more requests for now. The change is sent again soon.',
    'Wait. Nothing is stored yet.',
  ),
  write_not_stored: entry(
    409,
    'warn',
    'The service did not store the change.',
    'Propose the change again if you still want it.',
  ),
  stored_differently: entry(
    409,
    'warn',
    'The service holds something else than what was sent.',
    'Look at the verdicts of the fields, then decide whether to change it again.',
  ),
  stopped_before_sending: entry(
    409,
    'warn',
    'Countersign stopped before the change was sent. Nothing was sent.',
    'Propose the change again if you still want it.',
  ),
  outcome_unknown: entry(
    504,
    'warn',
    'The service gave no answer. The change may or may not be stored.',
    'Wait. Countersign reads the campaign until it knows.',
  ),
  accepted_not_read: entry(
    504,
    'warn',
    'The service accepted the change, and it could not be read back yet.',
    'Wait. Countersign reads the campaign until it knows.',
  ),

  // Ledger
  ledger_broken: entry(
    500,
    'error',
    'The ledger does not verify.',
    'Stop and keep a copy of the data folder. Run `countersign verify-ledger`.',
  ),
} as const satisfies Record<string, CatalogueEntry>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof catalogue;

/** Every code, for schemas and tables. */
export const errorCodes = Object.keys(catalogue) as [ErrorCode, ...ErrorCode[]];
