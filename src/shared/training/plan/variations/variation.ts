import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { toMicros } from '#shared/lib/decimal.ts';
import type { Random } from '#shared/lib/random.ts';
import type { Fault, FaultKind } from '../../mission.ts';
import type { Candidate, Subject } from '../subject.ts';
import { usualFormats } from '#shared/lib/formats.ts';

/** Inputs for varying a case of the corpus. */
export interface Scene {
  subject: Subject;
  random: Random;
  day: { date: string; zone: string };
  /** Ids of all campaigns of the workspace. */
  cids: readonly number[];
}

/** A change as the agent makes it, of fields or of the status alone. */
export type Change = { fields: JsonObject; beside?: JsonObject } | { status: 'active' | 'paused' };

/** A variant of a case: the fields that the campaign has before the mission, the change, and the agent's words for it. */
export interface Varied {
  before?: JsonObject;
  change: Change;
  says: string | null;
}

/** An ordinary change of the corpus, for many campaigns. */
export interface GoodVariation {
  fits?(candidate: Candidate): boolean;
  vary(scene: Scene): Varied;
}

/** A planted fault of the corpus, for many campaigns. */
export interface PlantedVariation {
  kind: FaultKind;
  fits?(candidate: Candidate): boolean;
  vary(scene: Scene): Varied & { wrong: Omit<Fault, 'kind'> };
}

/** The campaign with other fields. */
export function over({ campaign }: Subject, ...fields: readonly JsonObject[]): JsonObject {
  return Object.assign({}, campaign, ...fields) as JsonObject;
}

/** A number of the campaign. */
export function numberOf({ campaign }: Subject, field: string): number {
  return Number(campaign[field]);
}

/** A text of the campaign. */
export function textOf({ campaign }: Subject, field: string): string {
  const text = campaign[field];
  return typeof text === 'string' ? text : '';
}

/** The click URL of the campaign on another host. */
export function onHost(subject: Subject, host: string): string {
  return textOf(subject, 'clickurl').replace(/^(https?:\/\/)[^/?#]+/, `$1${host}`);
}

/** The texts of a list of the campaign. */
export function textsOf({ campaign }: Subject, field: string): string[] {
  const list = campaign[field];
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
}

export const bidText = (bid: number): string => usualFormats.bid(toMicros(bid));

export const amountText = (amount: number): string => usualFormats.money(toMicros(amount));

/** Times as many, without the noise of binary fractions. */
export function times(amount: number, factor: number): number {
  return Math.round(amount * factor * 1e6) / 1e6;
}

/** True for types whose clicks lead to a click URL. */
export function hasClickUrl({ kind, campaign }: Candidate): boolean {
  return kind.pricing !== 'CPM' && typeof campaign['clickurl'] === 'string' && campaign['clickurl'] !== '';
}
