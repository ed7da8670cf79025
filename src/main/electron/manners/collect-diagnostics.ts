import { homedir, release } from 'node:os';
import { basename, join } from 'node:path';
import { statusSchema, type StatusView } from '#shared/app-api/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { Vault } from '../vault/index.ts';
import { diagnosticsText } from './diagnostics-text.ts';
import { lastLogLines } from './last-lines.ts';
import { versionsNow } from './versions.ts';

/** A core that hangs is a reason for diagnostics, not an obstacle. */
const statusLimitMs = 2_000;
const linesOfEachLog = 40;

export interface DiagnosticParts {
  core: CoreSupervisor;
  vault: Promise<Pick<Vault, 'view'> | null>;
  dataFolder: string;
}

/** Makes the collector of diagnostics, which counts the core's ends from now on. It gives text without secrets, and never fails. */
export function collectDiagnostics({ core, vault, dataFolder }: DiagnosticParts): () => Promise<string> {
  let restarts = 0;
  core.onState((state) => {
    if (state.kind === 'restarting') restarts += 1;
  });
  return async () =>
    diagnosticsText({
      atMs: Date.now(),
      versions: versionsNow(),
      system: `${process.platform} ${release()} ${process.arch}`,
      core: core.state(),
      restarts,
      // Not waited for: a vault that does not answer is what the diagnostics may be about.
      vault: (await Promise.race([vault, Promise.resolve(null)]))?.view() ?? null,
      status: await statusOf(core),
      setAside: core.setAside().map((file) => basename(file)),
      logs: lastLogLines(join(dataFolder, 'logs'), linesOfEachLog),
      folders: [
        [dataFolder, '<data folder>'],
        [homedir(), '~'],
      ],
    });
}

async function statusOf(core: CoreSupervisor): Promise<StatusView | null> {
  if (core.state().kind !== 'ready') return null;
  const given = Promise.withResolvers<null>();
  const timer = setTimeout(() => given.resolve(null), statusLimitMs);
  try {
    const found = await Promise.race([core.ask('app', 'session.status', {}), given.promise]);
    return statusSchema.safeParse(found).data ?? null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
