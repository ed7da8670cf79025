import type { StatusView } from '#shared/app-api/index.ts';
import type { CoreState, VaultView } from '#shared/host-api/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { redact, redactText } from '#shared/lib/redact.ts';
import { versionLines, type Versions } from './about.ts';

/** What helps to find a fault. Nothing of it is a secret, and what could hold one is redacted. */
export interface DiagnosticFacts {
  atMs: number;
  versions: Versions;
  system: string;
  core: CoreState;
  /** How often the core ended by itself in this run. */
  restarts: number;
  /** Null while a person, or the system's vault, has not answered. */
  vault: VaultView | null;
  /** Null where the core does not answer. */
  status: StatusView | null;
  /** Names of damaged databases that were moved aside. */
  setAside: readonly string[];
  logs: readonly { name: string; lines: readonly string[] }[];
  /** Folders that name a person, by what stands for them. The longest first. */
  folders: readonly (readonly [folder: string, name: string])[];
}

/** The facts as text to send to whoever helps. */
export function diagnosticsText(facts: DiagnosticFacts): string {
  const { versions, system, core, restarts, vault, status, setAside, logs, folders } = facts;
  const lines = [
    `Countersign diagnostics, ${new Date(facts.atMs).toISOString()}`,
    ...versionLines(versions),
    `System ${system}`,
    `Core ${coreWords(core)}; ended by itself ${counted(restarts, 'time')}`,
    `Vault ${vaultWords(vault)}`,
    ...statusLines(status),
    `Set aside: ${setAside.length === 0 ? 'nothing' : setAside.join(', ')}`,
    ...logs.flatMap(({ name, lines: last }) => ['', `Last of ${name}`, ...last.map(safeLine)]),
  ];
  return folders.reduce(withoutFolder, lines.join('\n'));
}

/** Logs hold JSON, in which a folder of Windows has each backslash twice. */
function withoutFolder(text: string, [folder, name]: DiagnosticFacts['folders'][number]): string {
  return text.replaceAll(JSON.stringify(folder).slice(1, -1), name).replaceAll(folder, name);
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
    `Ledger ${ledger.state}, ${counted(ledger.rows, 'row')}${ledger.anchorFailedSinceMs === null ? '' : ', its anchor cannot be written'}`,
  ];
}

/** A line of a log again without secrets: it was redacted when it was written, by rules that may have been older. */
function safeLine(line: string): string {
  try {
    return redactText(JSON.stringify(redact(JSON.parse(line))));
  } catch {
    return redactText(line);
  }
}
