import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyPlace } from '#system/policy/index.ts';
import { tempFolder } from './temp-folder.ts';

/** A policy file that is administered by the user who runs the test. A policy is used only on systems with file modes. */
export interface TestPolicyPlace extends PolicyPlace {
  write(policy: object | string): void;
  remove(): void;
}

export function openPolicyPlace(): TestPolicyPlace {
  const folder = join(tempFolder(), 'countersign');
  mkdirSync(folder, { mode: 0o755 });
  const file = join(folder, 'policy.json');
  return {
    file,
    ownerUid: process.getuid?.() ?? 0,
    write: (policy) =>
      writeFileSync(file, typeof policy === 'string' ? policy : JSON.stringify(policy), { mode: 0o644 }),
    remove: () => rmSync(file),
  };
}
