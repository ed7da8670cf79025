export function nodeRefusal(version: string): string | null {
  if (canCarryCore(version)) return null;
  return `Countersign needs Node ${oldestNode} or newer, and this is ${version}. Run it with \`npm start\` or \`npm run countersign -- …\`, which bring their own.`;
}

/** Minimum version of Node, because better-sqlite3's binary crashes an older Node without a message. */
const oldestNode = '22.14';

function canCarryCore(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
