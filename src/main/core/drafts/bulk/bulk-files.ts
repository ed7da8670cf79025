import { createHash } from 'node:crypto';
import type { AppHandlers, AppOutput, BulkFile, BulkState } from '#shared/app-api/index.ts';
import { fieldLabel, isListName } from '#shared/campaign/index.ts';
import {
  type BulkPlan,
  type CellChoices,
  dateOrderOf,
  decimalMarkOf,
  type FileFault,
  fileHeader,
  fileLine,
  type FileNotation,
  type FileSubject,
  type FileTable,
  planFileRow,
  readTable,
  tooLongFields,
} from '#shared/drafts/index.ts';
import { concealIn } from '#core/platform/credentials.ts';
import { AppError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import type { BulkSession } from './bulk-session.ts';
import type { FileRecord, FileRefusal, KnownFileFormat } from './worker/parse-file.ts';
import { runInWorker, type WorkLimits } from './worker/run-in-worker.ts';

type FileRequest = 'bulk.exportPart' | 'bulk.fileStart' | 'bulk.filePart' | 'bulk.fileRead' | 'bulk.file';

/** Files of campaigns: exported for a spreadsheet, and read back as a change (docs/decisions/0047-campaign-files.md). */
export interface BulkFiles {
  requests: Pick<AppHandlers, FileRequest>;
  /** The changes of the last read file to a stored campaign, and their line. Fails with `bulk_not_started`. */
  planOf(
    cid: number,
    campaign: JsonObject,
    parts: Pick<FileSubject, 'memberKindOf' | 'present'>,
  ): { line: number; plan: BulkPlan };
}

export interface BulkFilesOptions {
  session: BulkSession;
  accountLists(): AppOutput<'campaigns.values'>['lists'];
  newId(): string;
  conceal(text: string): string;
  copiesOf(cid: number): readonly JsonObject[];
  parseLimits?: WorkLimits;
}

const maxBytes = 20 * 1024 * 1024;
const defaultLimits: WorkLimits = { deadlineMs: 10_000, maxHeapMb: 512 };
const partSize = 200;

interface OpenFile {
  id: string;
  name: string;
  parts: Buffer[];
  size: number;
  read: ReadFile | null;
}

interface ReadFile {
  form: KnownFileFormat;
  notation: FileNotation;
  choices: CellChoices;
  table: FileTable;
  rows: Map<number, FileTable['rows'][number]>;
}

export function createBulkFiles(options: BulkFilesOptions): BulkFiles {
  const { session, accountLists, newId, conceal, copiesOf, parseLimits = defaultLimits } = options;
  const exported = createExported();
  let open: OpenFile | null = null;
  /** The file that is being transferred. It replaces `open` once it has been read. */
  let coming: OpenFile | null = null;

  function fileOf(id: string): OpenFile {
    const file = [coming, open].find((one) => one?.id === id);
    if (file == null) throw new AppError('bulk_not_started');
    return file;
  }

  return {
    requests: {
      async 'bulk.exportPart'({ fields, offset }) {
        const campaigns = session.campaigns();
        const part = campaigns.slice(offset, offset + partSize);
        const lines = part.map(({ edit: { campaign } }) => {
          const version = versionOf(campaign);
          exported.remember(version, campaign);
          return fileLine(concealIn(campaign, conceal), fields, version);
        });
        const next = offset + part.length;
        return {
          // Without the byte order mark, spreadsheets read the file as Windows-1252.
          text: `${offset === 0 ? `\uFEFF${fileHeader(fields)}` : ''}${lines.join('')}`,
          next: next < campaigns.length ? next : null,
          tooLong: part.flatMap(({ cid, edit: { campaign } }) =>
            tooLongFields(campaign, fields).map((field) => ({ cid, label: fieldLabel(field) })),
          ),
          total: campaigns.length,
        };
      },
      async 'bulk.fileStart'({ name }) {
        coming = { id: newId(), name, parts: [], size: 0, read: null };
        return { id: coming.id };
      },
      async 'bulk.filePart'({ id, bytes }) {
        const file = fileOf(id);
        const part = Buffer.from(bytes, 'base64');
        file.size += part.length;
        if (file.size > maxBytes) throw new AppError('csv_too_large');
        file.parts.push(part);
        return {};
      },
      async 'bulk.fileRead'({ id, encoding, separator, decimals, dates, rounded, lost }) {
        const file = fileOf(id);
        const { form, records } = await parse(
          Buffer.concat(file.parts),
          { encoding, separator },
          parseLimits,
        );
        const lists = accountLists();
        const table = readTable(records, (name) => isListName(name) || Object.hasOwn(lists, name));
        if (table === null || table.repeatedColumns.length > 0 || table.rows.length === 0)
          throw unreadable(table);
        const rows = new Map(table.rows.map((row) => [row.cid, row]));
        const cells = table.rows.map((row) => row.cells);
        const notation = {
          decimals: decimals ?? decimalMarkOf(cells),
          dates: dates ?? dateOrderOf(cells),
        };
        // The read at the export would hide later changes by others.
        // A further attempt with the same file needs no new read.
        const readAgain = file.read === null;
        file.read = { form, notation, choices: { rounded, lost }, table, rows };
        open = file;
        if (coming === file) coming = null;
        session.start([...rows.keys()], { readAgain });
        return {};
      },
      async 'bulk.file'() {
        if (open?.read == null || !isChosen(open.read)) return null;
        return { id: open.id, file: viewOf(open.name, open.read, session.state().failed) };
      },
    },
    planOf(cid, campaign, parts) {
      const read = open?.read;
      const row = read?.rows.get(cid);
      if (read == null || row === undefined) throw new AppError('bulk_not_started');
      const plan = planFileRow(row, {
        ...parts,
        campaign,
        version: versionOf(campaign),
        notation: read.notation,
        choices: read.choices,
        exported: (version) =>
          exported.find(version) ?? copiesOf(cid).find((copy) => versionOf(copy) === version) ?? null,
      });
      return { line: row.line, plan };
    },
  };

  function isChosen({ rows }: ReadFile): boolean {
    return session.includesAll(rows);
  }
}

/** A short hash of the complete campaign. It begins with a letter, so that no spreadsheet takes it for a number. */
function versionOf(campaign: JsonObject): string {
  return `v${createHash('sha256').update(canonicalJson(campaign)).digest('hex').slice(0, 12)}`;
}

interface Exported {
  remember(version: string, campaign: JsonObject): void;
  find(version: string): JsonObject | undefined;
}

const maxExported = 20_000;

function createExported(): Exported {
  const campaigns = new Map<string, JsonObject>();
  return {
    remember(version, campaign) {
      campaigns.delete(version);
      campaigns.set(version, campaign);
      for (const oldest of campaigns.keys()) {
        if (campaigns.size <= maxExported) break;
        campaigns.delete(oldest);
      }
    },
    find: (version) => campaigns.get(version),
  };
}

async function parse(
  bytes: Uint8Array,
  as: { encoding: KnownFileFormat['encoding'] | null; separator: KnownFileFormat['separator'] | null },
  limits: WorkLimits,
): Promise<{ form: KnownFileFormat; records: FileRecord[] }> {
  const result = await runInWorker('parse', { bytes, as }, limits);
  if (result.kind !== 'done') throw new AppError('csv_too_slow');
  if (result.output.kind === 'parsed') return result.output;
  const { reason, line } = result.output;
  throw new AppError(refusals[reason].code, { message: refusals[reason].message(line), data: { line } });
}

const refusals: Record<
  FileRefusal,
  { code: 'csv_unreadable' | 'csv_too_large'; message(line: number): Sentence }
> = {
  encoding: {
    code: 'csv_unreadable',
    message: () => sentence`The file is not text in this encoding. No draft was changed.`,
  },
  quotes: {
    code: 'csv_unreadable',
    message: (line) => sentence`A quotation mark in line ${line} is not closed. No draft was changed.`,
  },
  rows: {
    code: 'csv_too_large',
    message: () => sentence`The file has more than 10,000 rows. No draft was changed.`,
  },
  columns: {
    code: 'csv_too_large',
    message: (line) => sentence`Line ${line} has more than 300 columns. No draft was changed.`,
  },
  cell: {
    code: 'csv_too_large',
    message: (line) =>
      sentence`A cell in line ${line} has more than 100,000 characters. No draft was changed.`,
  },
};

function unreadable(table: FileTable | null): AppError {
  if (table === null) return new AppError('csv_unreadable');
  const [repeated] = table.repeatedColumns;
  if (repeated !== undefined)
    return new AppError('csv_unreadable', {
      message: sentence`The column ${repeated} is in the file more than once. No draft was changed.`,
    });
  const [first] = table.faults;
  if (first === undefined)
    return new AppError('csv_unreadable', {
      message: 'No row of the file names a campaign. No draft was changed.',
    });
  return new AppError('csv_rows_unusable', {
    message: sentence`No row of the file can be used. Line ${first.line}: ${ownWords(first.message)} No draft was changed.`,
    data: { line: first.line },
  });
}

function viewOf(
  name: string,
  { form, notation, table, rows }: ReadFile,
  failed: BulkState['failed'],
): BulkFile {
  const unread = failed.flatMap(({ cid, message, isUnknown }): FileFault[] => {
    const row = rows.get(cid);
    if (row === undefined) return [];
    const kind = isUnknown ? 'unknown' : 'unreadable';
    return [{ line: row.line, kind, message: sentence`Campaign ${cid}: ${ownWords(message)}` }];
  });
  const faults = [...table.faults, ...unread].toSorted((one, other) => one.line - other.line);
  const count = (wanted: FileFault['kind']): number => faults.filter(({ kind }) => kind === wanted).length;
  return {
    name,
    ...form,
    ...notation,
    rows: table.rows.length,
    fields: table.fields.map(fieldLabel),
    unknownColumns: table.unknownColumns,
    hasVersions: table.hasVersions,
    skipped: { new: count('new'), unknown: count('unknown'), unreadable: count('unreadable') },
    faults: faults.slice(0, 200),
  };
}
