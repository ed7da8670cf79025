import { spawnSync } from 'node:child_process';
import type { Signature } from '../../scripts/package/build-record.ts';
import type { Program } from './running-app.ts';

/** The packages that are tried, and the machine on which they are tried. */
export interface Trial {
  platform: NodeJS.Platform;
  /** The unpacked folder of the package, or its bundle on macOS. */
  app: string;
  /** Like `app`, of a later version. */
  newer: string | null;
  /** An installer for Windows; `newerInstaller` is one of a later version. */
  installer: string | null;
  newerInstaller: string | null;
  /** The signature that the package must have; null if none is specified. */
  signature: Signature | null;
  /** The installed app's data folder of this user. It must not exist. */
  ownFolder: string;
  /** An empty folder for the files of steps. */
  work: string;
  /** Time limit of each action of the app, in milliseconds. */
  limitMs: number;
  /** Returns the program in such a folder. */
  programIn(folder: string): Program;
  /** Runs a program of the system, or an installer, to its end. */
  run(program: string, args: readonly string[]): RunResult;
}

export interface RunResult {
  exitCode: number | null;
  /** Standard output and standard error. */
  output: string;
}

/** One test of the package. */
export interface Step {
  does: string;
  /** Returns the reason why the step cannot run here; null if it can. */
  notHere(trial: Trial): string | null;
  /** Resolves with a description of the result. Fails if the package does not pass. */
  run(trial: Trial): Promise<string>;
}

/** Returns why this user cannot start an app, and a remedy; null if the user can. */
export function whyNoStart(platform: NodeJS.Platform, userId: number | undefined): string | null {
  if (platform !== 'linux' || userId !== 0) return null;
  return [
    'Electron refuses to run as root, since its sandbox protects nothing there.',
    'Run this as an ordinary user who can read this folder: `runuser -u <name> -- npm run try-package -- all`.',
  ].join('\n');
}

/** Runs a program of the system and returns its output. Fails with its output if it fails. */
export function runOrFail({ run }: Pick<Trial, 'run'>, program: string, args: readonly string[]): string {
  const { exitCode, output } = run(program, args);
  if (exitCode !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${exitCode}:\n${output.trim()}`);
  return output;
}

/** The implementation of `Trial.run` on this machine. */
export function runHere(program: string, args: readonly string[]): RunResult {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    windowsHide: true,
    ...(isInstaller(args) && { windowsVerbatimArguments: true, argv0: `"${program}"` }),
  });
  return { exitCode: status, output: error === undefined ? `${stdout}${stderr}` : error.message };
}

/** NSIS installers take the folder as the last argument, without quotes even if it contains spaces. */
const isInstaller = (args: readonly string[]): boolean => args.some((word) => /^(?:\/D|_\?)=/.test(word));
