import { chromium, type Browser } from 'playwright';
import { workerProcesses } from '#test/setup/worker-processes.ts';
import { findChromium, findHeadlessChromium } from '../../../scripts/lib/find-chromium.ts';

/** Without these switches, Chromium contacts its maker's hosts at every start. */
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
 * Disabled features. The pages of Chromium's own address bar would load for every profile and take more than half of a
 * profile's time. Spare processes are disabled too. The list repeats what Playwright disables, because only the last switch
 * with this name counts.
 */
const disabled = [
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
  /** Additional switches. */
  switches?: string[];
  /** If true, pages lose the focus to each other as windows do. Only the full Chromium supports this. */
  realFocus?: boolean;
}

/** Launches a real Chromium without a window. Fails if it is not installed; `npm test` installs it. The caller closes it. */
export async function launchChromium({
  switches = [],
  realFocus = false,
}: ChromiumChoice = {}): Promise<Browser> {
  const found = (realFocus ? null : await findHeadlessChromium()) ?? (await findChromium());
  if (found === null) throw new Error('No Chromium was found. Run `npm test`, which says how to get one.');
  const features = `--disable-features=${disabled.join(',')}`;
  return chromium.launch({ executablePath: found.path, args: [...quietly, features, ...switches] });
}

const launched = new Map<string, Promise<Browser>>();

/** Returns the Chromium that the test files of this worker share, one for each choice. It ends with the worker. */
export function workerChromium(choice: ChromiumChoice = {}): Promise<Browser> {
  const key = JSON.stringify(choice);
  const browser = launched.get(key) ?? launchForWorker(choice, () => launched.delete(key));
  launched.set(key, browser);
  return browser;
}

async function launchForWorker(choice: ChromiumChoice, forget: () => void): Promise<Browser> {
  const browser = await launchChromium(choice);
  workerProcesses.count += 1;
  // Vitest ends a worker with SIGTERM. On exit, Playwright closes its browsers and removes their profiles.
  process.once('SIGTERM', () => process.exit());
  browser.once('disconnected', () => {
    workerProcesses.count -= 1;
    forget();
  });
  return browser;
}
