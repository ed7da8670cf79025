import { listProcesses } from '../../scripts/lib/processes.ts';
import { untilFound } from '#test/setup/eventually.ts';

/** The utility process with the core of an app, by the app's own process; resolves as soon as there is one. */
export function corePidOf(appPid: number): Promise<number> {
  return untilFound(
    () =>
      listProcesses().find(
        ({ parent, command }) => parent === appPid && command.includes('node.mojom.NodeService'),
      )?.pid,
  );
}
