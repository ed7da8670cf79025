import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { makeDeb } from '../../../scripts/package/linux/make-deb.ts';

/** Size of a package for Debian, in bytes. */
interface Weight {
  /** Of the file that is downloaded. */
  download: number;
  /** Of its files once they are installed, as the package itself says. */
  installed: number;
}

/** Size of our package and of one without our app, in bytes. */
export interface Weights {
  ours: Weight;
  blank: Weight;
}

/** Figures of the last measurement that was accepted: our part must not weigh more without a reason. */
interface Baseline {
  /**
   * Size of our package beyond that of a blank one of the same Electron, in bytes: another Electron does not change it.
   */
  ownPart: Weight;
  /** At rest, of all processes; megabytes, and percent of one core. For comparison only: they depend on the machine. */
  rest: Record<'ours' | 'blank', { memory: number; processor: number }>;
}

const file = new URL('baseline.json', import.meta.url);

export const readBaseline = (): Baseline => JSON.parse(readFileSync(file, 'utf8')) as Baseline;

/** The most that our part may weigh in proportion to the baseline. */
export const margin = 1.05;

/** Returns our part of the weight, in bytes. */
export const ownPart = ({ ours, blank }: Weights, of: keyof Weight): number => ours[of] - blank[of];

/** Makes the package of an unpacked folder as it ships, in the folder beside it, and weighs it. */
export function weigh(folder: string): Weight {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  const deb = makeDeb({ folder, arch, epochSeconds: 0 }, `${folder}-deb`);
  const kibibytes = execFileSync('dpkg-deb', ['--field', deb, 'Installed-Size'], { encoding: 'utf8' });
  return { download: statSync(deb).size, installed: Number(kibibytes) * 1024 };
}
