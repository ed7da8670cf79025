/** The browser host for `npm run dev`: as `countersign open`, with pages from vite. Never part of a build. */
import { Command } from 'commander';
import { campaignsOption, dataFolderOption, personalDataFolder } from './cli/arguments.ts';
import { processConsole } from './cli/console.ts';
import { findInstallation } from './cli/installation.ts';
import { reportFailure } from './cli/report-failure.ts';
import { runBrowserHost, type OpenOptions } from './cli/run-browser-host.ts';
import { vitePages } from './dev/vite-pages.ts';

const console = processConsole();
const program = new Command('dev')
  .requiredOption('--renderer-url <url>', "vite's development server")
  // Apart from the data of everyday use.
  .addOption(dataFolderOption('where the data is kept').default(`${personalDataFolder()}-dev`))
  .addOption(campaignsOption())
  .option('--no-open', 'print the address only')
  .action(async ({ rendererUrl, ...options }: OpenOptions & { rendererUrl: string }) => {
    const pages = vitePages(new URL(rendererUrl).origin);
    process.exitCode = await runBrowserHost(options, { ...findInstallation(), console, pages });
  });

try {
  await program.parseAsync();
} catch (failure) {
  process.exitCode = reportFailure(failure, console);
}
