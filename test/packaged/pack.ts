import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makePackagedApp } from '../servers/packaged/packaged-app.ts';
import { packagesVariable } from '../try-package/write.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Unpacked folders of the packaged app (servers/packaged/packaged-app.ts). */
    packagedApp: { shipped: string; driven: string };
  }
}

/**
 * Vitest's set-up of the project: packs the built app once for all test files, unless the environment names packages that
 * were made before.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const made = process.env[packagesVariable];
  if (made !== undefined) {
    project.provide('packagedApp', { shipped: join(made, 'shipped'), driven: join(made, 'driven') });
    return () => undefined;
  }
  const { shipped, driven, remove } = await makePackagedApp();
  project.provide('packagedApp', { shipped, driven });
  return remove;
}
