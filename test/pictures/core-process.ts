import { listProcesses } from '../../scripts/lib/processes.ts';
import { untilFound } from '#test/setup/eventually.ts';

/** Resolves with the utility process that runs the core, once it exists, given the app's own process. */
export function corePidOf(appPid: number): Promise<number> {
  return untilFound(
    () =>
      listProcesses().find(
        ({ parent, command }) => parent === appPid && command.includes('node.mojom.NodeService'),
      )?.pid,
  );
}
