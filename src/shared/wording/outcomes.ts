import type { Formats } from '../lib/formats.ts';
import type { FieldVerdict } from '../campaign/index.ts';
import { quoted } from '../lib/inert-text.ts';
import { listed, ownWords, type Sentence, sentence } from '../lib/sentence.ts';
import { valueWords } from './values.ts';
import { isDoneBatch, isInDelivery, isOpen, isUndecided, type ProposalState } from '../proposals/states.ts';

type Tone = 'neutral' | 'good' | 'waiting' | 'bad' | 'busy';

interface StateWords {
  label: string;
  tone: Tone;
  isHollow: boolean;
  sentence: string;
}

const words = (label: string, tone: Tone, hollow: boolean, sentence: string): StateWords => ({
  label,
  tone,
  isHollow: hollow,
  sentence,
});

export const stateWords: Record<ProposalState, StateWords> = {
  proposed: words('Waiting', 'waiting', true, 'Awaiting your approval. Nothing has been sent.'),
  shown: words('Shown', 'waiting', false, 'Shown for confirmation. Nothing has been sent.'),
  approved: words('Approved', 'busy', true, 'Approved. Reading the campaign once more before sending.'),
  intent: words('Sending', 'busy', false, 'Approved and recorded. The change is being sent.'),
  sent: words('Reading back', 'busy', false, 'Sent. Reading the campaign back.'),
  verified: words('Verified', 'good', false, 'Saved and verified.'),
  differs: words('Differs', 'bad', false, 'Sent, but the stored values differ.'),
  done: words('Done', 'good', false, 'The service says that it is done. Nothing could be read back.'),
  refused: words('Not stored', 'bad', true, 'The service did not store the change.'),
  unknown: words('Unknown', 'waiting', false, 'No answer came. The change may or may not be stored.'),
  denied: words('Denied', 'neutral', false, 'Denied. Nothing was sent.'),
  expired: words('Expired', 'neutral', true, 'Expired. Nothing was sent.'),
  withdrawn: words('Withdrawn', 'neutral', true, 'Withdrawn. Nothing was sent.'),
  stale: words('Out of date', 'neutral', true, 'Someone else changed the campaign. Nothing was sent.'),
};

export function reviewWords(state: ProposalState): string {
  if (isUndecided(state)) return 'Awaiting your approval';
  return isInDelivery(state) ? 'Sending…' : 'Outcome unknown';
}

export interface MemberState {
  state: ProposalState;
}

const isWaiting = ({ state }: MemberState): boolean => isUndecided(state);
const changes = (count: number, formats: Formats): string => formats.counted(count, 'change');

/** `49 changes`, or `47 of 49 changes wait`. */
export function batchCountText(members: readonly MemberState[], formats: Formats): string {
  const waiting = members.filter(isWaiting).length;
  const isPartlyDecided = waiting > 0 && waiting < members.length;
  return isPartlyDecided
    ? `${waiting} of ${changes(members.length, formats)} wait`
    : changes(members.length, formats);
}

export function approveBatchWords(members: readonly MemberState[], formats: Formats): string {
  const waiting = members.filter(isWaiting).length;
  return waiting === members.length
    ? `Approve ${changes(waiting, formats)}`
    : `Approve ${waiting} of ${changes(members.length, formats)}`;
}

export function batchProgress(members: readonly MemberState[], formats: Formats): string {
  const settled = members.filter(({ state }) => !isOpen(state)).length;
  return `${settled} of ${formats.counted(members.length, 'has its result', 'have their result')}`;
}

/** The tone of a settled batch follows the results of its members. */
export function proposalTone(proposal: {
  state: ProposalState;
  detail: { kind: string; members?: readonly MemberState[] };
}): Tone {
  const { state, detail } = proposal;
  return isDoneBatch(proposal) ? batchTone(detail.members ?? []) : stateWords[state].tone;
}

export function batchTone(members: readonly MemberState[]): Tone {
  const tones = new Set(members.map(({ state }) => stateWords[state].tone));
  const worst = (['bad', 'waiting', 'busy', 'neutral', 'good'] as const).find((tone) => tones.has(tone));
  return worst ?? 'neutral';
}

interface StatusPair {
  statusBefore: number;
  statusAfter: number;
}

/** True for a listed campaign whose status does not change. */
export const isUnchanged = ({ statusBefore, statusAfter }: StatusPair): boolean =>
  statusBefore === statusAfter;

/** `1 campaign`, `7 campaigns`, `2 of 7 campaigns`. */
export function targetCount(
  targets: readonly StatusPair[] | { campaigns: number; changing: number },
  formats: Formats,
): string {
  const { campaigns, changing } = 'campaigns' in targets ? targets : countTargets(targets);
  const all = formats.counted(campaigns, 'campaign');
  return campaigns === 1 || changing === campaigns ? all : `${formats.count(changing)} of ${all}`;
}

function countTargets(targets: readonly StatusPair[]): { campaigns: number; changing: number } {
  return { campaigns: targets.length, changing: targets.filter((target) => !isUnchanged(target)).length };
}

export function approveWords(targets: readonly StatusPair[], formats: Formats): string {
  return approveCountWords(targets.length > 1 ? countTargets(targets).changing : 1, formats);
}

export function approveCountWords(count: number, formats: Formats): string {
  return count === 1 ? 'Approve change' : `Approve ${formats.counted(count, 'change')}`;
}

export type KnownOfCall = 'update' | 'status' | 'campaign' | 'task' | 'upload' | 'arguments';

/** Kind of the entries listed as unchanged: fields, complete campaigns, or the campaign as it was read. */
export type UnchangedKind = 'fields' | 'campaigns' | 'now';

export function isChangeKnown(known: KnownOfCall): boolean {
  return known === 'update' || known === 'status';
}

/** A scheduled report or an upload spends nothing, so no money is shown. */
export function spendsNothing({ detail }: { detail: { kind: string; known?: KnownOfCall } }): boolean {
  return detail.kind === 'tool' && (detail.known === 'task' || detail.known === 'upload');
}

export function unchangedKindOf({
  operation,
  detail,
}: {
  operation: string;
  detail: { kind: string; known?: KnownOfCall };
}): UnchangedKind {
  if (operation === 'campaign.status' || detail.known === 'status') return 'campaigns';
  return detail.known === 'campaign' ? 'now' : 'fields';
}

export function argumentCount(count: number, formats: Formats): string {
  return `${formats.count(count)} ${count === 1 ? 'argument' : 'arguments'}`;
}

interface Ending {
  sentence: string;
  next: string | null;
}

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export function placeWords(redirectHost: string): string {
  return loopbackHosts.has(redirectHost) ? 'a program on this computer' : 'a website';
}

/** Other names could change the width or the text direction of the button, so they are displayed above it. */
const nameForButton = /^[\x20-\x7e\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]{1,30}$/;

export function admitWords(name: string): string {
  return nameForButton.test(name) ? `Allow ${quoted(name)}` : 'Allow agent';
}

const reconnectHint = 'Connect the agent again if you still want it.';

const admissionEndings: Partial<Record<ProposalState, Ending>> = {
  approved: { sentence: 'Approved. Access is being granted.', next: null },
  verified: { sentence: 'Access granted.', next: null },
  denied: { sentence: 'Denied. It has no access.', next: null },
  expired: { sentence: 'Expired. It has no access.', next: reconnectHint },
  withdrawn: { sentence: 'Withdrawn. It has no access.', next: reconnectHint },
};

interface EndedProposal {
  operation: string;
  state: ProposalState;
  outcome: { code: string; message: string } | null;
}

/** Ending of an admission, or of a change whose outcome text addresses the agent. Null for the others. */
export function endingForPerson({ operation, state, outcome }: EndedProposal): Ending | null {
  if (operation === 'agent.admit') return admissionEndings[state] ?? null;
  if (state === 'expired' && outcome?.code === 'proposal_expired') {
    const next = 'Prepare it again in Proposals, or propose it anew, if you still want it.';
    return { sentence: stateWords.expired.sentence, next };
  }
  if (state !== 'withdrawn') return null;
  switch (outcome?.code) {
    case 'agents_frozen':
      return {
        sentence: 'Withdrawn: all agents are frozen. Nothing was sent.',
        next: 'The agent can propose it again when you let agents work again.',
      };
    case 'proposal_withdrawn':
      return { sentence: outcome.message, next: 'Ask the agent again if you still want the change.' };
    default:
      return null;
  }
}

interface Proposer {
  kind: 'person' | 'agent' | 'schedule';
  name: string;
}

export function proposerNames(askers: readonly Proposer[]): string {
  const names = askers.map(nameOf);
  return [...new Set(names)].join(', ');
}

function nameOf({ kind, name }: Proposer): string {
  if (kind === 'person') return 'you';
  return kind === 'schedule' ? `schedule ${quoted(name)}` : `${quoted(name)} (agent)`;
}

/** For a batch, names the agents of its members, not the user who made the batch. */
export function proposedByWords(proposer: Proposer, members: readonly Proposer[] | null): string {
  return members?.some(({ kind }) => kind === 'agent') === true
    ? `proposed by ${proposerNames(members)}; batched by you`
    : `proposed by ${proposerNames(members ?? [proposer])}`;
}

const scopeWords: Record<string, string> = {
  'svc:read': 'read',
  'svc:write': 'propose changes',
  'svc:upload': 'upload pictures',
  offline_access: 'keep scheduled tasks',
};

/** `It must also be allowed to upload pictures (svc:upload).` */
export function missingScopesText(missing: readonly string[]): string {
  return `It must also be allowed to ${missing.map((scope) => `${scopeWords[scope] ?? quoted(scope)} (${scope})`).join(' and to ')}.`;
}

/** `It may read and propose changes.` An unknown scope is quoted. */
export function scopesText(scopes: readonly string[]): string {
  const known = Object.keys(scopeWords).filter((scope) => scopes.includes(scope));
  const unknown = scopes.filter((scope) => !Object.hasOwn(scopeWords, scope));
  const parts = [...known.map((scope) => scopeWords[scope] ?? ''), ...unknown.map((scope) => quoted(scope))];
  return parts.length === 0 ? 'It may do nothing.' : `It may ${listed(parts)}.`;
}

/** A field that changed at the service meanwhile. `mine` is the requested value, or `base` if none was requested. */
export interface FieldConflict {
  field: string;
  label: string;
  base: string;
  mine: string;
  theirs: string;
}

/** `Bid was $0.050 and is $0.040.` */
export function outdatedWords({ field, label, base, theirs }: Omit<FieldConflict, 'mine'>): Sentence {
  return sentence`${ownWords(label)} was ${valueWords(field, base)} and is ${valueWords(field, theirs)}.`;
}

/** `Bid: it was $0.050, you asked for $0.060, it is $0.040` */
export function conflictWords({ field, label, base, mine, theirs }: FieldConflict): Sentence {
  const asked = mine === base ? '' : sentence` you asked for ${valueWords(field, mine)},`;
  return sentence`${ownWords(label)}: it was ${valueWords(field, base)},${ownWords(asked)} it is ${valueWords(field, theirs)}`;
}

/** `Name: different, sent “A”, found “B”` */
export function verdictWords(
  { field, label, sent, found }: Omit<FieldVerdict, 'verdict'>,
  verdict: string,
): Sentence {
  const now = found === '' ? ownWords('not read yet') : valueWords(field, found);
  return sentence`${ownWords(label)}: ${ownWords(verdict)}, sent ${valueWords(field, sent)}, found ${now}`;
}
