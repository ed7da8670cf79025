/** The imports that one folder may make. Everything else is forbidden; a folder always reaches itself. */
export interface ImportRow {
  /** A folder or file. A trailing `/*` makes each of its subfolders a place of its own. The longest match counts. */
  place: string;
  /** Our own folders and files, with everything in them. */
  ours: string[];
  /** Packages: a name with its subpaths, `@scope/*`, one exact subpath, or `node:*`. */
  packages: string[];
}

const platform = 'src/main/core/platform';
const shared = 'src/shared';
const system = 'src/main/system';
const appStore = 'src/main/core/store/app';
const sqlite = 'src/main/core/store/sqlite';
const serviceClient = 'src/main/core/service-client';
const sdk = '@modelcontextprotocol/sdk';
const oauthServer = 'src/main/core/oauth-server';
const mcpServer = 'src/main/core/mcp-server';
const oauthRows = 'src/main/core/store/oauth';

const connections = 'src/main/core/connections';
const policy = 'src/main/core/policy';

/** Everything of the core that the parts above the gate may use: all but the embedded backend and compose. */
const coreWithoutBackend = [
  platform,
  appStore,
  serviceClient,
  connections,
  'src/main/core/profiles',
  'src/main/core/ledger',
  'src/main/core/proposals',
  'src/main/core/agents',
  'src/main/core/gateway',
  'src/main/core/reads',
  shared,
];

/**
 * The rows, from the bottom layer up. zod stands where JSON from outside this process is parsed: answers of a service, and
 * stored JSON on its way out. Backend and client meet over HTTP only, so neither names the other.
 */
export const importTable: ImportRow[] = [
  { place: 'src/shared/lib', ours: [], packages: ['canonicalize'] },
  { place: 'src/shared/contract', ours: ['src/shared/lib'], packages: ['zod'] },
  { place: 'src/shared/errors', ours: ['src/shared/lib'], packages: ['zod'] },
  {
    place: 'src/shared/campaign',
    ours: ['src/shared/contract', 'src/shared/errors', 'src/shared/lib'],
    packages: [],
  },
  {
    place: 'src/shared/reports',
    ours: ['src/shared/campaign', 'src/shared/lib'],
    packages: [],
  },
  {
    place: 'src/shared/drafts',
    ours: ['src/shared/campaign', 'src/shared/contract', 'src/shared/errors', 'src/shared/lib'],
    packages: ['zod'],
  },
  {
    place: 'src/shared/find',
    ours: ['src/shared/campaign', 'src/shared/contract', 'src/shared/drafts', 'src/shared/lib'],
    packages: ['zod'],
  },
  {
    place: 'src/shared/schedules',
    ours: ['src/shared/campaign', 'src/shared/contract', 'src/shared/lib'],
    packages: [],
  },
  { place: 'src/shared/guide', ours: ['src/shared/lib'], packages: [] },
  { place: 'src/shared/proposals', ours: ['src/shared/lib'], packages: [] },
  {
    place: 'src/shared/training',
    ours: ['src/shared/campaign', 'src/shared/contract', 'src/shared/errors', 'src/shared/lib'],
    packages: ['zod'],
  },
  { place: 'src/shared/app-api', ours: [shared], packages: ['zod'] },
  { place: 'src/shared/host-api', ours: [shared], packages: ['zod'] },

  {
    place: 'src/renderer/ui',
    ours: [
      'src/shared/campaign',
      'src/shared/contract',
      'src/shared/proposals',
      'src/shared/reports',
      'src/shared/lib',
    ],
    packages: [
      'react',
      'react-dom',
      'react-aria-components',
      '@tanstack/*',
      'uplot',
      'lucide-react',
      '@fontsource-variable/*',
    ],
  },
  { place: 'src/renderer/api', ours: [shared], packages: [] },
  { place: 'src/renderer/stores', ours: ['src/renderer/api', shared], packages: ['zustand/vanilla'] },
  {
    // Before the row of all features, which is as exact.
    place: 'src/renderer/features/guide',
    ours: ['src/renderer/ui', 'src/renderer/stores', shared],
    // The chapters, which the build makes of docs/guide.
    packages: ['react', 'zustand', 'virtual:guide'],
  },
  {
    place: 'src/renderer/features/*',
    ours: ['src/renderer/ui', 'src/renderer/stores', shared],
    packages: ['react', 'zustand'],
  },
  {
    place: 'src/renderer/confirm',
    ours: ['src/renderer/ui', 'src/renderer/api', shared],
    packages: ['react', 'react-dom', 'zod'],
  },
  {
    place: 'src/renderer/app',
    ours: ['src/renderer/ui', 'src/renderer/api', 'src/renderer/stores', 'src/renderer/features', shared],
    packages: ['react', 'react-dom', 'zustand'],
  },

  { place: platform, ours: [system, shared], packages: ['node:*', 'pino', 'fastify'] },
  { place: system, ours: ['src/shared/errors'], packages: ['node:*'] },
  { place: sqlite, ours: [platform, system, shared], packages: ['node:*', 'better-sqlite3'] },
  {
    place: appStore,
    ours: [platform, sqlite, oauthRows, shared],
    packages: ['node:*', 'better-sqlite3', 'zod'],
  },
  { place: oauthRows, ours: [platform, sqlite, shared], packages: ['node:*', 'better-sqlite3'] },
  {
    place: 'src/main/core/store/backend',
    ours: [platform, sqlite, oauthRows, shared],
    packages: ['node:*', 'better-sqlite3'],
  },
  { place: oauthServer, ours: [platform, oauthRows, shared], packages: ['node:*', 'oidc-provider'] },
  { place: mcpServer, ours: [platform, shared], packages: ['node:*', sdk] },
  {
    place: 'src/main/core/backend',
    ours: [platform, 'src/main/core/store/backend', oauthServer, mcpServer, shared],
    packages: ['node:*', 'fastify', 'zod'],
  },
  {
    place: serviceClient,
    ours: [platform, system, shared],
    packages: ['node:*', 'oauth4webapi', sdk, 'zod'],
  },
  { place: 'src/main/core/ledger', ours: [platform, system, appStore, shared], packages: ['node:*'] },
  { place: policy, ours: [platform, shared], packages: ['node:*', 'zod'] },
  { place: 'src/main/core/profiles', ours: [platform, appStore, policy, shared], packages: ['node:*'] },
  {
    place: connections,
    ours: [platform, appStore, serviceClient, 'src/main/core/profiles', shared],
    packages: ['node:*'],
  },
  {
    place: 'src/main/core/reads',
    ours: [platform, appStore, serviceClient, connections, shared],
    packages: ['node:*'],
  },
  { place: 'src/main/core/pictures', ours: [platform, serviceClient, shared], packages: [] },
  {
    place: 'src/main/core/proposals',
    ours: [
      platform,
      appStore,
      serviceClient,
      connections,
      'src/main/core/ledger',
      'src/main/core/profiles',
      'src/main/core/reads',
      shared,
    ],
    packages: ['node:*', 'zod'],
  },
  {
    place: 'src/main/core/agents',
    ours: [
      platform,
      policy,
      appStore,
      serviceClient,
      connections,
      'src/main/core/ledger',
      'src/main/core/profiles',
      'src/main/core/proposals',
      shared,
    ],
    packages: ['node:*', 'zod'],
  },
  {
    place: 'src/main/core/gateway',
    ours: [
      'src/main/core/agents',
      'src/main/core/proposals',
      oauthServer,
      oauthRows,
      mcpServer,
      serviceClient,
      connections,
      'src/main/core/profiles',
      platform,
      shared,
    ],
    packages: ['node:*'],
  },
  {
    place: 'src/main/core/store/reports',
    ours: [platform, sqlite, shared],
    packages: ['node:*', 'better-sqlite3'],
  },
  {
    place: 'src/main/core/reports',
    ours: [...coreWithoutBackend, 'src/main/core/store/reports'],
    packages: ['node:*'],
  },
  { place: 'src/main/core/drafts', ours: coreWithoutBackend, packages: ['node:*'] },
  {
    place: 'src/main/core/drafts/bulk/worker',
    ours: [shared],
    packages: ['node:*', 'papaparse'],
  },
  {
    place: 'src/main/core/campaign-notes',
    ours: [platform, appStore, 'src/main/core/profiles', shared],
    packages: [],
  },
  { place: 'src/main/core/schedules', ours: coreWithoutBackend, packages: ['node:*'] },
  { place: 'src/main/core/uploads', ours: coreWithoutBackend, packages: ['zod'] },
  { place: 'src/main/core/doctor', ours: coreWithoutBackend, packages: ['node:*', 'zod'] },
  {
    place: 'src/main/core/store/training',
    ours: [platform, sqlite, shared],
    packages: ['node:*', 'zod'],
  },
  {
    place: 'src/main/core/training',
    ours: [
      platform,
      system,
      'src/main/core/store/training',
      'src/main/core/sample-agent',
      // The words of the pictures in lessons are those of proposals.
      'src/main/core/proposals',
      shared,
    ],
    packages: ['node:*'],
  },
  { place: 'src/main/core/sample-agent', ours: [platform, shared], packages: ['node:*', sdk] },
  {
    place: 'src/main/core/app-handlers.ts',
    ours: [
      ...coreWithoutBackend,
      policy,
      'src/main/core/doctor',
      'src/main/core/pictures',
      'src/main/core/campaign-notes',
      'src/main/core/data-folder',
      'src/main/core/drafts',
      'src/main/core/format-setting.ts',
      'src/main/core/reports',
      'src/main/core/sample-agent',
      'src/main/core/schedules',
      'src/main/core/uploads',
    ],
    packages: [],
  },
  {
    place: 'src/main/core/format-setting.ts',
    ours: ['src/main/core/profiles', appStore, shared],
    packages: [],
  },
  {
    place: 'src/main/core/demo-service.ts',
    ours: ['src/main/core/backend', connections, appStore, platform, shared],
    packages: ['node:*'],
  },
  {
    place: 'src/main/core/compose-agents.ts',
    ours: [...coreWithoutBackend, policy, 'src/main/core/sample-agent'],
    packages: [],
  },
  {
    place: 'src/main/core/compose-campaigns.ts',
    ours: [
      ...coreWithoutBackend,
      'src/main/core/campaign-notes',
      'src/main/core/drafts',
      'src/main/core/pictures',
      'src/main/core/uploads',
    ],
    packages: [],
  },
  {
    place: 'src/main/core/data-folder',
    ours: [platform, system, sqlite, appStore, 'src/main/core/store/backend', 'src/main/core/ledger', shared],
    packages: ['node:*', 'zod'],
  },
  { place: 'src/main/core/compose.ts', ours: ['src/main/core', shared], packages: ['node:*'] },
  { place: 'src/main/core/compose-lasting.ts', ours: ['src/main/core', shared], packages: [] },
  { place: 'src/main/core/compose-training.ts', ours: ['src/main/core', shared], packages: [] },
  { place: 'src/main/core/public.ts', ours: ['src/main/core'], packages: [] },
  {
    place: 'src/main/core/host-link',
    ours: ['src/main/core/compose.ts', 'src/main/core/compose-lasting.ts', platform, shared],
    packages: ['node:*'],
  },
  { place: 'src/main/core/index.ts', ours: ['src/main/core/host-link'], packages: ['node:*'] },
  {
    place: 'src/main/core/training-core.ts',
    ours: ['src/main/core/host-link', 'src/main/core/compose-training.ts'],
    packages: [],
  },

  {
    place: 'src/main/electron',
    ours: [system, shared],
    packages: ['node:*', 'electron', 'electron-store', 'electron-updater', 'zod'],
  },
  { place: 'src/main/index.ts', ours: ['src/main/electron', shared], packages: ['node:*', 'electron'] },
  {
    place: 'src/main/headless',
    ours: ['src/main/core/public.ts', shared],
    packages: ['node:*', 'fastify', 'commander'],
  },
];

/** `index.ts` files that start a process. They are the front of no folder, so they shut off nothing beside them. */
export const processEntries = ['src/main/index.ts', 'src/main/core/index.ts', 'src/main/headless/index.ts'];

/** `index.ts` files of folders that only some pages or parts load. The front of the folder around them may not pass them on: every other load would grow. */
export const laterFronts = [
  'src/renderer/ui/chart/index.ts',
  'src/renderer/ui/report/index.ts',
  'src/shared/training/corpus/index.ts',
  'src/shared/training/lessons/index.ts',
  'src/shared/training/plan/index.ts',
  'src/shared/training/result/index.ts',
];
