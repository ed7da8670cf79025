import type { Assembled } from './assemble.ts';

export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((part) => part.startsWith(`## [${version}]`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section “## [${version}] - <date>”`);
  const [heading = '', ...lines] = section.split('\n');
  if (!/\] - \d{4}-\d{2}-\d{2}$/.test(heading))
    throw new Error(`The section of ${version} has no date: ${heading}`);
  const notes = lines.join('\n').trim();
  if (!/^- /m.test(notes)) throw new Error(`The section of ${version} in CHANGELOG.md says nothing`);
  return `${notes}\n`;
}

export function releaseNews(changelog: string, version: string): string[] {
  const parts = releaseNotes(changelog, version).split(/^(?=### )/m);
  const short = parts.find((part) => part.startsWith('### In short\n')) ?? '';
  const lines = short.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2).trim()] : []));
  if (lines.length < 1 || lines.length > 2)
    throw new Error(
      `The section of ${version} in CHANGELOG.md needs one or two entries below “### In short”, each on one line`,
    );
  return lines;
}

export function signatureNotes({ unsigned, isUnnotarised }: Assembled): string[] {
  return [
    ...(unsigned.length > 0 ? [`The packages for ${unsigned.join(' and ')} are not signed.`] : []),
    ...(isUnnotarised
      ? ['The packages for macOS are signed but not notarised by Apple: macOS asks before their first start.']
      : []),
  ];
}
