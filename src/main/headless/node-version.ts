/** better-sqlite3's binary needs this Node; on an older one it takes the process down without a word. */
const oldest = [22, 14] as const;

/** What to do about a Node that is too old, in one line; null when it is new enough. */
export function nodeRefusal(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldest;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `Countersign needs Node ${oldest.join('.')} or newer, and this is ${version}. Run it with \`npm start\` or \`npm run countersign -- …\`, which bring their own.`;
}
