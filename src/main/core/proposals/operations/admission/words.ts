import type { ProposalView } from '#shared/app-api/index.ts';
import { moneyText } from '#shared/campaign/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import { noFieldChanges, type ProposalWords, type Wording } from '../operation.ts';
import { readAdmission, type Admission } from './admission.ts';
import { admissionWarnings, type Namesake } from './warnings.ts';

const noMoney = moneyText({ kind: 'amount', micros: 0n });
const nothingAtRisk = { before: noMoney, after: noMoney };

/** The admission, for people, beside the agents that are allowed at this moment. Allowing one spends nothing by itself. */
export function admissionWords({ payload, profile }: Wording, allowed: readonly Namesake[]): ProposalWords {
  const admission = readAdmission({ payload });
  const { redirectHost, words, scopes } = admission;
  return {
    title: `Let ${quoted(admission.name)} ${deed(admission)} ${inertText(profile.name)} (${
      profile.kind === 'live' ? 'LIVE' : 'Demo'
    })`,
    targets: [],
    risk: { perDay: nothingAtRisk, untilEnd: nothingAtRisk, bidFactor: null, notes: [] },
    warnings: admissionWarnings(admission, allowed),
    typeToConfirm: null,
    changes: [],
    unchanged: [],
    detail: {
      kind: 'admission',
      redirectHost: inertText(redirectHost),
      words,
      scopes: scopesInWords(scopes),
      until: untilWords(admission),
    },
    effects: noFieldChanges,
    group: null,
  };
}

function deed({ scopes }: Admission): string {
  return scopes.includes('svc:write') ? 'propose changes to' : 'look at';
}

/** How long its access lasts, which it chose when it registered (RFC 7591 §2, `grant_types`). */
function untilWords({ renews }: Admission): string {
  if (renews === undefined) return 'Until you revoke access';
  return renews
    ? 'Until you revoke access. It renews its sign-in by itself.'
    : 'Some minutes, or until you revoke access: it cannot renew its sign-in by itself.';
}

type Scope = Extract<ProposalView['detail'], { kind: 'admission' }>['scopes'][number];

/** Meaning of each scope (contract §5.3) for an agent, in the order in which they are shown. */
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
function scopesInWords(scopes: readonly string[]): Scope[] {
  const others = scopes.filter((scope) => !known.some(({ name }) => name === scope));
  return [
    ...known.filter(({ name }) => scopes.includes(name)),
    ...others.map((name) => ({ name, title: name, allows: 'Countersign does not know what this allows.' })),
  ];
}
