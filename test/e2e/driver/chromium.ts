import { chromium, type Browser } from 'playwright';
import { workerProcesses } from '#test/setup/worker-processes.ts';
import { findChromium, findHeadlessChromium } from '../../../scripts/lib/find-chromium.ts';

/** Without these, Chromium looks for its maker's hosts at every start. */
const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Features that Chromium leaves out: the pages of its own address bar, which it otherwise loads for every profile and which take more
 * than half of the time of one; processes on stock; and what Playwright leaves out, since only the last switch of this name
 * counts.
 */
const leftOut = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

export interface ChromiumChoice {
  /** Further switches. */
  switches?: string[];
  /** Pages lose the focus to one another as windows do, which only the whole Chromium can. */
  realFocus?: boolean;
}

/** A real Chromium without a window. Fails where there is none; `npm test` installs one. The caller closes it. */
export async function launchChromium({
  switches = [],
  realFocus = false,
}: ChromiumChoice = {}): Promise<Browser> {
  const found = (realFocus ? null : await findHeadlessChromium()) ?? (await findChromium());
  if (found === null) throw new Error('No Chromium was found. Run `npm test`, which says how to get one.');
  const features = `--disable-features=${leftOut.join(',')}`;
  return chromium.launch({ executablePath: found.path, args: [...quietly, features, ...switches] });
}

const launched = new Map<string, Promise<Browser>>();

/** The Chromium that the test files of this worker share, one for each choice. It ends with the worker. */
export function workerChromium(choice: ChromiumChoice = {}): Promise<Browser> {
  const key = JSON.stringify(choice);
  const browser = launched.get(key) ?? launchForWorker(choice, () => launched.delete(key));
  launched.set(key, browser);
  return browser;
}

async function launchForWorker(choice: ChromiumChoice, forget: () => void): Promise<Browser> {
  const browser = await launchChromium(choice);
  workerProcesses.count += 1;
  // Vitest ends a worker with SIGTERM. At an exit, Playwright ends its browsers and removes their profiles.
  process.once('SIGTERM', () => process.exit());
  browser.once('disconnected', () => {
    workerProcesses.count -= 1;
    forget();
  });
  return browser;
}
