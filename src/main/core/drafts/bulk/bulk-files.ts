import { createHash } from 'node:crypto';
import type { AppHandlers, BulkFile } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import {
  type BulkPlan,
  type DecimalMark,
  fileHead,
  fileLine,
  type FileTable,
  planFileRow,
  readTable,
} from '#shared/drafts/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isListName } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { BulkSession } from './bulk-session.ts';
import type { FileRecord, FileRefusal, KnownFileForm } from './worker/messages.ts';
import { runInWorker, type WorkLimits } from './worker/run-in-worker.ts';

type FileRequest = 'bulk.exportPart' | 'bulk.fileStart' | 'bulk.filePart' | 'bulk.fileRead' | 'bulk.file';

/** Files of campaigns: written for a spreadsheet, and read back as a change (docs/decisions/0047-campaign-files.md). */
export interface BulkFiles {
  requests: Pick<AppHandlers, FileRequest>;
  /** Changes of the file that was read last to a campaign as it is stored. Fails with `bulk_not_started`. */
  planOf(cid: number, campaign: JsonObject): BulkPlan;
}

export interface BulkFilesOptions {
  session: BulkSession;
  newId(): string;
}

const maxBytes = 20 * 1024 * 1024;
const parseLimits: WorkLimits = { deadlineMs: 10_000, maxHeapMb: 512 };
/** Campaigns of one part of an export. */
const partSize = 200;

interface OpenFile {
  id: string;
  name: string;
  parts: Buffer[];
  size: number;
  read: ReadFile | null;
}

interface ReadFile {
  form: KnownFileForm;
  mark: DecimalMark;
  table: FileTable;
  rows: Map<number, FileTable['rows'][number]>;
}

export function createBulkFiles({ session, newId }: BulkFilesOptions): BulkFiles {
  let open: OpenFile | null = null;

  function fileOf(id: string): OpenFile {
    if (open?.id !== id) throw new AppError('bulk_not_started');
    return open;
  }

  return {
    requests: {
      async 'bulk.exportPart'({ fields, offset }) {
        const campaigns = session.campaigns();
        const part = campaigns.slice(offset, offset + partSize);
        const lines = part.map(({ edit: { campaign } }) => fileLine(campaign, fields, versionOf(campaign)));
        const next = offset + part.length;
        return {
          // Spreadsheets take a file without the mark for Windows-1252.
          text: `${offset === 0 ? `\uFEFF${fileHead(fields)}` : ''}${lines.join('')}`,
          next: next < campaigns.length ? next : null,
          total: campaigns.length,
        };
      },
      async 'bulk.fileStart'({ name }) {
        open = { id: newId(), name, parts: [], size: 0, read: null };
        return { id: open.id };
      },
      async 'bulk.filePart'({ id, bytes }) {
        const file = fileOf(id);
        const part = Buffer.from(bytes, 'base64');
        file.size += part.length;
        if (file.size > maxBytes) throw new AppError('csv_too_large');
        file.parts.push(part);
        return {};
      },
      async 'bulk.fileRead'({ id, encoding, separator, decimals }) {
        const file = fileOf(id);
        const { form, records } = await parse(Buffer.concat(file.parts), { encoding, separator });
        const table = readTable(records, isListName);
        if (table === null || table.rows.length === 0) throw unreadable(table);
        const rows = new Map(table.rows.map((row) => [row.cid, row]));
        file.read = { form, mark: decimals ?? markOf(table), table, rows };
        session.start([...rows.keys()]);
        return {};
      },
      async 'bulk.file'() {
        if (open?.read == null || !isChosen(open.read)) return null;
        return { id: open.id, file: viewOf(open.name, open.read, session.state().failed) };
      },
    },
    planOf(cid, campaign) {
      const read = open?.read;
      const row = read?.rows.get(cid);
      if (read == null || row === undefined) throw new AppError('bulk_not_started');
      return planFileRow(row, { campaign, version: versionOf(campaign), mark: read.mark });
    },
  };

  /** Other campaigns may have been chosen since. */
  function isChosen({ rows }: ReadFile): boolean {
    return session.includesAll(rows);
  }
}

/** A short hash of the whole campaign. It begins with a letter, so that no spreadsheet takes it for a number. */
function versionOf(campaign: JsonObject): string {
  return `v${createHash('sha256').update(canonicalJson(campaign)).digest('hex').slice(0, 12)}`;
}

async function parse(
  bytes: Uint8Array,
  as: { encoding: KnownFileForm['encoding'] | null; separator: KnownFileForm['separator'] | null },
): Promise<{ form: KnownFileForm; records: FileRecord[] }> {
  const result = await runInWorker('parse', { bytes, as }, parseLimits);
  if (result.kind !== 'done') throw new AppError('csv_too_slow');
  if (result.output.kind === 'parsed') return result.output;
  const { reason, line } = result.output;
  throw new AppError(refusals[reason].code, { message: refusals[reason].message(line), data: { line } });
}

const refusals: Record<
  FileRefusal,
  { code: 'csv_unreadable' | 'csv_too_large'; message(line: number): string }
> = {
  encoding: {
    code: 'csv_unreadable',
    message: () => 'The file is not text in this encoding. No draft was changed.',
  },
  quotes: {
    code: 'csv_unreadable',
    message: (line) => `A quotation mark in line ${line} is not closed. No draft was changed.`,
  },
  rows: { code: 'csv_too_large', message: () => 'The file has more than 10,000 rows. No draft was changed.' },
  columns: {
    code: 'csv_too_large',
    message: (line) => `Line ${line} has more than 300 columns. No draft was changed.`,
  },
  cell: {
    code: 'csv_too_large',
    message: (line) => `A cell in line ${line} has more than 100,000 characters. No draft was changed.`,
  },
};

function unreadable(table: FileTable | null): AppError {
  if (table === null) return new AppError('csv_unreadable');
  return new AppError('csv_unreadable', {
    message: 'No row of the file names a campaign. No draft was changed.',
  });
}

const commaNumber = /^-?\d+,\d{1,2}$|^-?\d+,\d{4,}$|^-?0,\d+$/u;
const pointNumber = /^-?\d+\.\d{1,2}$|^-?\d+\.\d{4,}$|^-?0\.\d+$/u;

/** The decimal mark of the numbers in the file, if they leave no doubt. `1,234` leaves it. */
function markOf({ rows }: FileTable): DecimalMark {
  const cells = rows.flatMap((row) => [...row.cells.values()].map((cell) => cell.trim()));
  const hasComma = cells.some((cell) => commaNumber.test(cell));
  const hasPoint = cells.some((cell) => pointNumber.test(cell));
  return hasComma === hasPoint ? 'unknown' : hasComma ? 'comma' : 'point';
}

function viewOf(
  name: string,
  { form, mark, table, rows }: ReadFile,
  failed: { cid: number; message: string }[],
): BulkFile {
  const unknown = failed.flatMap(({ cid, message }) => {
    const row = rows.get(cid);
    return row === undefined ? [] : [{ line: row.line, message: `Campaign ${cid}: ${message}` }];
  });
  return {
    name,
    ...form,
    decimals: mark,
    rows: table.rows.length,
    fields: table.fields.map(fieldLabel),
    unknownColumns: table.unknownColumns,
    hasVersions: table.hasVersions,
    faults: [...table.faults, ...unknown].toSorted((one, other) => one.line - other.line).slice(0, 200),
  };
}
