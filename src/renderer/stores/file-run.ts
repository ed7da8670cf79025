import type { NewFile } from '#renderer/api/host-services.ts';
import { AppError } from '#shared/errors/index.ts';
import { asFailure } from './follow-core.ts';

export type FileFlow =
  | { kind: 'idle' }
  /** `all` is null while the total is unknown. */
  | { kind: 'running'; unit: 'rows' | 'bytes'; done: number; all: number | null }
  | { kind: 'cancelling' }
  | SavedFile
  | { kind: 'failed'; failure: AppError };

interface SavedFile {
  kind: 'saved';
  name: string;
}

interface Outcome {
  kind: string;
}

export interface FileRunState<F extends Outcome = never> {
  flow: FileFlow | F;
  cancel: () => void;
  dismiss: () => void;
}

export interface FileRunParts<F extends Outcome> {
  /** Asks where to save a file. Null if the person cancels. Fails with an `AppError`. */
  newFile(name: string): Promise<NewFile | null>;
  get(): Pick<FileRunState<F>, 'flow'>;
  set(change: Pick<FileRunState<F>, 'flow'>): void;
}

/** A run that makes a file. `F` adds outcomes without a file. */
interface FileRun<F extends Outcome = never> extends Pick<FileRunState<F>, 'cancel' | 'dismiss'> {
  /**
   * Starts a run. Ignored while another run is active. The flow returns to idle if `work` resolves to null or was
   * cancelled.
   */
  begin(work: (cancelled: AbortSignal) => Promise<FileFlow | F | null>): Promise<void>;
  fill(name: string, write: (file: NewFile) => Promise<void>): Promise<SavedFile | null>;
  progress(unit: 'rows' | 'bytes', done: number, all: number | null): void;
  isCancelled(): boolean;
}

/** Finishes the file if `write` resolves to true. Otherwise discards it. */
export async function writeFile(file: NewFile, write: () => Promise<boolean>): Promise<void> {
  let isWhole = false;
  try {
    isWhole = await write();
  } finally {
    await file.end(isWhole);
  }
}

export function createFileRun<F extends Outcome = never>({ newFile, get, set }: FileRunParts<F>): FileRun<F> {
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

/** Yields the file in Base64 parts of `partBytes` bytes. Fails with `file_unreadable`. */
export async function* partsOf(file: Blob, partBytes: number): AsyncGenerator<string> {
  for (let at = 0; at < file.size; at += partBytes)
    yield toBase64(new Uint8Array(await readable(file.slice(at, at + partBytes).arrayBuffer())));
}

/** Maps a failed read of a chosen file to `file_unreadable`: the file was moved, changed or locked. */
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
