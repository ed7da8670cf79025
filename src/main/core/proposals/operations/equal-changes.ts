import type { ComparedField, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { ChangeView, FieldEffect } from '#shared/campaign/index.ts';
import { statusVerb } from '#shared/wording/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import { toDecimal, toMicros } from '#shared/lib/decimal.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { webHost } from '#shared/lib/web-address.ts';

type Alone = Pick<ProposalView, 'warnings' | 'typeToConfirm' | 'targets'>;

/**
 * Fields by which equal updates are found, sorted. Null if decided alone: a danger (but a person's own change of host), typing, several
 * campaigns.
 */
export function comparableUpdate(
  words: Alone,
  {
    effects,
    changes,
    proposedBy,
  }: {
    effects: readonly FieldEffect[];
    changes: readonly ChangeView[];
    proposedBy: StoredProposal['proposedBy'];
  },
): ComparedField[] | null {
  if (words.targets.length !== 1 || effects.length === 0) return null;
  if (isDangerous(words)) return proposedBy.kind === 'person' ? hostChange(words, effects) : null;
  const views = new Map(changes.map((view) => [view.field, view]));
  return effects
    .toSorted((a, b) => (a.field < b.field ? -1 : 1))
    .map((effect) =>
      comparedField(effect, quotedStart(views.get(effect.field)?.after ?? '', maxValueLength)),
    );
}

export function comparableStatus(words: Alone, to: StatusCode): ComparedField[] | null {
  if (words.targets.length !== 1 || isDangerous(words)) return null;
  return [{ kind: 'value', field: 'status', value: to, text: statusVerb(to) }];
}

function isDangerous({ warnings, typeToConfirm }: Alone): boolean {
  return typeToConfirm !== null || warnings.some(({ severity }) => severity === 'danger');
}

function comparedField({ field, before, after, measure }: FieldEffect, text: string): ComparedField {
  const set = { field, text, ...(after !== undefined && { value: after }) };
  if (measure.kind !== 'money' && measure.kind !== 'count') return { kind: 'value', ...set };
  const [from, to] = [microsOf(before), microsOf(after)];
  const isLimit =
    measure.kind === 'count' || (measure.before.kind !== 'unlimited' && measure.after.kind !== 'unlimited');
  if (from === null || to === null || !isLimit) return { kind: 'value', ...set };
  return { kind: 'amount', unit: measure.kind, before: from, after: to, ...set };
}

/** Null for an amount finer than micros: changes that only round alike are not equal. */
function microsOf(value: JsonValue | undefined): string | null {
  if (typeof value !== 'number' || toDecimal(value).exponent < -6) return null;
  return toMicros(value).toString();
}

/** Null unless the host of one destination is the only effect and the only danger. */
function hostChange(
  { warnings, typeToConfirm }: Alone,
  effects: readonly FieldEffect[],
): ComparedField[] | null {
  const dangers = warnings.filter(({ severity }) => severity === 'danger');
  const [effect, ...others] = effects;
  if (dangers.length !== 1 || dangers[0]?.code !== 'destination_changes') return null;
  if (effect === undefined || others.length > 0) return null;
  const [before, after] = [addressParts(effect.before), addressParts(effect.after)];
  if (before === null || after === null || before.frame !== after.frame) return null;
  // A person types the host that the group names.
  if (after.host !== typeToConfirm?.value) return null;
  return [{ kind: 'host', field: effect.field, before: before.host, after: after.host }];
}

/** The host in ASCII, and the rest of the address; null if they cannot be told apart. */
function addressParts(value: JsonValue | undefined): { host: string; frame: string } | null {
  if (typeof value !== 'string') return null;
  const host = webHost(value);
  const found = /^(https?:\/\/)[^\s\\/?#@{}[\]%]+([\\/?#].*)?$/is.exec(value);
  if (host === null || found === null) return null;
  const [, scheme = '', rest = ''] = found;
  return { host, frame: `${scheme}\n${rest}` };
}

const maxValueLength = 300;
