import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { makeDeb } from '../../../scripts/package/linux/make-deb.ts';

/** Sizes of a Debian package, in bytes. */
interface Weight {
  download: number;
  /** Installed size, as the package states it. */
  installed: number;
}

/** Size of our package and of an empty Electron package, in bytes. */
export interface Weights {
  ours: Weight;
  blank: Weight;
}

/** Figures of the last accepted measurement. Our part must not grow without a reason. */
interface Baseline {
  /**
   * Size of our package minus that of an empty package with the same Electron, in bytes. A new Electron version does not
   * change it.
   */
  ownPart: Weight;
  /**
   * Memory in megabytes and percentage of one core of all processes when idle. For comparison only: the values depend on the
   * machine.
   */
  rest: Record<'ours' | 'blank', { memory: number; processor: number }>;
}

const file = new URL('baseline.json', import.meta.url);

export const readBaseline = (): Baseline => JSON.parse(readFileSync(file, 'utf8')) as Baseline;

/** The largest allowed ratio of our part to the baseline. */
export const margin = 1.05;

/** Returns our part of the size, in bytes. */
export const ownPart = ({ ours, blank }: Weights, of: keyof Weight): number => ours[of] - blank[of];

/** Builds the deb of an unpacked folder as it ships, in its parent folder, and measures it. */
export function weigh(folder: string): Weight {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  const deb = makeDeb({ folder, arch, epochSeconds: 0 }, `${folder}-deb`);
  const kibibytes = execFileSync('dpkg-deb', ['--field', deb, 'Installed-Size'], { encoding: 'utf8' });
  return { download: statSync(deb).size, installed: Number(kibibytes) * 1024 };
}
