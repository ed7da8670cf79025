/** better-sqlite3's binary needs this Node; on an older one it takes the process down without a word. */
export const oldestNode = '22.14';

export function canCarryCore(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
