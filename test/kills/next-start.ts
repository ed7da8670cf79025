import { join } from 'node:path';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { integrityOf } from '#test/servers/stored-rows.ts';
import { composeUnattended } from '#test/servers/unattended-core.ts';

/** The number of campaigns that the programs of these tests make. */
export const demoCampaigns = 20;

/** Expectations of the next start, in addition to an intact ledger. */
export interface Expected {
  dataKey: string;
  /** Called with the folder after the start has ended; returns the problems. */
  further?(folder: string): string[];
}

/**
 * Returns every problem of a folder that a killed program left; empty if there is none. Verifies the ledger file, then starts
 * a core that serves every campaign and ends, and verifies the ledger again.
 */
export async function problemsOfNextStart(folder: string, { dataKey, further }: Expected): Promise<string[]> {
  return [
    ...(await ledgerProblems(folder, 'before the start', true)),
    ...(await startProblems(folder, dataKey)),
    ...(await ledgerProblems(folder, 'after the start', false)),
    ...brokenPages(folder),
    ...(further?.(folder) ?? []),
  ];
}

async function ledgerProblems(folder: string, when: string, mayBeMissing: boolean): Promise<string[]> {
  try {
    const { state, problem } = await verifyLedgerFile(join(folder, 'countersign.sqlite'));
    return state === 'verified' ? [] : [`verify-ledger ${when}: ${problem?.text ?? state}`];
  } catch (failure) {
    if (mayBeMissing && failure instanceof AppError && failure.code === 'not_found') return [];
    return [`verify-ledger ${when}: ${textOf(failure)}`];
  }
}

async function startProblems(folder: string, dataKey: string): Promise<string[]> {
  try {
    const core = await composeUnattended({
      dataFolder: folder,
      dataKey: Buffer.from(dataKey, 'hex'),
      demoCampaigns,
    });
    try {
      const { total } = await core.handlers['campaigns.page']({
        filter: { query: '', status: null, types: [], sort: 'cid', order: 'asc' },
        page: 1,
        perPage: 1,
      });
      const { state, problem } = await core.handlers['ledger.verify']({});
      return [
        ...core.info.setAsideFiles.map((file) => `set aside: ${file}`),
        ...(total === demoCampaigns ? [] : [`${total} campaigns`]),
        ...(state === 'verified' ? [] : [`ledger: ${problem?.text ?? state}`]),
      ];
    } finally {
      await core.dispose();
    }
  } catch (failure) {
    return [`start: ${textOf(failure)}`];
  }
}

function brokenPages(folder: string): string[] {
  return ['countersign.sqlite', 'backend.sqlite'].flatMap((name) => {
    const result = integrityOf(join(folder, name));
    return result === 'ok' ? [] : [`${name}: ${result}`];
  });
}

function textOf(failure: unknown): string {
  const { code, message, cause } = failure as AppError;
  return `${code}, ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`;
}
