import type { AnswerHeaders } from '#core/service-client/index.ts';
import type { ServiceAddresses } from '#shared/app-api/index.ts';
import type { kindOf } from '#shared/campaign/index.ts';
import type { CampaignContext, CampaignEdit, CampaignList, CampaignRow } from '#shared/contract/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { type OwnWords, quotedUpTo, type Sentence, sentence } from '#shared/lib/sentence.ts';

export interface ContractCheck {
  id: string;
  clause: string;
  title: string;
  needs: readonly CheckNeed[];
  run(context: CheckContext): Promise<void>;
}

type NamedCheck = Omit<ContractCheck, 'id' | 'needs'> & Partial<Pick<ContractCheck, 'needs'>>;

export function checksThatNeed(
  needs: readonly CheckNeed[],
  checks: Readonly<Record<string, NamedCheck>>,
): ContractCheck[] {
  return Object.entries(checks).map(([id, check]) => ({ id, needs, ...check }));
}

export type CheckNeed = 'member' | 'publisher' | 'remote';

/** The tools of a check. None of them can write. */
export interface CheckContext {
  addresses: ServiceAddresses;
  known: KnownFacts;
  nowMs(): number;
  /** The paths that were read, and whether an answer had a byte order mark before its JSON. */
  answered: ReadonlyMap<string, boolean>;
  open: { get(url: string): Promise<CheckedAnswer> };
  member: MemberReads;
  publisher: PublisherReads;
  remote: RemoteReads;
  account: Account;
  /** Calls `make` once per run, and shares its result or failure. */
  once<T>(make: (context: CheckContext) => Promise<T>): Promise<T>;
  /** For checks that send a credential to a place that must not accept it. */
  credentials: { memberToken: string | null; publisherKey: string | null };
  formats: Formats;
}

export interface KnownFacts {
  tid?: number;
  foreignCid?: number;
}

export interface CheckedAnswer {
  status: number;
  headers: AnswerHeaders;
  /** The body, or the answer's event; empty if it is too large or not UTF-8. */
  text: string;
}

/** `bearer` replaces the member token; null sends none. */
export interface MemberReads {
  get(path: string, options?: { bearer?: string | null }): Promise<CheckedAnswer>;
}

/** `token` replaces the key; null sends none. */
export interface PublisherReads {
  get(
    path: string,
    query: Record<string, string>,
    options?: { token?: string | null; bearer?: string },
  ): Promise<CheckedAnswer>;
}

export interface RemoteReads {
  initialized(): Promise<JsonObject>;
  list(method: 'tools/list' | 'resources/list' | 'prompts/list'): Promise<JsonObject>;
  /** Calls a tool that changes nothing (contract §4.3). */
  read(tool: 'svc_whoami' | 'svc_list_campaigns', args: JsonObject): Promise<RpcAnswer>;
  /** Sends a request outside any session. `bearer` null sends no token, undefined the current one. */
  raw(body: string, options: { bearer?: string | null }): Promise<CheckedAnswer>;
  end(): Promise<void>;
}

/** `result` is null if the request failed. `status` is 0 if unknown. */
export interface RpcAnswer {
  result: JsonObject | null;
  status: number;
}

/** The account's data, read once. If it drifts from the contract, checks that build on it are skipped. */
export interface Account {
  /** The pages by ascending cid, up to a limit. Throws `Drift`. */
  pages(): Promise<readonly CampaignList[]>;
  /** Like `pages`, without the check that the pages fit together: the list may change during the read. */
  readPages(): Promise<readonly CampaignList[]>;
  rows(): Promise<{ rows: readonly CampaignRow[]; isWhole: boolean }>;
  list(query: string): Promise<CampaignList>;
  readSamples(): Promise<readonly Sample[]>;
  samples(): Promise<readonly Sample[]>;
  sample(row: CampaignRow): Promise<Sample>;
}

export interface Sample {
  row: CampaignRow;
  campaign: JsonObject;
  edit: CampaignEdit;
  kind: ReturnType<typeof kindOf>;
  context: CampaignContext;
}

export const largestPage = 200;

/** An id within 32 bits that no service has assigned. */
export const absentId = 2_147_483_647;

type SentencePart = string | number | OwnWords;

const maxQuoted = 200;

/** Ends a check. Texts among its parts are untrusted and are quoted without credentials. */
class CheckEnd extends Error {
  readonly #words: TemplateStringsArray;
  readonly #parts: readonly SentencePart[];

  constructor(words: TemplateStringsArray, parts: readonly SentencePart[]) {
    super();
    this.#words = words;
    this.#parts = parts;
  }

  toSentence(conceal: (text: string) => string): Sentence {
    const parts = this.#parts.map((part) =>
      typeof part === 'string' ? quotedUpTo(conceal(part), maxQuoted) : part,
    );
    return sentence(this.#words, ...parts);
  }
}

export class Drift extends CheckEnd {}

export class NotChecked extends CheckEnd {
  /** The credential without which no other check can run; `all` ends all checks. */
  closes: CheckNeed | 'all' | null = null;
}

/** Example: ``throw drift`Expected 200; came ${status}.` ``. */
export const drift = (words: TemplateStringsArray, ...parts: SentencePart[]): Drift =>
  new Drift(words, parts);

export const notChecked = (words: TemplateStringsArray, ...parts: SentencePart[]): NotChecked =>
  new NotChecked(words, parts);

export const closing =
  (closes: CheckNeed | 'all') =>
  (words: TemplateStringsArray, ...parts: SentencePart[]): NotChecked =>
    Object.assign(new NotChecked(words, parts), { closes });

/** Throws `otherwise` if the value drifts, so that checks that only build on the value are skipped. */
export async function given<T>(value: Promise<T>, otherwise: NotChecked): Promise<T> {
  try {
    return await value;
  } catch (failure) {
    if (failure instanceof Drift) throw otherwise;
    throw failure;
  }
}

/** Calls `make` once. Later calls share its result or failure. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
