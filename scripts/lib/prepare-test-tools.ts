import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findChromium, findHeadlessChromium } from './find-chromium.ts';
import { canInstallPackages, installPackages } from './install-packages.ts';

interface NeededTool {
  package: string;
  for: string;
  find(): Promise<string | null>;
}

const needed: NeededTool[] = [
  {
    package: 'chromium',
    for: 'the end-to-end tests',
    find: async () => {
      const chromium = await findChromium();
      return chromium && `${chromium.path} (${chromium.version})`;
    },
  },
  {
    package: 'chromium-headless-shell',
    for: 'the end-to-end tests that need no window',
    async find() {
      const headless = await findHeadlessChromium();
      if (headless !== null) return `${headless.path} (${headless.version})`;
      return canInstallPackages() || (await findChromium()) === null ? null : 'no smaller Chromium';
    },
  },
  ...(process.platform === 'linux'
    ? [
        { package: 'strace', for: 'counting fsyncs', find: async () => onPath('strace') },
        { package: 'xvfb', for: 'windows without a screen', find: async () => onPath('Xvfb') },
        {
          package: 'desktop-file-utils',
          for: 'the entry in the menu',
          find: async () => onPath('desktop-file-validate'),
        },
        { package: 'appstream', for: 'the metadata of packages', find: async () => onPath('appstreamcli') },
        { package: 'rpm', for: 'making an rpm', find: async () => onPath('rpmbuild') },
        { package: 'bsdutils', for: 'tests on a terminal', find: async () => onPath('script') },
      ]
    : []),
];

/**
 * Finds the tools that tests need and installs missing tools if possible (as root on Debian); prints what it found, installed or
 * lacks. Returns true if all tools are available.
 */
export async function prepareTestTools(say: (line: string) => void): Promise<boolean> {
  let missing = await reportMissing(needed, say);
  if (missing.length > 0 && canInstallPackages()) {
    const packages = missing.map((tool) => tool.package);
    say(`  installing ${packages.join(', ')} with apt-get`);
    await installPackages(packages);
    missing = await reportMissing(missing, say);
  }
  if (missing.length === 0) return true;
  say(
    `  Install what is missing, on Debian: sudo apt-get install ${missing.map((tool) => tool.package).join(' ')}`,
  );
  say('  A Chromium in another place is named by CHROMIUM=/path/to/chromium.');
  return false;
}

async function reportMissing(
  tools: readonly NeededTool[],
  say: (line: string) => void,
): Promise<NeededTool[]> {
  const missing: NeededTool[] = [];
  for (const tool of tools) {
    const found = await tool.find();
    say(found === null ? `  missing ${tool.package}, for ${tool.for}` : `  found ${found}, for ${tool.for}`);
    if (found === null) missing.push(tool);
  }
  return missing;
}

function onPath(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder; the next folder may have it.
    }
  }
  return null;
}
