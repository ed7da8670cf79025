import { exposureOf, factsOf, type ServiceMoment, fieldWords } from '../campaign/index.ts';
import type { CampaignContext } from '../contract/index.ts';
import type { Formats } from '../lib/formats.ts';
import { inertText, quoted, quotedStart } from '../lib/inert-text.ts';
import { isJsonObject, type JsonObject, type JsonValue, memberPath } from '../lib/json/json-value.ts';
import { type Sentence, sentence, ownWords } from '../lib/sentence.ts';
import {
  type CallEffects,
  wordsWithoutChange,
  type WriteWords,
  type EffectCertainty,
  type TargetView,
  type TypedValue,
} from './effects.ts';
import { callHeadline } from './headline.ts';
import { moneyPair, unknownMoney } from './money.ts';
import { type Warning, warningOf } from './severities.ts';
import { dueNotes } from './tasks-and-uploads.ts';
import { titles } from './titles.ts';
import { fieldsInWords } from './update.ts';

export function callWords(call: CallEffects, change: WriteWords, formats: Formats): WriteWords {
  const { due, approvalEndsAtMs } = call;
  const headline = callHeadline(call, change) ?? change.risk.headline;
  const notes = due === null ? [] : dueNotes(due, approvalEndsAtMs, formats);
  return {
    ...change,
    risk: {
      ...change.risk,
      ...(headline !== undefined && { headline }),
      notes: [...notes, ...change.risk.notes],
    },
    warnings: [...callDangers(call), ...change.warnings, ...callNotices(call)].toSorted(dangersFirst),
    typeToConfirm: change.typeToConfirm ?? typedValueOf(call, change.targets),
    effects: { ...change.effects, certainty: call.effect },
  };
}

function dangersFirst(one: Warning, other: Warning): number {
  return Number(other.severity === 'danger') - Number(one.severity === 'danger');
}

export function namedCampaignWords(
  call: CallEffects,
  { campaign, context, today }: { campaign: JsonObject; context: CampaignContext; today: ServiceMoment },
  formats: Formats,
): WriteWords {
  const exposure = exposureOf(campaign, today);
  const name = typeof campaign['name'] === 'string' ? campaign['name'] : '';
  const [cid, status] = [Number(campaign['cid']), Number(campaign['status'])];
  const currentMoney = (part: 'perDay' | 'untilEnd'): WriteWords['risk']['perDay'] => ({
    before: moneyPair(part, { before: exposure, after: exposure }, formats).before,
    after: unknownMoney.after,
  });
  const money = { perDay: currentMoney('perDay'), untilEnd: currentMoney('untilEnd') };
  return {
    ...wordsWithoutChange(unknownCallTitle(call, name), unknownMoney),
    targets: [{ cid, name: inertText(name), statusBefore: status, statusAfter: status, ...money }],
    risk: { ...unknownRisk, ...money },
    facts: [{ cid, before: factsOf(campaign, context), after: null }],
    unchanged: fieldsInWords(campaign, context, formats),
  };
}

export function unknownCallWords(call: CallEffects): WriteWords {
  return {
    ...wordsWithoutChange(unknownCallTitle(call), unknownMoney),
    risk: { ...unknownRisk, perDay: unknownMoney, untilEnd: unknownMoney },
  };
}

export function unknownCallTitle(
  { name, argCount, commit }: Pick<CallEffects, 'name' | 'argCount' | 'commit'>,
  campaign?: string,
): Sentence {
  return (commit === null ? null : titles.commit(commit)) ?? titles.call(name, argCount, campaign);
}

const unknownRisk = {
  bidFactor: null,
  notes: [sentence`Countersign cannot tell what this call does, or how much money is at risk after it.`],
};

export interface PictureArgument {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  base64: string;
  width: number;
  height: number;
  byteCount: number;
  sha256: string;
}

interface ArgumentLine {
  path: string;
  value: string;
  picture?: Pick<PictureArgument, 'mediaType' | 'base64'>;
}

type ReadPicture = (text: string) => PictureArgument | null;

/**
 * Lists the arguments. Texts are quoted, so that no text can pass for a number. Only a complete picture is replaced by
 * its size and hash.
 */
export function argumentsInWords(
  args: JsonObject,
  readPicture: ReadPicture,
  formats: Formats,
): ArgumentLine[] {
  const pictureIn = (value: Primitive): PictureArgument | null =>
    typeof value === 'string' ? readPicture(value) : null;

  function linesOf(value: JsonValue, path: string): ArgumentLine[] {
    if (Array.isArray(value)) return listLines(value, path);
    if (!isJsonObject(value)) return [plainLine(value, path)];
    const entries = Object.entries(value);
    if (entries.length === 0 && path !== '') return [{ path, value: '{}' }];
    return entries.flatMap(([key, member]) => linesOf(member, memberPath(path, key)));
  }

  function listLines(list: readonly JsonValue[], path: string): ArgumentLine[] {
    const isOneLine = list.every((item): item is Primitive => isPrimitive(item) && pictureIn(item) === null);
    if (isOneLine) return [{ path, value: `[${list.map(plainWords).join(', ')}]` }];
    return list.flatMap((item, index) => linesOf(item, `${path}[${index}]`));
  }

  function plainLine(value: Primitive, path: string): ArgumentLine {
    const picture = pictureIn(value);
    if (picture === null) return { path, value: plainWords(value) };
    const { mediaType, base64 } = picture;
    return { path, value: pictureInWords(picture, formats), picture: { mediaType, base64 } };
  }

  return linesOf(args, '');
}

type Primitive = Exclude<JsonValue, JsonValue[] | JsonObject>;

function isPrimitive(value: JsonValue): value is Primitive {
  return typeof value !== 'object' || value === null;
}

function plainWords(value: Primitive): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}

function pictureInWords(
  { mediaType, width, height, byteCount, sha256 }: PictureArgument,
  formats: Formats,
): string {
  const format = mediaType.slice('image/'.length).toUpperCase();
  return `a picture (${format}, ${width} × ${height}, ${formats.count(byteCount)} bytes), SHA-256 ${sha256}`;
}

type Doubts = Pick<CallEffects, 'isUnseen' | 'preparedDifferently' | 'undeclared' | 'others'>;

/** True if the call may do more than its known change. Such a call is never decided in a batch. */
export function isDoubtful({ isUnseen, preparedDifferently, undeclared, others }: Doubts): boolean {
  return isUnseen || preparedDifferently.length + undeclared.length + others.length > 0;
}

const maxNamed = 5;
const maxNameLength = 60;

export function callDangers({ isUnseen, preparedDifferently, undeclared, others }: Doubts): Warning[] {
  return [
    ...(isUnseen ? [notSeenPrepared] : []),
    ...(preparedDifferently.length === 0 ? [] : [differentlyWarning(preparedDifferently)]),
    ...(undeclared.length === 0 ? [] : [undeclaredWarning(undeclared)]),
    // The warning about undeclared arguments is more specific.
    ...(others.length === 0 || undeclared.length > 0 ? [] : [othersWarning(others)]),
  ];
}

const notSeenPrepared = warningOf(
  'prepare_unseen',
  sentence`Countersign did not see this being prepared: what the service kept may differ from these arguments.`,
);

function differentlyWarning(fields: readonly string[]): Warning {
  const named = enumerate(fields, ' and more');
  return warningOf(
    'prepared_differently',
    sentence`Asked for the same change, the service prepared another one than before: ${ownWords(named)}.`,
  );
}

function undeclaredWarning(paths: readonly string[]): Warning {
  const [argument, it] = paths.length === 1 ? ['argument', 'it'] : ['arguments', 'them'];
  const names = enumerate(
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
    sentence`The call also names ${ownWords(enumerate(cids.map(String), ' and more'))}. The service may change ${ownWords(those)}.`,
  );
}

function enumerate(names: readonly string[], andMore: string): string {
  return `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? andMore : ''}`;
}

export function callNotices({
  effect,
  undeclared,
  notCompared,
  subject,
}: Pick<CallEffects, 'effect' | 'undeclared' | 'notCompared' | 'subject'>): Warning[] {
  const sent = ownWords(subject === 'update' ? ' Approving sends the value shown here.' : '');
  // The undeclared arguments already have a danger.
  const uncertain = effect === 'assumed' && undeclared.length > 0 ? null : uncertainties[effect];
  return [
    ...(uncertain === null ? [] : [uncertain]),
    ...notCompared.map((field) =>
      warningOf('volatile_field', sentence`${fieldWords(field)} keeps changing and is not compared.${sent}`),
    ),
  ];
}

/** An unknown effect is a danger, because its money is unknown. */
const uncertainties: Readonly<Record<EffectCertainty, Warning | null>> = {
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
 * For a call of uncertain effect: the campaign's id, else the number of campaigns, else the tool's name or its number
 * of arguments.
 */
function typedValueOf(call: CallEffects, targets: readonly TargetView[]): TypedValue | null {
  const { name, argCount, effect, named, others } = call;
  const isKnown = effect === 'stated' || effect === 'assumed';
  if (isKnown && !isDoubtful(call)) return null;
  const cids = targets.length > 0 ? [...targets.map(({ cid }) => cid), ...others] : [...named];
  const [cid] = cids;
  const fallback = typeable.test(name) ? name : String(argCount);
  const value = cid === undefined ? fallback : String(cids.length === 1 ? cid : cids.length);
  return { label: `Type ${value} to confirm`, value };
}
