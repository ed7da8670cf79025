import { fieldWords } from '../../campaign/index.ts';
import { quotedStart } from '../../lib/inert-text.ts';
import { ownWords, sentence } from '../../lib/sentence.ts';
import type { CallEffect, CallEffects, TargetView, TypedValue } from '../effects.ts';
import { type Warning, warningOf } from '../severities.ts';

type Doubts = Pick<CallEffects, 'isUnseen' | 'preparedDifferently' | 'undeclared' | 'others'>;

/** True for a call that may do anything else than its change: a person decides it alone. */
export function isDoubtful({ isUnseen, preparedDifferently, undeclared, others }: Doubts): boolean {
  return isUnseen || preparedDifferently.length + undeclared.length + others.length > 0;
}

/** Maximum number of arguments, fields and campaigns that a warning names, and maximum length of an argument's name. */
const maxNamed = 5;
const maxNameLength = 60;

export function callDangers({ isUnseen, preparedDifferently, undeclared, others }: Doubts): Warning[] {
  return [
    ...(isUnseen ? [notSeenPrepared] : []),
    ...(preparedDifferently.length === 0 ? [] : [differentlyWarning(preparedDifferently)]),
    ...(undeclared.length === 0 ? [] : [undeclaredWarning(undeclared)]),
    // An undeclared argument may name them: its warning says more.
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

/** Warnings of what is not known of a call, and of the fields that are not compared before sending. */
export function callNotices({
  effect,
  undeclared,
  notCompared,
  subject,
}: Pick<CallEffects, 'effect' | 'undeclared' | 'notCompared' | 'subject'>): Warning[] {
  const sent = ownWords(subject === 'update' ? ' Approving sends the value shown here.' : '');
  // The danger says it already.
  const uncertain = effect === 'assumed' && undeclared.length > 0 ? null : uncertainties[effect];
  return [
    ...(uncertain === null ? [] : [uncertain]),
    ...notCompared.map((field) =>
      warningOf('volatile_field', sentence`${fieldWords(field)} keeps changing and is not compared.${sent}`),
    ),
  ];
}

/** Where the effect is not known, neither is the money, and that is a danger. */
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
 * Value to type for a call whose effect Countersign does not fully know; null for a known effect. It is the id of
 * the only campaign, else the number of named campaigns, else the name of the tool, or the number of arguments if
 * that name cannot be typed.
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
