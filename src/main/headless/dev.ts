/** The browser host for `npm run dev`: like `countersign open`, with pages from vite. Never part of a build. */
import { Command } from 'commander';
import { AppError } from '#shared/errors/index.ts';
import { entryPage, markPlace } from '#shared/host-api/index.ts';
import type { PageSource } from './browser-host/built-pages.ts';
import { campaignsOption, dataFolderOption, personalDataFolder } from './cli/arguments.ts';
import { type OpenOptions, runBrowserHost } from './cli/commands/open.ts';
import { processConsole } from './cli/console.ts';
import { reportBrokenOutput, reportFailure } from './cli/failures.ts';
import { findInstallation } from './cli/installation.ts';

const passedUp = ['accept', 'sec-fetch-dest', 'if-none-match'] as const;
const passedDown = ['content-type', 'etag', 'cache-control'] as const;

/** Pages from vite's development server, on the origins of the built pages. For development only: vite needs inline scripts. */
function vitePages(origin: string): PageSource {
  const socket = origin.replace(/^http/, 'ws');
  const policy = [
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${socket} ${origin}`,
    "frame-ancestors 'none'",
  ].join('; ');
  return ({ place, role }) => ({
    method: 'GET',
    path: '/',
    async answer(request, response, path) {
      const target = path === '/' ? entryPage[role] : (request.url ?? '/');
      const headers = new Headers();
      for (const name of passedUp) {
        const value = request.headers[name];
        if (typeof value === 'string') headers.set(name, value);
      }
      const found = await fetch(origin + target, { headers }).catch((cause: unknown) => {
        throw new AppError('pages_missing', { message: 'The development server does not answer.', cause });
      });
      response.statusCode = found.status;
      for (const name of passedDown) {
        const value = found.headers.get(name);
        if (value !== null) response.setHeader(name, value);
      }
      response.setHeader('content-security-policy', policy);
      const body = Buffer.from(await found.arrayBuffer());
      response.end(path === '/' ? markPlace(body.toString(), place) : body);
    },
  });
}

const console = processConsole((failure) => reportBrokenOutput(failure, console));
const program = new Command('dev')
  .requiredOption('--renderer-url <url>', "vite's development server")
  .addOption(dataFolderOption('data folder').default(`${personalDataFolder()}-dev`))
  .addOption(campaignsOption())
  .option('--no-open', 'only print the address')
  .action(async ({ rendererUrl, ...options }: OpenOptions & { rendererUrl: string }) => {
    const pages = vitePages(new URL(rendererUrl).origin);
    process.exitCode = await runBrowserHost(options, { ...findInstallation(), console, pages });
  });

try {
  await program.parseAsync();
} catch (failure) {
  process.exitCode = reportFailure(failure, console);
}
