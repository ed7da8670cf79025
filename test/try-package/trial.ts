import { spawnSync } from 'node:child_process';
import type { Signature } from '../../scripts/package/build-record.ts';
import type { Program } from './running-app.ts';

/** The packages that are tried, and the machine that they are tried on. */
export interface Trial {
  platform: NodeJS.Platform;
  /** The unpacked folder of the package, or on macOS its bundle. */
  app: string;
  /** The same of a later version. */
  newer: string | null;
  /** An installer for Windows, and one of a later version. */
  installer: string | null;
  newerInstaller: string | null;
  /** The signature that the package has to carry; null where nobody said which. */
  signature: Signature | null;
  /** Where the installed app keeps everything of this user, who has to have nothing there. */
  ownFolder: string;
  /** An empty folder for whatever a step needs. */
  work: string;
  /** Time limit of each thing that the app does, in milliseconds. */
  limitMs: number;
  /** The program in such a folder. */
  programIn(folder: string): Program;
  /** Runs a program of the system, or an installer, to its end. */
  run(program: string, args: readonly string[]): RunResult;
}

export interface RunResult {
  exitCode: number | null;
  /** Both of its streams. */
  output: string;
}

/** One thing that is tried. */
export interface Step {
  does: string;
  /** Says why it cannot be tried here; null where it can. */
  notHere(trial: Trial): string | null;
  /** Resolves to what was seen, in words. Fails if the package does not pass. */
  run(trial: Trial): Promise<string>;
}

/** Says why no app can be started by this user, and what to do; null if one can. */
export function whyNoStart(platform: NodeJS.Platform, userId: number | undefined): string | null {
  if (platform !== 'linux' || userId !== 0) return null;
  return [
    'Electron refuses to run as root, since its sandbox protects nothing there.',
    'Run this as an ordinary user who can read this folder: `runuser -u <name> -- npm run try-package -- all`.',
  ].join('\n');
}

/** Runs a program of the system, and fails with its words where it fails. Returns its output. */
export function runOrFail({ run }: Pick<Trial, 'run'>, program: string, args: readonly string[]): string {
  const { exitCode, output } = run(program, args);
  if (exitCode !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${exitCode}:\n${output.trim()}`);
  return output;
}

/** As `Trial.run` on this machine. */
export function runHere(program: string, args: readonly string[]): RunResult {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    windowsHide: true,
    ...(isInstaller(args) && { windowsVerbatimArguments: true, argv0: `"${program}"` }),
  });
  return { exitCode: status, output: error === undefined ? `${stdout}${stderr}` : error.message };
}

/** Installers made with NSIS take the folder last and without quotes, whatever spaces it has. */
const isInstaller = (args: readonly string[]): boolean => args.some((word) => /^(?:\/D|_\?)=/.test(word));
