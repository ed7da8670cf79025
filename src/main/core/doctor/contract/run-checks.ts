import type { Clock } from '#core/platform/clock.ts';
import type { RemoteAccess } from '#core/service-client/index.ts';
import type { ContractFinding, ServiceAddresses } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { redactText } from '#shared/lib/redact.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import { createAsk, createMemberReads, createOpenReads, createPublisherReads } from './ask.ts';
import {
  type CheckContext,
  type CheckNeed,
  type ContractCheck,
  Drift,
  type KnownFacts,
  NotChecked,
  type Account,
  drift,
  given,
  largestPage,
  type MemberReads,
  notChecked,
  once,
  type Sample,
} from './check.ts';
import { credentialNames, envelopeOf, expectShape } from './expect.ts';
import { createRemoteSession } from './remote-session.ts';
import type { z } from 'zod';
import { kindOf, typeOf } from '#shared/campaign/index.ts';
import {
  campaignEditSchema,
  campaignListSchema,
  type CampaignList,
  type CampaignRow,
} from '#shared/contract/index.ts';
import {
  memberAccessChecks,
  remoteAccessChecks,
  discoveryChecks,
  healthChecks,
  jsonFormChecks,
} from './checks/discovery.ts';
import {
  campaignListSearchChecks,
  campaignListChecks,
  campaignListLimitChecks,
} from './checks/campaign-list.ts';
import { campaignChecks } from './checks/campaign.ts';
import { remoteToolChecks } from './checks/remote-tools.ts';
import { searchReportChecks, xmlStatsChecks } from './checks/reports.ts';
import { sendReport } from '../answers/no-answer.ts';
import { notice, ok, skipped, type ExaminationStep } from '../steps/step.ts';

export interface ContractCheckOptions {
  addresses: ServiceAddresses;
  memberToken: string | null;
  publisherKey: string | null;
  access: RemoteAccess | null;
  known?: KnownFacts;
  signal: AbortSignal;
  timeoutMs: number;
  clock: Clock;
  onFinding?(finding: ContractFinding): void;
}

const maxRequests = 100;

/**
 * Runs the checks in sequence, with a finding for each. A failing service does not make it
 * fail. An abort returns the findings so far. After a 429, the remaining checks are skipped.
 */
export async function runChecks(
  checks: readonly ContractCheck[],
  options: ContractCheckOptions,
  formats: Formats,
): Promise<ContractFinding[]> {
  const { memberToken, publisherKey, access, signal, onFinding } = options;
  const secrets = new Set([memberToken, publisherKey].flatMap((secret) => secret || []));
  const conceal = (text: string): string =>
    redactText([...secrets].reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text));
  const context = contextOf(options, (token) => void secrets.add(token), formats);
  const closed = new Map<CheckNeed | 'all', Sentence>();
  const held = { member: memberToken, publisher: publisherKey, remote: access };
  for (const need of ['member', 'publisher', 'remote'] as const) {
    if (held[need] === null) closed.set(need, sentence`There is no ${credentialNames[need]}.`);
  }

  async function judge({ needs, run }: ContractCheck): Promise<Pick<ContractFinding, 'state' | 'text'>> {
    const reason = (['all', ...needs] as const)
      .map((need) => closed.get(need))
      .find((one) => one !== undefined);
    if (reason !== undefined) return { state: 'skipped', text: reason };
    try {
      await run(context);
      return { state: 'holds', text: sentence`` };
    } catch (failure) {
      const text = reasonOf(failure, { signal, conceal });
      if (failure instanceof NotChecked && failure.closes !== null) closed.set(failure.closes, text);
      return { state: failure instanceof Drift ? 'drifts' : 'skipped', text };
    }
  }

  const findings: ContractFinding[] = [];
  for (const check of checks) {
    const { id, clause, title } = check;
    const finding = { id, clause, title: sentence`${ownWords(title)}`, ...(await judge(check)) };
    if (signal.aborted) break;
    findings.push(finding);
    onFinding?.(finding);
  }
  try {
    if (!closed.has('all') && !signal.aborted) await context.remote.end();
  } catch (failure) {
    reasonOf(failure, { signal, conceal });
  }
  return findings;
}

function contextOf(
  options: ContractCheckOptions,
  onToken: (token: string) => void,
  formats: Formats,
): CheckContext {
  const { addresses, memberToken, publisherKey, access, signal, timeoutMs, clock } = options;
  const answered = new Map<string, boolean>();
  const onText = (path: string, hasMark: boolean): void =>
    void answered.set(path, hasMark || answered.get(path) === true);
  const ask = createAsk({ signal, timeoutMs, maxRequests, onText });
  const member = createMemberReads(ask, addresses, memberToken);
  const made = new Map<unknown, Promise<unknown>>();
  const context: CheckContext = {
    addresses,
    known: options.known ?? {},
    nowMs: () => clock.nowMs(),
    answered,
    open: createOpenReads(ask),
    member,
    publisher: createPublisherReads(ask, addresses, publisherKey),
    remote: createRemoteSession({ ask, mcpUrl: addresses.mcpUrl, access, onToken }),
    account: createAccount(member),
    credentials: { memberToken, publisherKey },
    formats,
    once<T>(make: (context: CheckContext) => Promise<T>): Promise<T> {
      const found = made.get(make) ?? make(context);
      made.set(make, found);
      return found as Promise<T>;
    },
  };
  return context;
}

function reasonOf(
  failure: unknown,
  { signal, conceal }: { signal: AbortSignal; conceal(text: string): string },
): Sentence {
  if (failure instanceof Drift || failure instanceof NotChecked) return failure.toSentence(conceal);
  if (failure instanceof AppError) return sentence`${ownWords(conceal(failure.message))}`;
  if (signal.aborted) return sentence`The examination was stopped.`;
  throw failure;
}

const maxPages = 10;

const maxSamples = 6;

function createAccount(member: MemberReads): Account {
  const list = async (query: string): Promise<CampaignList> =>
    expectShape(
      envelopeOf(await member.get(`/campaigns?${query}`), 'member')['data'],
      campaignListSchema,
      'data',
    );
  const readPages = async (): Promise<CampaignList[]> => {
    const pages: CampaignList[] = [];
    let last = 1;
    for (let page = 1; page <= Math.min(last, maxPages); page += 1) {
      const read = await list(`sort=cid&order=asc&perPage=${largestPage}&page=${page}`);
      pages.push(read);
      last = read.totalPages;
    }
    return pages;
  };
  const pages = once(readPages);
  const rows = async () => {
    const read = await given(pages(), notChecked`The list could not be read.`);
    return { rows: read.flatMap(({ data }) => data), isWhole: (read[0]?.totalPages ?? 0) <= maxPages };
  };
  const sample = async (row: CampaignRow): Promise<Sample> => {
    const answer = await member.get(`/${row.cid}`);
    if (answer.status === 403)
      throw drift`Expected campaign ${row.cid}, which is in the member’s list; came 403.`;
    const { data } = envelopeOf(answer, 'member');
    const edit: z.output<typeof campaignEditSchema> = expectShape(data, campaignEditSchema, 'data');
    const context = { types: edit.campaign_types, settings: edit.settings };
    return { row, campaign: edit.campaign, edit, context, kind: kindOf(typeOf(edit.campaign, context)) };
  };
  const readSamples = once(async () => {
    const samples: Sample[] = [];
    for (const row of oneOfEachType((await rows()).rows).slice(0, maxSamples))
      samples.push(await sample(row));
    if (samples.length === 0) throw notChecked`The account has no campaign.`;
    return samples;
  });
  return {
    pages,
    readPages,
    rows,
    list,
    readSamples,
    samples: () => given(readSamples(), notChecked`The campaigns could not be read.`),
    sample,
  };
}

function oneOfEachType(rows: readonly CampaignRow[]): CampaignRow[] {
  return [...new Map(rows.map((row) => [row.type_name, row])).values()];
}

export const contractChecks: readonly ContractCheck[] = [
  ...healthChecks,
  ...discoveryChecks,
  ...memberAccessChecks,
  ...campaignListChecks,
  ...campaignListSearchChecks,
  ...campaignListLimitChecks,
  ...campaignChecks,
  ...searchReportChecks,
  ...xmlStatsChecks,
  ...remoteAccessChecks,
  ...remoteToolChecks,
  ...jsonFormChecks,
];

export const contract: ExaminationStep = {
  id: 'contract',
  title: 'Contract',
  asks: () =>
    sentence`the reads of the contract, one after the other, refused ones included; nothing is written`,
  at: () => null,
  blocked: ({ facts }) =>
    facts.somethingAnswered ? null : skipped(sentence`It needs a service that answers.`),
  async examine({ target, access, facts, timeoutMs, signal, clock, formats, found }) {
    const findings = await runChecks(
      contractChecks,
      {
        addresses: target.addresses,
        memberToken: target.memberToken,
        publisherKey: target.publisherKey,
        access: facts.signedIn && facts.remoteOpen ? access : null,
        ...(facts.openTid === null ? {} : { known: { tid: facts.openTid } }),
        signal,
        timeoutMs,
        clock,
        onFinding: found,
      },
      formats,
    );
    signal.throwIfAborted();
    const count = (state: ContractFinding['state']): number =>
      findings.filter((finding) => finding.state === state).length;
    const drifts = count('drifts');
    const line = sentence`${count('holds')} hold, ${drifts} drift, ${count('skipped')} were not asked`;
    if (drifts === 0) return ok(line);
    const points = ownWords(formats.counted(drifts, 'point'));
    return notice(line, {
      means: sentence`The service differs from the contract in ${points}: what Countersign shows or does there may be wrong.`,
      remedy: sendReport,
    });
  },
};
