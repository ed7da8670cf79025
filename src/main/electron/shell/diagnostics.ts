import { homedir, release, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { statusSchema, type StatusView } from '#shared/app-api/index.ts';
import type { CoreState, VaultView, Versions } from '#shared/host-api/index.ts';
import { redactLine, redactText } from '#shared/lib/redact.ts';
import { lastLogLines } from '#system/log-files.ts';
import { type HiddenFolder, withoutFolders } from '#shared/lib/without-folders.ts';
import type { CoreSupervisor } from '../core-link/supervisor.ts';
import { versionLines, versionsNow } from '../platform/versions.ts';
import type { Vault } from '../vault/open-vault.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

/** A deadline, because a hanging core is a reason for diagnostics and must not block them. */
const statusLimitMs = 2_000;
const linesOfEachLog = 40;

export interface DiagnosticParts {
  core: CoreSupervisor;
  vault: Promise<Pick<Vault, 'view'> | null>;
  dataFolder: string;
}

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
      // Does not wait for the vault: a vault that does not answer may be the reason for the diagnostics.
      vault: (await Promise.race([vault, Promise.resolve(null)]))?.view() ?? null,
      status: await statusOf(core),
      setAside: core.setAside().map((file) => basename(file)),
      logs: lastLogLines(join(dataFolder, 'logs'), linesOfEachLog),
      folders: [
        [dataFolder, '<data folder>'],
        [homedir(), '~'],
        [tmpdir(), '<temporary folder>'],
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

export interface DiagnosticFacts {
  atMs: number;
  versions: Versions;
  system: string;
  core: CoreState;
  restarts: number;
  vault: VaultView | null;
  status: StatusView | null;
  setAside: readonly string[];
  logs: readonly { name: string; lines: readonly string[] }[];
  folders: readonly HiddenFolder[];
}

export function diagnosticsText(facts: DiagnosticFacts): string {
  const { versions, system, core, restarts, vault, status, setAside, logs, folders } = facts;
  const lines = [
    `Countersign diagnostics, ${new Date(facts.atMs).toISOString()}`,
    ...versionLines(versions),
    `System ${system}`,
    `Core ${coreWords(core)}; ended unexpectedly ${defaultFormats.counted(restarts, 'time')}`,
    `Vault ${vaultWords(vault)}`,
    ...statusLines(status),
    `Set aside: ${setAside.length === 0 ? 'nothing' : setAside.join(', ')}`,
    ...logs.flatMap(({ name, lines: last }) => ['', `Last of ${name}`, ...last.map(redactLine)]),
  ];
  // Windows and usually macOS ignore case. Elsewhere this may hide a differently named folder, which is harmless.
  return withoutFolders(lines.join('\n'), folders, { ignoreCase: true });
}

function vaultWords(vault: VaultView | null): string {
  if (vault === null) return 'not opened yet';
  return vault.kind === 'session' ? `session (${vault.reason})` : vault.kind;
}

function coreWords(core: CoreState): string {
  return core.kind === 'stopped'
    ? `stopped (${core.failure.code}: ${redactText(core.failure.message)})`
    : core.kind;
}

function statusLines(status: StatusView | null): string[] {
  if (status === null) return ['Status unknown: the core does not answer'];
  const { service, waiting, unknown, ledger } = status;
  return [
    `Service ${service.state}`,
    `Waiting ${waiting}, unknown outcomes ${unknown}`,
    `Ledger ${ledger.state}, ${defaultFormats.counted(ledger.rows, 'row')}${ledger.anchorFailedSinceMs === null ? '' : ', its anchor cannot be written'}`,
  ];
}
