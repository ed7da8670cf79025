import { builtPages } from '../../browser-host/index.ts';
import { runBrowserHost, type OpenOptions } from '../run-browser-host.ts';
import type { Console } from '../console.ts';
import type { Installation } from '../installation.ts';

/** `countersign open`: the browser host with the built pages. */
export async function open(
  options: OpenOptions,
  { version, rendererFolder }: Installation,
  console: Console,
): Promise<number> {
  return runBrowserHost(options, { version, console, pages: builtPages(rendererFolder) });
}
