/** The section of a version in the changelog, without its heading. Fails where there is none, or where it has no date or no entry. */
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
