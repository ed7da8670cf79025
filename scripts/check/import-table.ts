export interface ImportRow {
  /** A folder or file. `*` matches any one name, and each match is a separate place. The longest match applies. */
  place: string;
  ours: string[];
  /** Package names including all subpaths, `@scope/*`, one exact subpath, or `node:*`. */
  packages: string[];
}

const platform = 'src/main/core/platform';
const shared = 'src/shared';
const sharedLib = 'src/shared/lib';
const sharedContract = 'src/shared/contract';
const sharedErrors = 'src/shared/errors';
const sharedCampaign = 'src/shared/campaign';
const sharedWording = 'src/shared/wording';
const sharedDrafts = 'src/shared/drafts';
const system = 'src/main/system';
const appStore = 'src/main/core/store/app';
const sqlite = 'src/main/core/store/sqlite';
const serviceClient = 'src/main/core/service-client';
const sdk = '@modelcontextprotocol/sdk';
const oauthServer = 'src/main/core/oauth-server';
const mcpServer = 'src/main/core/mcp-server';
const oauthRows = 'src/main/core/store/oauth-rows.ts';

const connections = 'src/main/core/connections';
const policy = 'src/main/system/policy';
const firstScreen = 'src/main/system/first-screen.ts';
const profiles = 'src/main/core/profiles';
const ledger = 'src/main/core/ledger';
const reads = 'src/main/core/reads';
const proposals = 'src/main/core/proposals';
const agents = 'src/main/core/agents';
const gateway = 'src/main/core/gateway';

const after = (stages: readonly string[], ...others: readonly string[]): string[] => [
  ...stages.map((stage) => `${proposals}/${stage}`),
  platform,
  appStore,
  shared,
  ...others,
];

/**
 * Rows from the bottom layer to the top. Places that parse JSON from outside this process, for example a service's answers or
 * stored JSON, may import zod. Backend and client communicate over HTTP only, so neither may import the other.
 */
export const importTable: ImportRow[] = [
  { place: sharedLib, ours: [], packages: ['canonicalize'] },
  { place: sharedContract, ours: [sharedLib], packages: ['zod'] },
  { place: sharedErrors, ours: [sharedLib], packages: [] },
  {
    place: sharedCampaign,
    ours: [sharedContract, sharedErrors, sharedLib],
    packages: [],
  },
  {
    place: sharedWording,
    ours: [sharedCampaign, sharedContract, sharedErrors, sharedLib, 'src/shared/proposals'],
    packages: [],
  },
  {
    place: 'src/shared/reports',
    ours: [sharedCampaign, sharedLib],
    packages: [],
  },
  {
    place: sharedDrafts,
    ours: [sharedCampaign, sharedContract, sharedErrors, sharedLib, sharedWording],
    packages: ['zod'],
  },
  {
    place: 'src/shared/find',
    ours: [sharedCampaign, sharedContract, sharedDrafts, sharedLib],
    packages: ['zod'],
  },
  { place: 'src/shared/guide', ours: [], packages: [] },
  { place: 'src/shared/proposals', ours: [sharedLib], packages: [] },
  {
    place: 'src/shared/training',
    ours: [sharedCampaign, sharedContract, sharedErrors, sharedLib],
    packages: ['zod'],
  },
  { place: 'src/shared/app-api', ours: [shared], packages: ['zod'] },
  { place: 'src/shared/host-api', ours: [shared], packages: ['zod'] },

  {
    place: 'src/renderer/ui',
    ours: [
      sharedCampaign,
      sharedContract,
      'src/shared/drafts',
      'src/shared/proposals',
      'src/shared/reports',
      sharedLib,
      sharedWording,
    ],
    packages: ['react', 'react-dom', 'react-aria-components', '@tanstack/*', 'uplot', 'lucide-react'],
  },
  { place: 'src/renderer/api', ours: [shared], packages: [] },
  { place: 'src/renderer/stores', ours: ['src/renderer/api', shared], packages: ['zustand/vanilla'] },
  {
    // Must precede the row of all features, whose match is equally long.
    place: 'src/renderer/features/guide',
    ours: ['src/renderer/ui', 'src/renderer/stores', shared],
    packages: ['react', 'virtual:guide'],
  },
  {
    place: 'src/renderer/features/*',
    ours: ['src/renderer/ui', 'src/renderer/stores', shared],
    packages: ['react', 'zustand'],
  },
  {
    place: 'src/renderer/features/*/stores',
    ours: ['src/renderer/api', 'src/renderer/stores', shared],
    packages: ['zustand/vanilla'],
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

  { place: platform, ours: [system, shared], packages: ['node:*', 'pino'] },
  { place: system, ours: [sharedErrors, sharedLib], packages: ['node:*'] },
  { place: policy, ours: [shared], packages: ['node:*', 'zod'] },
  { place: firstScreen, ours: [system, shared], packages: ['node:*'] },
  { place: sqlite, ours: [platform, system, shared], packages: ['node:*', 'better-sqlite3'] },
  {
    place: appStore,
    ours: [platform, sqlite, oauthRows, shared],
    packages: ['node:*', 'better-sqlite3', 'zod'],
  },
  { place: oauthRows, ours: [sqlite], packages: [] },
  {
    place: 'src/main/core/store/backend',
    ours: [platform, sqlite, oauthRows, shared],
    packages: [],
  },
  { place: oauthServer, ours: [platform, oauthRows, shared], packages: ['node:*', 'oidc-provider'] },
  { place: mcpServer, ours: [platform, shared], packages: ['node:*', sdk, 'zod'] },
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
  { place: ledger, ours: [platform, system, appStore, shared], packages: ['node:*'] },
  { place: profiles, ours: [platform, appStore, policy, shared], packages: ['node:*'] },
  {
    place: connections,
    ours: [platform, appStore, serviceClient, profiles, shared],
    packages: [],
  },
  {
    place: reads,
    ours: [platform, appStore, serviceClient, connections, profiles, firstScreen, shared],
    packages: [],
  },
  { place: 'src/main/core/pictures.ts', ours: [platform, serviceClient, shared], packages: [] },
  {
    place: `${proposals}/operations`,
    ours: after([], serviceClient, connections),
    packages: ['node:*', 'zod'],
  },
  {
    place: `${proposals}/lifecycle`,
    ours: after(['operations'], ledger),
    packages: ['node:*'],
  },
  {
    place: `${proposals}/proposing`,
    ours: after(['operations', 'lifecycle'], serviceClient, connections, ledger, profiles),
    packages: [],
  },
  {
    place: `${proposals}/delivery`,
    ours: after(['operations', 'lifecycle', 'proposing'], serviceClient, profiles),
    packages: [],
  },
  {
    place: `${proposals}/confirmation`,
    ours: after(['operations', 'lifecycle', 'delivery']),
    packages: [],
  },
  {
    place: `${proposals}/undo`,
    ours: after(['operations'], serviceClient, connections, ledger),
    packages: ['node:*'],
  },
  {
    place: `${proposals}/agent-calls`,
    ours: after(['operations', 'lifecycle', 'proposing'], connections, profiles),
    packages: [],
  },
  { place: proposals, ours: [platform, appStore, connections, ledger, profiles, shared], packages: [] },
  {
    place: agents,
    ours: [platform, policy, appStore, serviceClient, connections, ledger, profiles, proposals, shared],
    packages: ['node:*', 'zod'],
  },
  {
    place: gateway,
    ours: [
      agents,
      proposals,
      oauthServer,
      oauthRows,
      mcpServer,
      serviceClient,
      connections,
      profiles,
      platform,
      shared,
    ],
    packages: ['node:*', 'zod'],
  },
  {
    place: 'src/main/core/store/report-cache.ts',
    ours: [platform, system, sqlite, shared],
    packages: ['node:*'],
  },
  {
    place: 'src/main/core/reports',
    ours: [platform, appStore, serviceClient, profiles, shared, 'src/main/core/store/report-cache.ts'],
    packages: ['node:*'],
  },
  {
    place: 'src/main/core/drafts',
    ours: [platform, appStore, serviceClient, connections, profiles, proposals, reads, shared],
    packages: ['node:*'],
  },
  {
    place: 'src/main/core/drafts/bulk/worker',
    ours: [shared],
    packages: ['node:*', 'papaparse'],
  },
  {
    place: 'src/main/core/campaign-notes.ts',
    ours: [platform, appStore, profiles, shared],
    packages: [],
  },
  {
    place: 'src/main/core/schedules',
    ours: [platform, appStore, ledger, serviceClient, connections, profiles, proposals, agents, shared],
    packages: [],
  },
  {
    place: 'src/main/core/uploads',
    ours: [platform, appStore, serviceClient, connections, profiles, proposals, agents, reads, shared],
    packages: ['zod'],
  },
  {
    place: 'src/main/core/doctor',
    ours: [platform, serviceClient, connections, profiles, shared],
    packages: ['zod'],
  },
  {
    place: 'src/main/core/store/training',
    ours: [platform, system, sqlite, shared],
    packages: ['node:*', 'zod'],
  },
  {
    place: 'src/main/core/training',
    ours: [platform, system, 'src/main/core/store/training', 'src/main/core/sample-agent', proposals, shared],
    packages: ['node:*'],
  },
  { place: 'src/main/core/sample-agent', ours: [platform, shared], packages: ['node:*', sdk] },
  {
    place: 'src/main/core/compose/demo-service.ts',
    ours: ['src/main/core/backend', connections, appStore, platform, shared],
    packages: ['node:*'],
  },
  {
    place: 'src/main/core/data-folder',
    ours: [platform, system, sqlite, appStore, 'src/main/core/store/backend', ledger, shared],
    packages: ['node:*', 'zod'],
  },
  { place: 'src/main/core/compose', ours: ['src/main/core', policy, shared], packages: [] },
  { place: 'src/main/core/public.ts', ours: ['src/main/core', policy], packages: [] },
  {
    place: 'src/main/core/host-link',
    ours: ['src/main/core/compose', platform, shared],
    packages: [],
  },
  { place: 'src/main/core/index.ts', ours: ['src/main/core/host-link'], packages: [] },
  {
    place: 'src/main/core/training-core.ts',
    ours: ['src/main/core/host-link', 'src/main/core/compose/training.ts'],
    packages: [],
  },

  {
    place: 'src/main/electron',
    ours: [system, shared],
    packages: ['node:*', 'electron', 'electron-store', 'electron-updater', 'zod'],
  },
  { place: 'src/main/index.ts', ours: ['src/main/electron'], packages: [] },
  {
    place: 'src/main/headless',
    ours: ['src/main/core/public.ts', shared],
    packages: ['node:*', 'commander'],
  },
];
