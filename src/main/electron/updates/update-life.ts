import type { EncodedError } from '#shared/errors/index.ts';
import type { UpdateOffer, UpdatesOff, UpdateState } from '#shared/host-api/index.ts';
import type { FeedFile } from './signed-feed.ts';

export interface Update extends UpdateOffer {
  expiresAtMs: number;
  file: FeedFile;
}

type KnownUpdate = { kind: 'available' | 'ready'; update: Update };

export type UpdateLife =
  | { kind: 'off'; because: UpdatesOff }
  | { kind: 'idle' }
  /** `before` is the result of an earlier check for updates. A quiet check was not requested by a person. */
  | { kind: 'looking'; before: KnownUpdate | null; isQuiet: boolean }
  | { kind: 'available'; update: Update }
  | { kind: 'downloading'; update: Update; receivedBytes: number }
  | { kind: 'ready'; update: Update }
  | { kind: 'waiting'; update: Update; for: 'decision' | 'sending' | 'check' }
  | { kind: 'installing'; update: Update }
  | { kind: 'refused'; failure: EncodedError };

export type UpdateEvent =
  | { kind: 'look'; isQuiet: boolean }
  | { kind: 'found'; update: Update | null }
  | { kind: 'download' }
  | { kind: 'received'; bytes: number }
  | { kind: 'downloaded' }
  | { kind: 'cancel' }
  | { kind: 'install' }
  | { kind: 'busy'; with: 'decision' | 'sending' }
  | { kind: 'quiet' }
  | { kind: 'checked' }
  | { kind: 'failed'; failure: EncodedError }
  | { kind: 'forbidden' };

export type UpdateEffect =
  | { kind: 'look' }
  | { kind: 'download'; update: Update }
  | { kind: 'stop-download' }
  | { kind: 'ask-whether-quiet' }
  | { kind: 'ask-again' }
  | { kind: 'check'; update: Update }
  | { kind: 'end' };

export interface UpdateStepTaken {
  life: UpdateLife;
  effects: UpdateEffect[];
}

/** Codes for an unreachable network. A quiet check ignores them, because being offline is no fault. */
const away: ReadonlySet<string> = new Set([
  'update_unreachable',
  'certificate_untrusted',
  'proxy_refused',
  'proxy_sign_in_needed',
]);

const to = (life: UpdateLife, ...effects: UpdateEffect[]): UpdateStepTaken => ({ life, effects });

export function stepUpdates(life: UpdateLife, event: UpdateEvent): UpdateStepTaken {
  if (event.kind === 'failed') return failed(life, event.failure);
  if (event.kind === 'forbidden') return to({ kind: 'off', because: 'policy' }, { kind: 'stop-download' });
  switch (life.kind) {
    case 'idle':
    case 'refused':
    case 'available':
      if (event.kind === 'look') {
        const before = life.kind === 'available' ? life : null;
        return to({ kind: 'looking', before, isQuiet: event.isQuiet }, { kind: 'look' });
      }
      if (life.kind === 'available' && event.kind === 'download') return download(life.update);
      break;
    case 'looking':
      if (event.kind === 'found') return to(found(life.before, event.update));
      break;
    case 'downloading':
      if (event.kind === 'received') return to({ ...life, receivedBytes: event.bytes });
      if (event.kind === 'downloaded') return to({ kind: 'ready', update: life.update });
      if (event.kind === 'cancel') {
        return to({ kind: 'available', update: life.update }, { kind: 'stop-download' });
      }
      break;
    case 'ready':
      if (event.kind === 'look' && event.isQuiet) {
        return to({ kind: 'looking', before: life, isQuiet: true }, { kind: 'look' });
      }
      if (event.kind === 'install') {
        return to({ kind: 'waiting', update: life.update, for: 'check' }, { kind: 'ask-whether-quiet' });
      }
      break;
    case 'waiting':
      if (event.kind === 'cancel') return to({ kind: 'ready', update: life.update });
      if (event.kind === 'busy') return to({ ...life, for: event.with }, { kind: 'ask-again' });
      if (event.kind === 'quiet') {
        return to({ kind: 'installing', update: life.update }, { kind: 'check', update: life.update });
      }
      break;
    case 'installing':
      if (event.kind === 'checked') return to(life, { kind: 'end' });
      break;
    case 'off':
      // The policy file may have been corrected since; all other reasons last until the program ends.
      if (event.kind === 'look' && life.because === 'policy') {
        return to({ kind: 'looking', before: null, isQuiet: event.isQuiet }, { kind: 'look' });
      }
      break;
  }
  return to(life);
}

function download(update: Update): UpdateStepTaken {
  return to({ kind: 'downloading', update, receivedBytes: 0 }, { kind: 'download', update });
}

/** An update is identified by the hash of its file, so that a file already on disk is not downloaded again. */
function found(before: KnownUpdate | null, update: Update | null): UpdateLife {
  if (update === null) return { kind: 'idle' };
  const isReady = before?.kind === 'ready' && before.update.file.sha512 === update.file.sha512;
  return { kind: isReady ? 'ready' : 'available', update };
}

function failed(life: UpdateLife, failure: EncodedError): UpdateStepTaken {
  switch (life.kind) {
    case 'looking':
      if (life.before?.kind === 'ready') return to(life.before);
      if (!life.isQuiet || !away.has(failure.code)) return to({ kind: 'refused', failure });
      return to(life.before ?? { kind: 'idle' });
    case 'downloading':
    case 'waiting':
    case 'installing':
      return to({ kind: 'refused', failure });
    default:
      return to(life);
  }
}

export function shownUpdate(life: UpdateLife): UpdateState {
  if (!('update' in life)) return life.kind === 'looking' ? { kind: 'looking' } : life;
  const { version, releasedAtMs, news, bytes } = life.update;
  const { update: _, ...rest } = life;
  return { ...rest, offer: { version, releasedAtMs, news, bytes } };
}
