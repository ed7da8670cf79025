import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startPublisherService } from '#test/core/reports/publisher-service.ts';
import { exitCodeAfter, has } from '#test/servers/abilities.ts';
import { temporaryFolder } from './folder.ts';
import { countersign, run } from './process.ts';

const environment = {
  COUNTERSIGN_PUBLISHER_KEY: 'pk_of-profile-one',
  COUNTERSIGN_MEMBER_TOKEN: 'token',
  DISPLAY: '',
  WAYLAND_DISPLAY: '',
};

const pauses: [what: string, status: number, retryAfter: () => string | null][] = [
  ['429 with seconds', 429, () => '1'],
  ['429 with a date', 429, () => new Date(Date.now() + 1_500).toUTCString()],
  ['503 without a time', 503, () => null],
];

/** A service that gives this answer before its first real answer for each path, or always. */
async function startPausing(
  [, status, retryAfter]: (typeof pauses)[number],
  { always = false } = {},
): Promise<string> {
  const service = await startPublisherService();
  const paused = new Set<string>();
  service.script = async ({ path }, response) => {
    if (paused.has(path) && !always) return false;
    paused.add(path);
    const time = retryAfter();
    if (time !== null) response.setHeader('retry-after', time);
    response.writeHead(status).end('{"status":"error","message":"Slow down"}');
    return true;
  };
  return service.apiUrl;
}

describe('a command that waits exits with 0 only when its work is done:', () => {
  const days = ['--from', '2026-11-19', '--to', '2026-11-20', '--format', 'csv'];
  const reports: [what: string, args: string[]][] = [
    ['report of Search', days],
    ['report of XML traffic', ['--tid', '7301', ...days]],
  ];

  test.each(pauses)(
    'report, if the service answers %s first, prints the rows after the wait',
    async (...pause) => {
      for (const [what, args] of reports) {
        const url = await startPausing(pause);
        const { code, text } = await run(['report', url, ...args], environment);
        expect({ what, code, hasRow: text.includes('2026-11-20,') }).toEqual({ what, code: 0, hasRow: true });
      }
    },
  );

  test('report, if the service asks for a long wait, prints the reason and exits with 1', async () => {
    const url = await startPausing(['', 429, () => '3600'], { always: true });
    const { code, text } = await run(['report', url, ...days], environment);
    expect(code).toBe(1);
    expect(text).toMatch(/^countersign: .+\n.+\n$/);
  });

  test.each(pauses)(
    'doctor, if the service answers %s first, prints every step and exits with 1',
    async (...pause) => {
      const url = await startPausing(pause);
      const { code, text } = await run(['doctor', url], environment);
      expect(code).toBe(1);
      expect(text).toMatch(/^(?:\d+ (?:ok|notice|failed|skipped)(?:, |\.$))+/m);
    },
  );

  const endless: [what: string, args: (folder: string) => string[], ready: string][] = [
    ['open', (folder) => ['open', '--no-open', '--campaigns', '5', '--data', folder], 'http://'],
    ['serve', (folder) => ['serve', '--campaigns', '5', '--days', '2', '--data', folder], 'Ctrl-C ends it.'],
  ];
  test.runIf(has.signals).each(endless)(
    '%s waits for a signal and exits accordingly',
    async (_what, args, ready) => {
      const running = countersign(args(temporaryFolder()), environment);
      await running.until(ready);
      running.child.kill('SIGTERM');
      expect(await running.ended).toBe(exitCodeAfter('SIGTERM'));
    },
  );

  test('this table has every command except those that wait only for a disk or a terminal', async () => {
    const { text } = await run(['--help']);
    const commands = [...text.matchAll(/^ {2}([a-z-]+) (?:\[|<)/gm)].map(([, name]) => name);
    const here = readFileSync(import.meta.filename, 'utf8');
    const untested = commands.filter((name) => !here.includes(`['${name}'`) && name !== 'help');
    expect(untested.join(' ')).toBe('demo verify-ledger verify-result');
  });
});
