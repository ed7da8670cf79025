import { canCarryCore, oldestNode } from '#shared/lib/node-version.ts';

export function nodeRefusal(version: string): string | null {
  if (canCarryCore(version)) return null;
  return `Countersign needs Node ${oldestNode} or newer, and this is ${version}. Run it with \`npm start\` or \`npm run countersign -- …\`, which bring their own.`;
}
