import { fieldWords } from '../../campaign/index.ts';
import { quotedStart } from '../../lib/inert-text.ts';
import { ownWords, sentence } from '../../lib/sentence.ts';
import type { CallEffect, CallEffects, TargetView, TypedValue } from '../effects.ts';
import { type Warning, warningOf } from '../severities.ts';

type Doubts = Pick<CallEffects, 'isUnseen' | 'preparedDifferently' | 'undeclared' | 'others'>;

/** True if the call may do more than its change: a person decides it alone. */
export function isDoubtful({ isUnseen, preparedDifferently, undeclared, others }: Doubts): boolean {
  return isUnseen || preparedDifferently.length + undeclared.length + others.length > 0;
}

/** Names in one warning, and code points of a name. */
const maxNamed = 5;
const maxNameLength = 60;

export function callDangers({ isUnseen, preparedDifferently, undeclared, others }: Doubts): Warning[] {
  return [
    ...(isUnseen ? [notSeenPrepared] : []),
    ...(preparedDifferently.length === 0 ? [] : [differentlyWarning(preparedDifferently)]),
    ...(undeclared.length === 0 ? [] : [undeclaredWarning(undeclared)]),
    // The warning of an undeclared argument says more.
    ...(others.length === 0 || undeclared.length > 0 ? [] : [othersWarning(others)]),
  ];
}

const notSeenPrepared = warningOf(
  'prepare_unseen',
  sentence`Countersign did not see this being prepared: what the service kept may differ from these arguments.`,
);

function differentlyWarning(fields: readonly string[]): Warning {
  const named = enumerated(fields, ' and more');
  return warningOf(
    'prepared_differently',
    sentence`Asked for the same change, the service prepared another one than before: ${ownWords(named)}.`,
  );
}

function undeclaredWarning(paths: readonly string[]): Warning {
  const [argument, it] = paths.length === 1 ? ['argument', 'it'] : ['arguments', 'them'];
  const names = enumerated(
    paths.map((path) => quotedStart(path, maxNameLength)),
    ' and others',
  );
  return warningOf(
    'tool_argument_undeclared',
    sentence`The tool’s definition does not name the ${ownWords(argument)} ${ownWords(names)}. The service may act on ${ownWords(it)}.`,
  );
}

function othersWarning(cids: readonly number[]): Warning {
  const those = cids.length === 1 ? 'that campaign' : 'those campaigns';
  return warningOf(
    'tool_names_others',
    sentence`The call also names ${ownWords(enumerated(cids.map(String), ' and more'))}. The service may change ${ownWords(those)}.`,
  );
}

function enumerated(names: readonly string[], andMore: string): string {
  return `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? andMore : ''}`;
}

export function callNotices({
  effect,
  undeclared,
  notCompared,
  subject,
}: Pick<CallEffects, 'effect' | 'undeclared' | 'notCompared' | 'subject'>): Warning[] {
  const sent = ownWords(subject === 'update' ? ' Approving sends the value shown here.' : '');
  // The danger of undeclared arguments says it already.
  const uncertain = effect === 'assumed' && undeclared.length > 0 ? null : uncertainties[effect];
  return [
    ...(uncertain === null ? [] : [uncertain]),
    ...notCompared.map((field) =>
      warningOf('volatile_field', sentence`${fieldWords(field)} keeps changing and is not compared.${sent}`),
    ),
  ];
}

/** An unknown effect means unknown money, which is a danger. */
const uncertainties: Readonly<Record<CallEffect, Warning | null>> = {
  stated: null,
  assumed: warningOf(
    'tool_effect_assumed',
    sentence`Guessed from the arguments: the tool may do something else.`,
  ),
  named: warningOf(
    'tool_effect_unknown',
    sentence`Countersign cannot tell what this call changes, nor what may be spent after it.`,
  ),
  unknown: warningOf(
    'tool_unknown',
    sentence`Countersign cannot tell what this call does, nor what may be spent after it.`,
  ),
};

const typeable = /^[A-Za-z0-9_./-]{1,64}$/;

/**
 * For a call whose effect is not fully known: the only campaign's id, else the number of campaigns, else the tool's name or its number of
 * arguments.
 */
export function typedForCall(call: CallEffects, targets: readonly TargetView[]): TypedValue | null {
  const { name, argCount, effect, named, others } = call;
  const isKnown = effect === 'stated' || effect === 'assumed';
  if (isKnown && !isDoubtful(call)) return null;
  const cids = targets.length > 0 ? [...targets.map(({ cid }) => cid), ...others] : [...named];
  const [cid] = cids;
  const byName = typeable.test(name) ? name : String(argCount);
  const value = cid === undefined ? byName : String(cids.length === 1 ? cid : cids.length);
  return { label: `Type ${value} to confirm`, value };
}
