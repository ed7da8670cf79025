import type { ProposalView } from '#shared/app-api/index.ts';

type Scope = Extract<ProposalView['detail'], { kind: 'admission' }>['scopes'][number];

/** What an agent may do with each scope (contract §5.3), in the order in which they are shown. */
const known: readonly Scope[] = [
  {
    name: 'svc:read',
    title: 'Look',
    allows: 'At campaigns with bids and budgets, settings, statistics, Search reports and tasks.',
  },
  {
    name: 'svc:write',
    title: 'Propose changes',
    allows: 'Bids, budgets, targeting, schedules, texts and status. Each one waits for you.',
  },
  {
    name: 'svc:upload',
    title: 'Propose pictures',
    allows: 'Icons and images for campaigns. Each one waits for you.',
  },
  {
    name: 'offline_access',
    title: 'Propose scheduled tasks',
    allows: 'Reports at set times, and changes that are made ready later. Each one waits for you.',
  },
];

/** The scopes in plain words. One that nobody here knows is named as it is. */
export function scopesInWords(scopes: readonly string[]): Scope[] {
  const others = scopes.filter((scope) => !known.some(({ name }) => name === scope));
  return [
    ...known.filter(({ name }) => scopes.includes(name)),
    ...others.map((name) => ({ name, title: name, allows: 'Countersign does not know what this allows.' })),
  ];
}
