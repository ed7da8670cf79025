import { extractFile } from '@electron/asar';

/** The member of package.json by which a package that was made for tests is known: it says for what runtime. */
export const testMark = 'countersignTestPackage';

/** Reads from a packed app what tests it was made for; null where it may be released. */
export function testMarkOf(archive: string): string | null {
  const manifest = JSON.parse(extractFile(archive, 'package.json').toString('utf8')) as Record<
    string,
    unknown
  >;
  const mark = manifest[testMark];
  return typeof mark === 'string' ? mark : null;
}
