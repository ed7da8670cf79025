import type { CampaignContext } from '#shared/contract/index.ts';
import { diffCampaigns, judgeFields, type FieldEffect } from '#shared/campaign/index.ts';
import { type JsonObject, type JsonValue, own } from '#shared/lib/json/json-value.ts';
import type { Effect } from '../operations/operation.ts';

export interface Step {
  author:
    | { kind: 'agent'; name: string }
    /** An agent that the query does not ask about. */
    | { kind: 'other agent' }
    /** Includes reversals. */
    | { kind: 'person' };
  effects: readonly Effect[];
}

export interface CampaignNetChange {
  cid: number;
  name: string;
  context: CampaignContext | null;
  /** Fields whose value differs from the value at the beginning. */
  changes: (FieldEffect & { steps: number; agents: string[] })[];
}

interface Folding {
  name: string;
  context: CampaignContext | null;
  before: JsonObject;
  after: JsonObject;
  touched: Map<string, string[]>;
}

/** Folds steps, oldest first, per campaign and field. A value set elsewhere restarts the field. A person's change ends it. */
export function netChangesOf(steps: readonly Step[]): CampaignNetChange[] {
  const campaigns = new Map<number, Folding>();
  for (const { author, effects } of steps) {
    for (const effect of effects) {
      if (author.kind === 'agent') addEffect(campaigns, effect, author.name);
      else endFields(campaigns.get(effect.cid), effect, author);
    }
  }
  return [...campaigns].flatMap(([cid, folding]) => folded(cid, folding));
}

function endFields(folding: Folding | undefined, { before, after }: Effect, { kind }: Step['author']): void {
  if (folding === undefined) return;
  for (const field of fieldsOf(before, after)) {
    if (kind !== 'person' && isOther(field, own(folding.before, field), own(after, field))) continue;
    folding.touched.delete(field);
    delete folding.before[field];
    delete folding.after[field];
  }
}

function addEffect(campaigns: Map<number, Folding>, effect: Effect, agent: string): void {
  const { cid, name, context, before, after } = effect;
  const known = campaigns.get(cid);
  const folding = known ?? { name, context, before: {}, after: {}, touched: new Map<string, string[]>() };
  if (known === undefined) campaigns.set(cid, folding);
  folding.name = name;
  folding.context = context ?? folding.context;
  for (const field of fieldsOf(before, after)) {
    const agents = folding.touched.get(field);
    if (agents === undefined || isOther(field, own(folding.after, field), own(before, field))) {
      folding.touched.set(field, [agent]);
      copy(before, folding.before, field);
    } else agents.push(agent);
    copy(after, folding.after, field);
  }
}

function fieldsOf(before: JsonObject, after: JsonObject): Set<string> {
  return new Set([...Object.keys(before), ...Object.keys(after)]);
}

function copy(from: JsonObject, to: JsonObject, field: string): void {
  const value = own(from, field);
  if (value === undefined) delete to[field];
  else to[field] = value;
}

/** True if the service stores the two values differently. */
export function isOther(field: string, left: JsonValue | undefined, found: JsonValue | undefined): boolean {
  if (left === undefined || found === undefined) return left !== found;
  return judgeFields({ [field]: left }, { [field]: found }).get(field) === 'different';
}

function folded(cid: number, { name, context, before, after, touched }: Folding): CampaignNetChange[] {
  const changes = diffCampaigns(before, after).map((change) => {
    const agents = touched.get(change.field) ?? [];
    return { ...change, steps: agents.length, agents: [...new Set(agents)] };
  });
  return changes.length === 0 ? [] : [{ cid, name, context, changes }];
}
