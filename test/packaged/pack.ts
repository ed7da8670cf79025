import type { TestProject } from 'vitest/node';
import { makePackagedApp } from '../servers/packaged/packaged-app.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Unpacked folders of the packaged app (servers/packaged/packaged-app.ts). */
    packagedApp: { shipped: string; driven: string };
  }
}

/** Vitest's set-up of the project: packs the built app once for all its files. */
export async function setup(project: TestProject): Promise<() => void> {
  const { shipped, driven, remove } = await makePackagedApp();
  project.provide('packagedApp', { shipped, driven });
  return remove;
}
