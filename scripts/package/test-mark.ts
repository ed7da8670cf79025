import { extractFile } from '@electron/asar';

/** Key in package.json that marks a package made for tests; its value names the runtime. */
export const testMark = 'countersignTestPackage';

/** Reads the mark for tests from a packed app; null if the app may be released. */
export function testMarkOf(archive: string): string | null {
  const manifest = JSON.parse(extractFile(archive, 'package.json').toString('utf8')) as Record<
    string,
    unknown
  >;
  const mark = manifest[testMark];
  return typeof mark === 'string' ? mark : null;
}
