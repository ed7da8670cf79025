import type { AnswerHeaders } from '#core/service-client/index.ts';
import type { ServiceAddresses } from '#shared/app-api/index.ts';
import type { kindOf } from '#shared/campaign/index.ts';
import type { CampaignContext, CampaignEdit, CampaignList, CampaignRow } from '#shared/contract/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { type OwnWords, quotedUpTo, type Sentence, sentence } from '#shared/lib/sentence.ts';

export interface ContractCheck {
  /** Stable; begins with its area. */
  id: string;
  clause: string;
  /** A sentence about the service that holds. */
  title: string;
  needs: readonly CheckNeed[];
  run(context: CheckContext): Promise<void>;
}

/** Checks that need the same, unless one says otherwise. */
export function checksThatNeed(
  needs: readonly CheckNeed[],
  checks: readonly (Omit<ContractCheck, 'needs'> & Partial<Pick<ContractCheck, 'needs'>>)[],
): ContractCheck[] {
  return checks.map((check) => ({ needs, ...check }));
}

export type CheckNeed = 'member' | 'publisher' | 'remote';

/** The parts that a check may use. None of them can write. */
export interface CheckContext {
  addresses: ServiceAddresses;
  known: KnownFacts;
  nowMs(): number;
  /** Paths whose answers were read so far, and whether one of them was JSON behind a byte order mark. */
  answered: ReadonlyMap<string, boolean>;
  open: OpenReads;
  member: MemberReads;
  publisher: PublisherReads;
  remote: RemoteReads;
  account: Account;
  /** The result of this function, made once in a run, a failure included. */
  once<T>(make: (context: CheckContext) => Promise<T>): Promise<T>;
  /** For those checks that show one where it must not count; null if there is none. */
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
  /** The complete body, or the event that is the answer; empty if it is too large or no UTF-8. */
  text: string;
}

interface OpenReads {
  get(url: string): Promise<CheckedAnswer>;
}

/** Reads of the member endpoints. `bearer` replaces the member token; null sends none. */
export interface MemberReads {
  get(path: string, options?: { bearer?: string | null }): Promise<CheckedAnswer>;
}

/** Reads of the publisher reports. `token` replaces the key; null sends none. */
export interface PublisherReads {
  get(
    path: string,
    query: Record<string, string>,
    options?: { token?: string | null; bearer?: string },
  ): Promise<CheckedAnswer>;
}

export interface RemoteReads {
  /** The result of `initialize`; the session begins with the first question. */
  initialized(): Promise<JsonObject>;
  list(method: 'tools/list' | 'resources/list' | 'prompts/list'): Promise<JsonObject>;
  /** Calls a tool of the contract that changes nothing (contract §4.3). */
  read(tool: 'svc_whoami' | 'svc_list_campaigns', args: JsonObject): Promise<RpcAnswer>;
  /** A body as it is, outside of any session. `bearer` null sends none; undefined the access of now. */
  raw(body: string, options: { bearer?: string | null }): Promise<CheckedAnswer>;
  end(): Promise<void>;
}

/** One answer to a JSON-RPC request. `result` is null if it failed; `status` then says how, as far as it does. */
export interface RpcAnswer {
  result: JsonObject | null;
  status: number;
}

/** The campaigns that the member checks share: read once, and withheld if the reading itself drifts. */
export interface Account {
  /** The pages of the list by ascending cid, up to a bound. Throws `Drift`. */
  pages(): Promise<readonly CampaignList[]>;
  /** Reads the pages again: a list that changes meanwhile may not fit together. */
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

/** A cid or tid that no service has given out so far, and that fits into 32 bits. */
export const absentId = 2_147_483_647;

type SentencePart = string | number | OwnWords;

const maxQuoted = 200;

/** Ends a check. A text among its parts is foreign: it is quoted without what looks like a credential or is one. */
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
  /** Credential without which the next checks cannot be made either; `all` if nothing more is asked. */
  closes: CheckNeed | 'all' | null = null;
}

/** For example ``throw drift`Expected 200; came ${status}.` ``. */
export const drift = (words: TemplateStringsArray, ...parts: SentencePart[]): Drift =>
  new Drift(words, parts);

export const notChecked = (words: TemplateStringsArray, ...parts: SentencePart[]): NotChecked =>
  new NotChecked(words, parts);

/** The check could not be made, and neither can others. */
export const closing =
  (closes: CheckNeed | 'all') =>
  (words: TemplateStringsArray, ...parts: SentencePart[]): NotChecked =>
    Object.assign(new NotChecked(words, parts), { closes });

/** The value; if it drifts from the contract, those who only build on it are not checked. */
export async function given<T>(value: Promise<T>, otherwise: NotChecked): Promise<T> {
  try {
    return await value;
  } catch (failure) {
    if (failure instanceof Drift) throw otherwise;
    throw failure;
  }
}

/** Makes the value at the first call and gives it, or its failure, to every later one. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
