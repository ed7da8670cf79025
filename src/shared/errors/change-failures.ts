import { failures } from './catalogue-entry.ts';

export const changeFailures = {
  // Proposals and confirmations
  ...failures(422, 'info', {
    nothing_to_change: ['Nothing would change.', 'Change a field first.'],
    typed_value_wrong: [
      'The typed value is not the one that was asked for.',
      'Type the value exactly as shown.',
    ],
  }),
  ...failures(409, 'info', {
    edit_conflict: [
      'Someone else changed this campaign while you were editing.',
      'Look at both values and decide again.',
    ],
    proposal_not_waiting: [
      'This proposal no longer waits for a decision.',
      'Look at its state in the list of proposals.',
    ],
    prepare_again_impossible: [
      'This change cannot be prepared again. Nothing was sent.',
      'Propose the change anew, or have its agent do that.',
    ],
    return_not_planned: [
      'This return is no longer planned. Nothing was changed.',
      'Look at it on the Schedules page.',
    ],
    return_time_passed: [
      'The time of the return has passed. Nothing was paused.',
      'Choose a later time, or pause without a return.',
    ],
    undo_impossible: [
      'This change cannot be undone by Countersign. Nothing was sent.',
      'Look at the campaigns themselves, and propose what you want.',
    ],
    proposal_stale: [
      'Someone else changed this campaign after the change was shown. Nothing was sent.',
      'Look at what changed and decide again.',
    ],
  }),
  ...failures(423, 'warn', {
    campaign_locked: [
      'An earlier change to this campaign has an unknown outcome.',
      'Wait until it is settled, then try again.',
    ],
  }),
  ...failures(429, 'warn', {
    too_many_waiting: ['Too many changes wait for a decision.', 'Decide some of them first.'],
  }),
  ...failures(404, 'info', {
    proposal_not_found: ['There is no such proposal.', 'Open the list of proposals.'],
  }),
  ...failures(500, 'error', {
    proposal_unreadable: [
      'The stored details of this change can’t be read.',
      'Look at its rows in the ledger. Everything else continues to work.',
    ],
  }),
  ...failures(410, 'info', {
    proposal_expired: [
      'This proposal has expired. Nothing was sent.',
      'Prepare it again, or propose it anew, if you still want it.',
    ],
    not_sent_in_time: [
      'The change was approved, but could not be sent in time. Nothing was sent.',
      'Prepare it again, or propose it anew, if you still want it.',
    ],
    approval_ended: [
      'The service’s approval of this change has ended. Nothing was sent.',
      'Prepare it again: the service is asked for the same change once more, and you decide on the result.',
    ],
    prepared_again: [
      'This change was prepared again. Nothing of this proposal was sent.',
      'Decide on the proposal that replaced it.',
    ],
  }),
  ...failures(409, 'warn', {
    display_unknown: ['This confirmation is no longer valid.', 'Open the proposal again.'],
    write_not_stored: [
      'The service did not store the change.',
      'Propose the change again if you still want it.',
    ],
    stored_differently: [
      'The service stored other values than those sent.',
      'Look at the verdicts of the fields, then decide whether to change it again.',
    ],
    stopped_before_sending: [
      'Countersign stopped before the change was sent. Nothing was sent.',
      'Propose the change again if you still want it.',
    ],
  }),
  ...failures(409, 'error', {
    fingerprint_mismatch: [
      'The change is not the one that was shown. Nothing was sent.',
      'Propose the change again.',
    ],
  }),
  ...failures(425, 'warn', {
    confirmation_too_early: ['The buttons were not armed yet.', 'Read the change, then press Approve.'],
  }),
  ...failures(429, 'info', {
    write_waits: [
      'The service takes no more requests for now. The change is sent again soon.',
      'Wait. Nothing is stored yet.',
    ],
  }),
  ...failures(504, 'warn', {
    outcome_unknown: [
      'The service gave no answer. The change may or may not be stored.',
      'Wait. Countersign reads the campaign until it knows.',
    ],
    accepted_not_read: [
      'The service accepted the change, and it could not be read back yet.',
      'Wait. Countersign reads the campaign until it knows.',
    ],
  }),
  // Drafts
  ...failures(409, 'info', {
    draft_proposed: [
      'The drafts of this campaign are under review.',
      'Decide on its proposal or withdraw it, then edit again.',
    ],
  }),
  ...failures(404, 'info', {
    copy_unknown: [
      'There is no copy of that day any more.',
      'Open the campaign again, and choose another day.',
    ],
  }),
  // Pictures of creatives
  ...failures(409, 'info', {
    upload_unfinished: [
      'An earlier upload of this picture is not finished.',
      'Decide on the changes that await your approval, then choose it under “Uploaded pictures”.',
    ],
  }),
  ...failures(404, 'info', {
    picture_unknown: [
      'This picture is not part of the change that is shown.',
      'Open the proposal again, and load one of its pictures.',
    ],
  }),
  ...failures(400, 'info', {
    picture_address_refused: [
      'Countersign loads no picture from this address.',
      'Nothing was requested there. Decide without the picture.',
    ],
  }),
  ...failures(502, 'info', {
    picture_unreachable: ['The picture was not loaded.', 'Try again, or decide without it.'],
  }),
  ...failures(422, 'info', {
    picture_refused: [
      'The file at this address isn’t a picture that Countersign can draw.',
      'Decide without it, and deny the change if the picture matters.',
    ],
  }),
  // Ledger
  ...failures(500, 'error', {
    ledger_broken: [
      'The ledger does not verify.',
      'Stop and keep a copy of the data folder. Run `countersign verify-ledger`.',
    ],
  }),
  // Many campaigns at once, and their files
  ...failures(409, 'info', {
    bulk_not_started: [
      'This selection of campaigns is no longer open. No draft was changed.',
      'Select the campaigns again.',
    ],
  }),
  ...failures(422, 'info', {
    pattern_too_slow: [
      'The regular expression takes too long. No draft was changed.',
      'Make it simpler: avoid repetitions inside repetitions.',
    ],
    pattern_invalid: ['The regular expression is not valid.', 'Correct it, or search for plain text.'],
    csv_unreadable: [
      'This file cannot be read as a table of campaigns. No draft was changed.',
      'Save it as CSV with the column “Campaign id (cid)” and every other one once, or choose another encoding or separator.',
    ],
    csv_rows_unusable: [
      'No row of this file can be used. No draft was changed.',
      'Correct the rows, or export the campaigns again and edit that file.',
    ],
    csv_too_slow: [
      'Reading this file takes too long. No draft was changed.',
      'Check that it is a CSV file, and divide it into smaller ones.',
    ],
  }),
  ...failures(413, 'info', {
    csv_too_large: [
      'This file is too large. No draft was changed.',
      'Use at most 20 MB, 10,000 rows, 300 columns and 100,000 characters in a cell.',
    ],
  }),
};
