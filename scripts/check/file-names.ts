import { filesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';

/** Names that Windows refuses: with one of these characters, ending in a dot or space, or the name of a device. */
const refused = /[<>:"|?*\\]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Windows cannot open a longer path with default settings, in a checkout in a user's folder. */
const longestPath = 160;

export const fileNamesCheck: Check = {
  name: 'file names for every system',
  remedy:
    'Rename the file: Windows could not check it out, and macOS takes names that differ in case as one.',
  run(root) {
    const problems: string[] = [];
    const seen = new Map<string, string>();
    for (const file of filesBelow(root, '.')) {
      const folded = file.normalize('NFC').toLowerCase();
      const other = seen.get(folded);
      seen.set(folded, file);
      if (other !== undefined) problems.push(`${file}: differs from ${other} in case only`);
      if (file.split('/').some((name) => refused.test(name)))
        problems.push(`${file}: Windows refuses the name`);
      if (file.length > longestPath) problems.push(`${file}: longer than ${longestPath} characters`);
    }
    return { problems, notes: [] };
  },
};
