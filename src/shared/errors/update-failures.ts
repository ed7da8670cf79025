import { type CatalogueEntry, entry } from './catalogue-entry.ts';

const lookAgain = 'Check again later. If it stays so, report it to the publisher of Countersign.';
const doNotInstall =
  'Countersign stays as it is. Report it to the publisher of Countersign, and install nothing from there meanwhile.';

/** Failures of updates. With each of them the installed app stays as it is. */
export const updateFailures = {
  updates_off: entry(
    409,
    'info',
    'This installation does not update itself.',
    'Ask your administrator, or use the package manager that installed it.',
  ),
  update_unreachable: entry(
    502,
    'info',
    'The update server cannot be reached.',
    'Check the connection, then look again.',
  ),
  update_address_refused: entry(
    502,
    'warn',
    'The update server is not reached over https alone, so nothing was loaded from it.',
    lookAgain,
  ),
  update_signature_missing: entry(502, 'warn', 'The list of updates is not signed.', doNotInstall),
  update_signature_wrong: entry(
    502,
    'warn',
    'The list of updates was not signed by the publisher of Countersign, or was changed since.',
    doNotInstall,
  ),
  update_feed_invalid: entry(502, 'warn', 'The list of updates is not in the expected form.', lookAgain),
  update_feed_expired: entry(
    502,
    'warn',
    'The list of updates is out of date, so it cannot tell the newest version.',
    'Check the clock of this computer, then look again.',
  ),
  update_feed_replayed: entry(
    502,
    'warn',
    'The update server offers an older list of updates than before.',
    lookAgain,
  ),
  update_older: entry(
    502,
    'warn',
    'The update server offers an older version than the installed one.',
    'Countersign is never replaced by an older version. There is nothing to do.',
  ),
  update_publisher_wrong: entry(
    502,
    'warn',
    'The update is from another publisher than this Countersign.',
    doNotInstall,
  ),
  update_not_for_system: entry(
    404,
    'info',
    'There is no update for this system.',
    'Ask the publisher of Countersign for a package for it.',
  ),
  update_file_wrong: entry(
    502,
    'warn',
    'The downloaded update is not the one that the publisher signed. It was removed.',
    'Download it again. If it stays so, report it to the publisher of Countersign.',
  ),
  update_not_installed: entry(
    500,
    'error',
    'The update could not be installed. Countersign stays as it was.',
    'Try again, or install the new version by hand.',
  ),
} as const satisfies Record<string, CatalogueEntry>;
