import { exposureOf, factsOf, type ServiceMoment } from '../campaign/index.ts';
import type { CampaignContext } from '../contract/index.ts';
import type { Formats } from '../lib/formats.ts';
import { inertText, quoted } from '../lib/inert-text.ts';
import { isJsonObject, type JsonObject, type JsonValue, memberPath } from '../lib/json/json-value.ts';
import { type Sentence, sentence } from '../lib/sentence.ts';
import { type CallEffects, noFieldChanges, type WriteWords } from './effects.ts';
import { callHeadline } from './headline.ts';
import { moneyPair, unknownMoney } from './money.ts';
import type { Warning } from './severities.ts';
import { dueNotes } from './tasks-and-uploads.ts';
import { titles } from './titles.ts';
import { fieldsInWords } from './update.ts';
import { callDangers, callNotices, typedForCall } from './warnings/call.ts';

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
    typeToConfirm: change.typeToConfirm ?? typedForCall(call, change.targets),
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
  const now = (part: 'perDay' | 'untilEnd'): WriteWords['risk']['perDay'] => ({
    before: moneyPair(part, { before: exposure, after: exposure }, formats).before,
    after: unknownMoney.after,
  });
  const money = { perDay: now('perDay'), untilEnd: now('untilEnd') };
  return {
    ...noEffect,
    title: unknownCallTitle(call, name),
    targets: [{ cid, name: inertText(name), statusBefore: status, statusAfter: status, ...money }],
    risk: { ...nothingKnown, ...money },
    facts: [{ cid, before: factsOf(campaign, context), after: null }],
    unchanged: fieldsInWords(campaign, context, formats),
  };
}

export function unknownCallWords(call: CallEffects): WriteWords {
  return {
    ...noEffect,
    title: unknownCallTitle(call),
    targets: [],
    risk: { ...nothingKnown, perDay: unknownMoney, untilEnd: unknownMoney },
    facts: [],
    unchanged: [],
  };
}

export function unknownCallTitle(
  { name, argCount, commit }: Pick<CallEffects, 'name' | 'argCount' | 'commit'>,
  campaign?: string,
): Sentence {
  return (commit === null ? null : titles.commit(commit)) ?? titles.call(name, argCount, campaign);
}

const nothingKnown = {
  bidFactor: null,
  notes: [sentence`Countersign cannot tell what this call does, or how much money is at risk after it.`],
};

const noEffect = {
  typeToConfirm: null,
  warnings: [],
  changes: [],
  effects: noFieldChanges,
} satisfies Partial<WriteWords>;

export interface PictureArgument {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  base64: string;
  width: number;
  height: number;
  byteCount: number;
  sha256: string;
}

export interface ArgumentLine {
  path: string;
  value: string;
  picture?: Pick<PictureArgument, 'mediaType' | 'base64'>;
}

type ReadPicture = (text: string) => PictureArgument | null;

/** Texts are quoted, so that none is taken for a number. Only a complete picture is replaced by its size and hash. */
export function argumentsInWords(
  args: JsonObject,
  readPicture: ReadPicture,
  formats: Formats,
): ArgumentLine[] {
  const pictureIn = (value: Plain): PictureArgument | null =>
    typeof value === 'string' ? readPicture(value) : null;

  function linesOf(value: JsonValue, path: string): ArgumentLine[] {
    if (Array.isArray(value)) return listLines(value, path);
    if (!isJsonObject(value)) return [plainLine(value, path)];
    const entries = Object.entries(value);
    if (entries.length === 0 && path !== '') return [{ path, value: '{}' }];
    return entries.flatMap(([key, member]) => linesOf(member, memberPath(path, key)));
  }

  function listLines(list: readonly JsonValue[], path: string): ArgumentLine[] {
    const isOneLine = list.every((item): item is Plain => isPlain(item) && pictureIn(item) === null);
    if (isOneLine) return [{ path, value: `[${list.map(plainWords).join(', ')}]` }];
    return list.flatMap((item, index) => linesOf(item, `${path}[${index}]`));
  }

  function plainLine(value: Plain, path: string): ArgumentLine {
    const picture = pictureIn(value);
    if (picture === null) return { path, value: plainWords(value) };
    const { mediaType, base64 } = picture;
    return { path, value: pictureInWords(picture, formats), picture: { mediaType, base64 } };
  }

  return linesOf(args, '');
}

type Plain = Exclude<JsonValue, JsonValue[] | JsonObject>;

function isPlain(value: JsonValue): value is Plain {
  return typeof value !== 'object' || value === null;
}

function plainWords(value: Plain): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}

function pictureInWords(
  { mediaType, width, height, byteCount, sha256 }: PictureArgument,
  formats: Formats,
): string {
  const format = mediaType.slice('image/'.length).toUpperCase();
  return `a picture (${format}, ${width} × ${height}, ${formats.count(byteCount)} bytes), SHA-256 ${sha256}`;
}
