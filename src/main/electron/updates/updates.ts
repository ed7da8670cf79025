import { isDeepStrictEqual } from 'node:util';
import { AppError, encodeError } from '#shared/errors/index.ts';
import type { UpdatesOff, UpdateStep, UpdatesView } from '#shared/host-api/index.ts';
import { createListeners } from '#shared/lib/listeners.ts';
import type { DesktopLog } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import type { Installer } from './installer.ts';
import { compareVersions, type Feed, fileFor, readSignedFeed } from './signed-feed.ts';
import {
  shownUpdate,
  stepUpdates,
  type Update,
  type UpdateEffect,
  type UpdateEvent,
  type UpdateLife,
} from './update-life.ts';
import type { UpdateServer } from './update-server.ts';
import type { UpdateSource } from './update-source.ts';

const dayMs = 24 * 60 * 60_000;

const firstLookMs = 60_000;

/** Interval in milliseconds for testing whether a day has passed, because timers stop while the machine sleeps. */
const hourMs = 60 * 60_000;

const quietAgainMs = 1_000;

export interface Updates {
  view(): UpdatesView;
  onView(listener: (view: UpdatesView) => void): () => void;
  step(step: UpdateStep): void;
  setDaily(daily: boolean): void;
  /** Installs the requested update when the app ends. True if the system restarts the app. Fails as `Installer.install` does. */
  installAtEnd(): boolean;
  dispose(): void;
}

export interface UpdatesOptions {
  parts: { source: UpdateSource; server: UpdateServer; installer: Installer } | null;
  off: UpdatesOff | null;
  version: string;
  system: string;
  arch: string;
  settings: Pick<Settings, 'get' | 'set'>;
  busyWith(): Promise<'decision' | 'sending' | null>;
  isForbidden(): boolean;
  endApp(): void;
  log: DesktopLog;
  nowMs(): number;
  after(delayMs: number, call: () => void): () => void;
}

export function createUpdates(options: UpdatesOptions): Updates {
  const { parts, off, version, settings, busyWith, isForbidden, endApp, log, nowMs, after } = options;
  const listeners = createListeners<UpdatesView>();
  let life: UpdateLife = parts === null ? { kind: 'off', because: off ?? 'administrator' } : { kind: 'idle' };
  let isEnding = false;
  let stop = (): void => {};
  let stopTimer = (): void => {};

  const view = (): UpdatesView => ({
    version,
    state: shownUpdate(life),
    lookedAtMs: settings.get('updatesLookedAtMs'),
    daily: settings.get('dailyUpdates'),
  });

  function take(event: UpdateEvent): void {
    const before = view();
    const step = stepUpdates(life, event);
    life = step.life;
    // Emits first: Electron may run an answer's continuation while it sends, and then a later view would be sent first.
    if (!isDeepStrictEqual(view(), before)) listeners.emit(view());
    for (const effect of step.effects) perform(effect);
  }

  function perform(effect: UpdateEffect): void {
    switch (effect.kind) {
      case 'look':
        return begin(look);
      case 'download':
        return begin((signal) => download(effect.update, signal));
      case 'stop-download':
        return stop();
      case 'ask-whether-quiet':
        return orFailed(askWhetherQuiet);
      case 'ask-again':
        after(quietAgainMs, () => (life.kind === 'waiting' ? orFailed(askWhetherQuiet) : undefined));
        return;
      case 'check':
        return orFailed(async () => check(effect.update));
      case 'end':
        isEnding = true;
        return endApp();
    }
  }

  function begin(work: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController();
    stop = () => controller.abort();
    orFailed(() => work(controller.signal), controller.signal);
  }

  function orFailed(work: () => Promise<void>, signal?: AbortSignal): void {
    void work().catch((failure: unknown) => {
      if (signal?.aborted === true) return;
      const encoded = encodeError(failure);
      const stack = failure instanceof AppError ? undefined : String(failure);
      log.warn({ code: encoded.code, stack, ...encoded.data }, 'An update was not made');
      take({ kind: 'failed', failure: encoded });
    });
  }

  async function look(signal: AbortSignal): Promise<void> {
    if (parts === null) return;
    if (isForbidden()) return take({ kind: 'forbidden' });
    const { keys, publisher } = parts.source;
    const { bytes, signature } = await parts.server.loadFeed(signal);
    const newest = settings.get('newestFeed');
    const context = { keys, publisher, installed: version, newest, nowMs: nowMs() };
    const feed = readSignedFeed(bytes, signature, context);
    settings.set('newestFeed', { version: feed.version, releasedAtMs: feed.released });
    settings.set('updatesLookedAtMs', nowMs());
    take({ kind: 'found', update: updateOf(feed) });
  }

  function updateOf(feed: Feed): Update | null {
    if (compareVersions(feed.version, version) <= 0) return null;
    const file = fileFor(feed, options.system, options.arch);
    if (file === null) throw new AppError('update_not_for_system');
    return {
      version: feed.version,
      releasedAtMs: feed.released,
      expiresAtMs: feed.expires,
      news: feed.news,
      bytes: file.bytes,
      file,
    };
  }

  async function download(update: Update, signal: AbortSignal): Promise<void> {
    if (parts === null) return;
    if (isForbidden()) return take({ kind: 'forbidden' });
    assertFresh(update);
    const report = (event: UpdateEvent): void => (signal.aborted ? undefined : take(event));
    await parts.installer.download(update, {
      signal,
      onBytes: (bytes) => report({ kind: 'received', bytes }),
    });
    report({ kind: 'downloaded' });
  }

  async function askWhetherQuiet(): Promise<void> {
    if (isForbidden()) return take({ kind: 'forbidden' });
    const busy = await busyWith();
    take(busy === null ? { kind: 'quiet' } : { kind: 'busy', with: busy });
  }

  function check(update: Update): void {
    assertFresh(update);
    parts?.installer.check(update);
    take({ kind: 'checked' });
  }

  /** A list of updates may expire while its update waits, so a new check shows whether the update is still offered. */
  function assertFresh({ expiresAtMs }: Update): void {
    if (expiresAtMs <= nowMs()) throw new AppError('update_feed_expired');
  }

  function lookDaily(delayMs: number): void {
    stopTimer = after(delayMs, () => {
      const last = settings.get('updatesLookedAtMs') ?? 0;
      const isDue = nowMs() - last >= dayMs || last > nowMs();
      if (settings.get('dailyUpdates') && isDue) take({ kind: 'look', isQuiet: true });
      lookDaily(hourMs);
    });
  }
  if (parts !== null) lookDaily(firstLookMs);

  return {
    view,
    onView: listeners.add,
    step: (step) => take(step === 'look' ? { kind: 'look', isQuiet: false } : { kind: step }),
    setDaily(daily) {
      settings.set('dailyUpdates', daily);
      listeners.emit(view());
    },
    installAtEnd() {
      if (!isEnding || parts === null || life.kind !== 'installing') return false;
      log.info({ version: life.update.version }, 'An update is installed');
      return parts.installer.install(life.update);
    },
    dispose() {
      stop();
      stopTimer();
    },
  };
}
