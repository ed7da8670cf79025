import { TextDecoder } from 'node:util';
import type { Clock } from '#core/platform/clock.ts';
import type { PublisherClient, ReportRequest, ReportStream } from '#core/service-client/index.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import type { ExportFormat } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { rangeOf } from './load/plan.ts';

export interface ServiceFiles {
  startFile(input: AppInput<'reports.exportStart'>): Promise<AppOutput<'reports.exportStart'>>;
  filePart(input: AppInput<'reports.exportPart'>): Promise<AppOutput<'reports.exportPart'>>;
  endFile(input: AppInput<'reports.exportEnd'>): null;
}

interface FileAccess {
  connection: { publisher: Pick<PublisherClient, 'open'> };
  today: string;
}

export interface ServiceFilesOptions<A extends FileAccess> {
  access(): A;
  assertActive(access: A): void;
  newId(): string;
  clock: Clock;
}

/** A part ends at this size or time, so that progress is visible on a slow connection. */
const partBytes = 512 * 1024;
const partMs = 500;
const idleTimeoutMs = 60_000;

interface StartedFile<A> {
  id: string;
  at: A;
  format: ExportFormat;
  address: ReportRequest;
  abort: AbortController;
  opened: OpenedFile | null;
  isBusy: boolean;
  cancelTimer(): void;
}

interface OpenedFile {
  stream: ReportStream;
  chunks: AsyncIterator<Uint8Array>;
  decoder: TextDecoder;
  receivedBytes: number;
}

/** Exports one file at a time. The request is sent with the first `filePart`, so a user may take time to choose a location. */
export function createServiceFiles<A extends FileAccess>(
  options: ServiceFilesOptions<A>,
): ServiceFiles & { closeFile(): void } {
  const { access, assertActive, clock } = options;
  let started: StartedFile<A> | null = null;

  function close(): void {
    started?.cancelTimer();
    started?.abort.abort();
    started?.opened?.stream.close();
    started = null;
  }

  function fileOf(id: string): StartedFile<A> {
    if (started === null || started.id !== id || started.isBusy) throw new AppError('report_export_ended');
    assertActive(started.at);
    return started;
  }

  return {
    closeFile: close,
    async startFile({ source, range: asked, grouping, format }) {
      const at = access();
      const { from, to } = rangeOf(asked, at.today);
      close();
      const id = options.newId();
      started = {
        id,
        at,
        format,
        address:
          source.kind === 'xml'
            ? { kind: 'xml', tid: source.tid, groupBy: grouping, from, to }
            : { kind: 'search', ...(source.sid === null ? {} : { sid: source.sid }), from, to },
        abort: new AbortController(),
        opened: null,
        isBusy: false,
        cancelTimer: () => {},
      };
      const sourceName =
        source.kind === 'xml' ? `xml-${source.tid}-by-${grouping}` : `search-${source.sid ?? 'all'}`;
      return { id, name: `${sourceName}-${from}-to-${to}.${format}` };
    },
    async filePart({ id }) {
      const file = fileOf(id);
      file.cancelTimer();
      file.isBusy = true;
      try {
        const opened = file.opened ?? (await openFile(file));
        // If the export was closed meanwhile, nothing else would close this stream.
        if (started !== file) opened.stream.close();
        file.opened = opened;
        const part = await readPart(opened, clock);
        if (started !== file) throw new AppError('report_export_ended');
        if (part.done) close();
        else file.cancelTimer = clock.after(idleTimeoutMs, close);
        return part;
      } catch (failure) {
        const isEnded = started !== file;
        if (!isEnded) close();
        throw isEnded ? new AppError('report_export_ended') : failure;
      } finally {
        file.isBusy = false;
      }
    },
    endFile({ id }) {
      if (started?.id === id) close();
      return null;
    },
  };
}

async function openFile({ at, address, format, abort }: StartedFile<FileAccess>): Promise<OpenedFile> {
  const stream = await at.connection.publisher.open(address, { format, signal: abort.signal });
  return {
    stream,
    chunks: stream.chunks[Symbol.asyncIterator](),
    decoder: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }),
    receivedBytes: 0,
  };
}

async function readPart(file: OpenedFile, clock: Clock): Promise<AppOutput<'reports.exportPart'>> {
  const { chunks, decoder } = file;
  const deadlineMs = clock.monotonicMs() + partMs;
  const before = file.receivedBytes;
  let text = '';
  while (file.receivedBytes - before < partBytes && clock.monotonicMs() < deadlineMs) {
    const { value, done } = await chunks.next();
    text += decodeChunk(decoder, done === true ? null : value);
    if (done === true) return { text, receivedBytes: file.receivedBytes, done: true };
    file.receivedBytes += value.byteLength;
  }
  return { text, receivedBytes: file.receivedBytes, done: false };
}

function decodeChunk(decoder: TextDecoder, chunk: Uint8Array | null): string {
  try {
    return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new AppError('service_answer_unreadable', {
      message: 'The file of the service is not text in UTF-8.',
    });
  }
}
