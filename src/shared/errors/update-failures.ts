import { failures } from './catalogue-entry.ts';

const lookAgain = 'Check again later. If it stays so, report it to the publisher of Countersign.';
const doNotInstall =
  'Countersign stays as it is. Report it to the publisher of Countersign, and install nothing from there meanwhile.';

/** Failures of updates. With each of them the installed app stays as it is. */
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
      'Download it again. If it stays so, report it to the publisher of Countersign.',
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
