import type { NewFile } from '#renderer/api/host-services.ts';
import { AppError } from '#shared/errors/index.ts';
import { asFailure } from './follow-core.ts';

/** Progress of the file that the page saves. One at a time. */
export type FileFlow =
  | { kind: 'idle' }
  /** `all` is null while it is not known. */
  | { kind: 'running'; unit: 'rows' | 'bytes'; done: number; all: number | null }
  /** Until the cancelled run has ended, and the next one can begin. */
  | { kind: 'cancelling' }
  | SavedFile
  | { kind: 'failed'; failure: AppError };

interface SavedFile {
  kind: 'saved';
  name: string;
}

/** An outcome that only one store knows. */
interface Outcome {
  kind: string;
}

/** The part of a store that shows the run. */
export interface FileRunState<F extends Outcome = never> {
  flow: FileFlow | F;
  /** Ends the run under way; nothing of its file stays. */
  cancel: () => void;
  dismiss: () => void;
}

export interface FileRunParts<F extends Outcome> {
  /** Asks where the file shall go; null when none is wanted. Fails with an `AppError`. */
  newFile(name: string): Promise<NewFile | null>;
  get(): Pick<FileRunState<F>, 'flow'>;
  set(change: Pick<FileRunState<F>, 'flow'>): void;
}

/** Runs of one store. `F` adds outcomes that are no files. */
interface FileRun<F extends Outcome = never> extends Pick<FileRunState<F>, 'cancel' | 'dismiss'> {
  /** Does one thing, unless another is under way. It ends idle where it resolves to null or was cancelled. */
  begin(work: (cancelled: AbortSignal) => Promise<FileFlow | F | null>): Promise<void>;
  /** Fills a new file and puts it in its place, unless filling was cancelled or failed. Null where no file was wanted. */
  fill(name: string, write: (file: NewFile) => Promise<void>): Promise<SavedFile | null>;
  progress(unit: 'rows' | 'bytes', done: number, all: number | null): void;
  isCancelled(): boolean;
}

/** Writes a new file and puts it in its place if `write` resolves to true; else, and after a failure, nothing of it is left. */
export async function writeFile(file: NewFile, write: () => Promise<boolean>): Promise<void> {
  let isWhole = false;
  try {
    isWhole = await write();
  } finally {
    await file.end(isWhole);
  }
}

export function createFileRun<F extends Outcome = never>({ newFile, get, set }: FileRunParts<F>): FileRun<F> {
  /** The one under way until it has ended, cancelled or not. */
  let run: AbortController | null = null;
  const isCancelled = (): boolean => run?.signal.aborted === true;
  return {
    isCancelled,
    progress(unit, done, all) {
      if (!isCancelled()) set({ flow: { kind: 'running', unit, done, all } });
    },
    async begin(work) {
      if (run !== null) return;
      run = new AbortController();
      const { signal } = run;
      set({ flow: { kind: 'running', unit: 'rows', done: 0, all: null } });
      try {
        const outcome = await work(signal);
        set({ flow: (signal.aborted ? null : outcome) ?? { kind: 'idle' } });
      } catch (error) {
        set({ flow: { kind: 'idle' } });
        const failure = asFailure(error);
        if (!signal.aborted) set({ flow: { kind: 'failed', failure } });
      } finally {
        run = null;
      }
    },
    async fill(name, write) {
      const file = await newFile(name);
      if (file === null) return null;
      await writeFile(file, async () => {
        if (!isCancelled()) await write(file);
        return !isCancelled();
      });
      return { kind: 'saved', name: file.name };
    },
    cancel() {
      if (run === null || isCancelled()) return;
      set({ flow: { kind: 'cancelling' } });
      run.abort();
    },
    dismiss() {
      const { kind } = get().flow;
      if (kind !== 'running' && kind !== 'cancelling') set({ flow: { kind: 'idle' } });
    },
  };
}

/** Reads a file that a person chose, as base64, in parts of `partBytes` bytes. Fails with `file_unreadable`. */
export async function* partsOf(file: Blob, partBytes: number): AsyncGenerator<string> {
  for (let at = 0; at < file.size; at += partBytes)
    yield toBase64(new Uint8Array(await readable(file.slice(at, at + partBytes).arrayBuffer())));
}

/** Resolves with what was read of a chosen file. Fails with `file_unreadable` where it was moved, changed or locked since it was chosen. */
export async function readable<Content>(reading: Promise<Content>): Promise<Content> {
  try {
    return await reading;
  } catch (cause) {
    throw new AppError('file_unreadable', { cause });
  }
}

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
