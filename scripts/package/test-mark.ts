import { extractFile } from '@electron/asar';

export const testMark = 'countersignTestPackage';

export function testMarkOf(archive: string): string | null {
  const manifest = JSON.parse(extractFile(archive, 'package.json').toString('utf8')) as Record<
    string,
    unknown
  >;
  const mark = manifest[testMark];
  return typeof mark === 'string' ? mark : null;
}
