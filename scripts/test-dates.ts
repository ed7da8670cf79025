/**
 * `npm run test:dates`: runs the projects `pure` and `core` at special dates and in special time zones, one after the other.
 * Names of dates select some of them (`npm run test:dates -- leap-day`); other arguments are passed to vitest, for which
 * `--project` replaces the two projects. Debian's libfaketime sets the clock and is installed if this process has permission: all
 * processes of a run are ahead of the real time by the same offset. Timers, `performance.now()` and file times stay real.
 */
import { globSync } from 'node:fs';
import { canInstallPackages, installPackages } from './lib/install-packages.ts';
import { runAttached } from './lib/run-attached.ts';
import { tools } from './lib/run-tool.ts';

interface Moment {
  at: string;
  zone: string;
}

const moments: Record<string, Moment> = {
  'leap-day': { at: '2028-02-29T12:00:00+14:00', zone: 'Pacific/Kiritimati' },
  'month-end': { at: '2027-01-31T23:50:00-08:00', zone: 'America/Los_Angeles' },
  'year-end': { at: '2026-12-31T23:50:00+05:30', zone: 'Asia/Kolkata' },
  'leap-day-end': { at: '2028-02-29T23:50:00Z', zone: 'UTC' },
  'spring-in-europe': { at: '2027-03-28T01:50:00+01:00', zone: 'Europe/Berlin' },
  'autumn-in-europe': { at: '2027-10-31T02:50:00+02:00', zone: 'Europe/Berlin' },
  'spring-in-america': { at: '2027-03-14T01:50:00-08:00', zone: 'America/Los_Angeles' },
  'autumn-in-america': { at: '2027-11-07T01:50:00-07:00', zone: 'America/Los_Angeles' },
};

const usualProjects = ['--project', 'pure', '--project', 'core'];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const findLibrary = (): string | undefined => globSync('/usr/lib/*/faketime/libfaketime.so.1')[0];

process.exitCode = await main();

async function main(): Promise<number> {
  if (findLibrary() === undefined && canInstallPackages()) await installPackages(['faketime']);
  const library = findLibrary();
  if (library === undefined) {
    say('Dates need Debian’s package faketime: apt-get install faketime');
    return 1;
  }
  const args = process.argv.slice(2);
  const named = args.filter((argument) => Object.hasOwn(moments, argument));
  const vitestArgs = args.filter((argument) => !named.includes(argument));
  const projects = vitestArgs.includes('--project') ? [] : usualProjects;
  const failed: string[] = [];
  for (const [name, moment] of Object.entries(moments)) {
    if (named.length > 0 && !named.includes(name)) continue;
    say(`${name}: ${moment.at} in ${moment.zone}`);
    const exitCode = await runAttached(tools.vitest, ['run', ...projects, ...vitestArgs], {
      ...process.env,
      ...environmentOf(moment, library),
    });
    if (exitCode > 128) return exitCode;
    if (exitCode !== 0) failed.push(name);
  }
  say(failed.length === 0 ? 'Passed at every moment.' : `Failed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

function environmentOf({ at, zone }: Moment, library: string): Record<string, string> {
  const offsetSeconds = Math.round((Date.parse(at) - Date.now()) / 1_000);
  return {
    TZ: zone,
    LD_PRELOAD: library,
    FAKETIME: `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}
