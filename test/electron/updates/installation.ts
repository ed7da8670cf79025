import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { createSettings, type Settings } from '#electron/platform/settings.ts';
import { createInstaller } from '#electron/updates/installer.ts';
import { createUpdateServer } from '#electron/updates/update-server.ts';
import { createUpdates, type Updates } from '#electron/updates/updates.ts';
import type { UpdateState, UpdateStep } from '#shared/host-api/index.ts';
import { setSystemNetwork } from '#system/http/system-network.ts';
import { startPublisher, type UpdatePublisher } from '#test/servers/update-server.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { manualTimers, type ManualTimers } from '../shell/manual-timers.ts';
import { eventually } from '#test/setup/eventually.ts';

export const oldApp = Buffer.from('#!/bin/sh\necho old\n');
export const newApp = Buffer.from(`#!/bin/sh\necho new\n${'#'.repeat(200_000)}\n`);

/** An installed AppImage of version 1.0.0 that gets updates from a publisher. */
export interface Installation {
  publisher: UpdatePublisher;
  updates: Updates;
  settings: Settings;
  timers: ManualTimers;
  /** The path of the AppImage. */
  appImage: string;
  /** The folder of downloads. */
  folder: string;
  started: string[];
  /** How often the app was asked to end. */
  ended: number;
  busy: 'decision' | 'sending' | null;
  /** If true, the administrator's policy forbids updates. */
  isForbidden: boolean;
  nowMs: number;
  /** Takes the step, and waits until no step is running. */
  step(step: UpdateStep): Promise<UpdateState>;
  /** Returns the bytes of the installed app. */
  installed(): Buffer;
}

export interface InstallationOptions {
  /** If true, the authority of the publisher's server is not trusted. */
  isUntrusted?: boolean;
  /** Returns another feed address than the publisher's. */
  feed?: (publisher: UpdatePublisher) => string;
}

const underWay: ReadonlySet<string> = new Set(['looking', 'downloading']);

export async function installation(options: InstallationOptions = {}): Promise<Installation> {
  const publisher = await startPublisher(newApp);
  publisher.publish({});
  const network = setSystemNetwork({
    certificates: () => (options.isUntrusted === true ? [] : [publisher.service.authority]),
  });
  onTestFinished(network.dispose);
  const home = tempFolder();
  const [appImage, folder] = [join(home, 'apps/Countersign.AppImage'), join(home, 'updates')];
  mkdirSync(dirname(appImage));
  writeFileSync(appImage, oldApp);
  chmodSync(appImage, 0o755);
  // electron-updater reads the path from this variable.
  vi.stubEnv('APPIMAGE', appImage);
  onTestFinished(() => void vi.unstubAllEnvs());
  const source = { ...publisher.source, feed: options.feed?.(publisher) ?? publisher.source.feed };
  const server = createUpdateServer(source.feed);
  const settings = createSettings({ read: () => ({}), write: async () => undefined });
  const timers = manualTimers();
  const made: Omit<Installation, 'updates'> = {
    publisher,
    settings,
    timers,
    appImage,
    folder,
    started: [],
    ended: 0,
    busy: null,
    isForbidden: false,
    nowMs: Date.now(),
    async step(step) {
      updates.step(step);
      await eventually(() => {
        if (underWay.has(updates.view().state.kind)) throw new Error('under way');
      });
      return updates.view().state;
    },
    installed: () => readFileSync(appImage),
  };
  const installer = createInstaller({
    source,
    server,
    version: '1.0.0',
    folder,
    platform: 'linux',
    appImage,
    startApp: (path) => void made.started.push(path),
    startAgain: () => void made.started.push('again'),
  });
  const updates = createUpdates({
    parts: { source, server, installer },
    off: null,
    version: '1.0.0',
    system: process.platform,
    arch: process.arch,
    settings,
    busyWith: async () => made.busy,
    isForbidden: () => made.isForbidden,
    endApp: () => void (made.ended += 1),
    log: { info: () => {}, warn: () => {} },
    nowMs: () => made.nowMs,
    after: timers.after,
  });
  onTestFinished(() => updates.dispose());
  return Object.assign(made, { updates });
}
