import { type CatalogueEntry, entry } from './catalogue-entry.ts';

/** Failures of proposals, confirmations, writes and the ledger. */
export const changeFailures = {
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
  proposal_unreadable: entry(
    500,
    'error',
    'The stored details of this change can’t be read.',
    'Look at its rows in the ledger. Everything else goes on.',
  ),
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
    'Prepare it again, or propose it anew, if you still want it.',
  ),
  not_sent_in_time: entry(
    410,
    'info',
    'It was approved, but could not be sent in time. Nothing was sent.',
    'Prepare it again, or propose it anew, if you still want it.',
  ),
  approval_ended: entry(
    410,
    'info',
    'The service’s approval of this change has ended. Nothing was sent.',
    'Prepare it again: the service is asked for the same change once more, and you decide on the result.',
  ),
  prepared_again: entry(
    410,
    'info',
    'This was prepared again. Nothing of it was sent.',
    'Decide on the proposal that took its place.',
  ),
  prepare_again_impossible: entry(
    409,
    'info',
    'This change cannot be prepared again. Nothing was sent.',
    'Propose the change anew, or have its agent do that.',
  ),
  undo_impossible: entry(
    409,
    'info',
    'This change cannot be undone by Countersign. Nothing was sent.',
    'Look at the campaigns themselves, and propose what you want.',
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
    'The service stored something else than what was sent.',
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

  // Drafts
  draft_proposed: entry(
    409,
    'info',
    'The drafts of this campaign are under review.',
    'Decide on its proposal or withdraw it, then edit again.',
  ),
  copy_unknown: entry(
    404,
    'info',
    'There is no copy of that day any more.',
    'Open the campaign again, and choose another day.',
  ),

  // Pictures of creatives
  upload_unfinished: entry(
    409,
    'info',
    'An earlier upload of this picture is not finished.',
    'Decide on the changes that await your approval, then choose it under “Uploaded pictures”.',
  ),
  picture_unknown: entry(
    404,
    'info',
    'This picture is not part of the change that is shown.',
    'Open the proposal again, and load one of its pictures.',
  ),
  picture_address_refused: entry(
    400,
    'info',
    'Countersign loads no picture from this address.',
    'Nothing was requested there. Decide without the picture.',
  ),
  picture_unreachable: entry(502, 'info', 'The picture was not loaded.', 'Try again, or decide without it.'),
  picture_refused: entry(
    422,
    'info',
    'What is stored at this address isn’t a picture that Countersign can draw.',
    'Decide without it, and deny the change if the picture matters.',
  ),

  // Ledger
  ledger_broken: entry(
    500,
    'error',
    'The ledger does not verify.',
    'Stop and keep a copy of the data folder. Run `countersign verify-ledger`.',
  ),

  // Many campaigns at once, and their files
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
    'Save it as CSV with the column “Campaign id (cid)” and every other one once, or choose another encoding or separator.',
  ),
  csv_rows_unusable: entry(
    422,
    'info',
    'No row of this file can be used. No draft was changed.',
    'Correct the rows, or export the campaigns again and edit that file.',
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
