import { chmodSync, existsSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ErrorCode } from '#shared/errors/index.ts';
import type { UpdateState } from '#shared/host-api/index.ts';
import { has } from '#test/servers/abilities.ts';
import { foreignKey, updateName } from '#test/servers/update-server.ts';
import { installation, type Installation, type InstallationOptions, newApp, oldApp } from './installation.ts';

interface BadUpdate extends InstallationOptions {
  name: string;
  publish?: (app: Installation) => void | Promise<void>;
  /** Changes the file after it was downloaded and verified. */
  tamper?: (file: string) => void;
  code: ErrorCode;
}

const days = (count: number): number => count * 24 * 60 * 60_000;
const daysAgo = (count: number): Date => new Date(Date.now() - days(count));

const changed = Buffer.from(newApp);
changed[20] = (changed[20] ?? 0) + 1;

const badUpdates: BadUpdate[] = [
  {
    name: 'a feed over http',
    feed: ({ service }) => `http://localhost:${service.port}/updates/`,
    code: 'update_address_refused',
  },
  {
    name: 'a feed that redirects elsewhere',
    publish: ({ publisher }) =>
      publisher.service.answerWith((_request, response) => {
        response.writeHead(302, { location: 'https://localhost:1/updates/feed.json' }).end();
      }),
    code: 'update_address_refused',
  },
  { name: 'a server with an untrusted certificate', isUntrusted: true, code: 'certificate_untrusted' },
  {
    name: 'a feed without a signature',
    publish: ({ publisher }) => publisher.publish({}, null),
    code: 'update_signature_missing',
  },
  {
    name: 'a feed signed with another key',
    publish: ({ publisher }) => publisher.publish({}, foreignKey()),
    code: 'update_signature_wrong',
  },
  {
    name: 'a feed changed after signing',
    publish: ({ publisher }) => publisher.serve('feed.json', '{"version":"9.0.0"}'),
    code: 'update_signature_wrong',
  },
  {
    name: 'an expired feed',
    publish: ({ publisher }) => publisher.publish({ released: daysAgo(31), validDays: 30 }),
    code: 'update_feed_expired',
  },
  {
    name: 'an expired feed on a computer whose clock was set back',
    async publish(app) {
      app.publisher.publish({ version: '1.0.0' });
      await app.step('look');
      app.nowMs -= days(40);
      app.publisher.publish({ released: daysAgo(39.5), validDays: 30 });
    },
    code: 'update_feed_expired',
  },
  {
    name: 'a feed of the future',
    publish: ({ publisher }) => publisher.publish({ released: daysAgo(-2) }),
    code: 'update_feed_expired',
  },
  {
    name: 'a feed older than an earlier one',
    async publish(app) {
      app.publisher.publish({ version: '1.2.0' });
      await app.step('look');
      app.publisher.publish({ released: daysAgo(2) });
    },
    code: 'update_feed_replayed',
  },
  {
    name: 'an older version',
    publish: ({ publisher }) => publisher.publish({ version: '0.9.9' }),
    code: 'update_older',
  },
  {
    name: 'an update of another publisher',
    publish: ({ publisher }) => publisher.publish({ publisher: 'Somebody Else' }),
    code: 'update_publisher_wrong',
  },
  {
    name: 'a feed that names a file on another server',
    publish: ({ publisher }) => {
      publisher.publish({
        files: [
          {
            system: process.platform,
            arch: process.arch,
            name: '../x',
            bytes: 1,
            sha512: `${'A'.repeat(86)}==`,
          },
        ],
      });
    },
    code: 'update_feed_invalid',
  },
  {
    name: 'a file with another hash',
    publish: ({ publisher }) => publisher.serve(updateName, changed),
    code: 'update_file_wrong',
  },
  {
    name: 'a file that is shorter',
    publish: ({ publisher }) => publisher.serve(updateName, newApp.subarray(0, 1_000)),
    code: 'update_file_wrong',
  },
  {
    name: 'a file that is longer',
    publish: ({ publisher }) => publisher.serve(updateName, Buffer.concat([newApp, newApp])),
    code: 'update_file_wrong',
  },
  {
    name: 'a file changed after verification',
    tamper: (file) => writeFileSync(file, changed),
    code: 'update_file_wrong',
  },
];

/** Only POSIX has a file mode for write access, and allows everybody to make a link. */
const badOnPosix: BadUpdate[] = [
  {
    name: 'a file that others can write',
    tamper: (file) => chmodSync(file, 0o777),
    code: 'update_file_wrong',
  },
  {
    name: 'a link in place of the file',
    tamper(file) {
      renameSync(file, `${file}.moved`);
      symlinkSync(`${file}.moved`, file);
    },
    code: 'update_file_wrong',
  },
];

async function tryToUpdate(app: Installation, tamper: BadUpdate['tamper']): Promise<UpdateState> {
  const found = await app.step('look');
  if (found.kind !== 'available') return found;
  const downloaded = await app.step('download');
  if (downloaded.kind !== 'ready' || tamper === undefined) return downloaded;
  tamper(join(app.folder, 'download/pending', updateName));
  app.updates.step('install');
  await expect.poll(() => app.updates.view().state.kind).not.toMatch(/waiting|installing/);
  return app.updates.view().state;
}

async function isRefused(bad: BadUpdate): Promise<void> {
  const { publish, tamper, code, ...options } = bad;
  const app = await installation(options);
  await publish?.(app);
  const state = await tryToUpdate(app, tamper);
  expect(state).toMatchObject({ kind: 'refused', failure: { code } });
  expect(app.installed()).toEqual(oldApp);
  expect(app.updates.installAtEnd()).toBe(false);
  expect({ started: app.started, ended: app.ended }).toEqual({ started: [], ended: 0 });
  // No file is left that could be installed.
  const pending = join(app.folder, 'download/pending');
  if (tamper === undefined && existsSync(pending)) expect(readdirSync(pending)).toEqual([]);
}

test.each(badUpdates)('$name is refused, and the old app stays as it was', isRefused);

test.runIf(has.modes && has.links).each(badOnPosix)(
  '$name is refused, and the old app stays as it was',
  isRefused,
);

test('a file that changes between the last check and the installation is not installed', async () => {
  const app = await installation();
  await app.step('look');
  await app.step('download');
  app.updates.step('install');
  await expect.poll(() => app.ended).toBe(1);
  writeFileSync(join(app.folder, 'download/pending', updateName), changed);
  expect(() => app.updates.installAtEnd()).toThrow(expect.objectContaining({ code: 'update_file_wrong' }));
  expect(app.installed()).toEqual(oldApp);
  expect(existsSync(`${app.appImage}.update`)).toBe(false);
  expect(app.started).toEqual([]);
});
