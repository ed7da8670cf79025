import { fieldWords } from '#shared/campaign/index.ts';
import { type Warning, warningOf } from '#shared/wording/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { ProposalWords } from '../../operation.ts';
import type { ToolCallParts } from '../stored-parts.ts';
import { type Call, commitTool, isCommitMember, namedCampaigns } from '../call-arguments.ts';
import { ownWords, type OwnWords, quotedUpTo, type Sentence, sentence } from '#shared/lib/sentence.ts';

/**
 * The warning that stands before everything else. A commit, or any call with an approval of the service, of which Countersign did not see the
 * preparing: another agent did it, or it was before this app ran.
 */
export function unseenWarnings({ isUnseen }: ToolCallParts): Warning[] {
  return isUnseen ? [notSeenPrepared] : [];
}

/** Warns of a change that the service prepared with other values than before, though it was asked for the same. */
export function preparedDifferentlyWarnings({ preparedDifferently }: ToolCallParts): Warning[] {
  if (preparedDifferently.length === 0) return [];
  const named = preparedDifferently.slice(0, maxNamed).join(', ');
  const text = sentence`Asked for the same change, the service prepared another one than before: ${ownWords(named)}${ownWords(preparedDifferently.length > maxNamed ? ' and more' : '')}.`;
  return [warningOf('prepared_differently', text)];
}

/** Warns of the fields that are not compared before sending. */
export function notComparedWarnings({ notCompared, subject }: ToolCallParts): Warning[] {
  const sent = ownWords(subject.kind === 'update' ? ' Approving sends the value shown here.' : '');
  return notCompared.map((field) =>
    warningOf('volatile_field', sentence`${fieldWords(field)} keeps changing and is not compared.${sent}`),
  );
}

const notSeenPrepared = warningOf(
  'prepare_unseen',
  sentence`Countersign did not see this being prepared: what the service kept may differ from these arguments.`,
);

/** Maximum number of undeclared arguments that a warning names, and maximum length of each name. */
const maxNamed = 5;
const maxNameLength = 60;

/** Warns of arguments outside the pinned definition, which the service may still act on. */
export function undeclaredWarnings({ undeclared }: ToolCallParts): Warning[] {
  if (undeclared.length === 0) return [];
  const named = undeclared.slice(0, maxNamed).map((path) => quotedStart(path, maxNameLength));
  const names = ownWords(`${named.join(', ')}${undeclared.length > maxNamed ? ' and others' : ''}`);
  const text =
    undeclared.length === 1
      ? sentence`The tool’s definition does not name the argument ${names}. The service may act on it.`
      : sentence`The tool’s definition does not name the arguments ${names}. The service may act on them.`;
  return [warningOf('tool_argument_undeclared', text)];
}

/** Warns of other campaigns in the arguments. The warning of an undeclared argument covers this already. */
export function othersWarnings({ others, undeclared }: ToolCallParts): Warning[] {
  if (others.length === 0 || undeclared.length > 0) return [];
  const named = others.slice(0, maxNamed).join(', ');
  const text = sentence`The call also names ${ownWords(named)}${ownWords(others.length > maxNamed ? ' and more' : '')}. The service may change ${ownWords(others.length === 1 ? 'that campaign' : 'those campaigns')}.`;
  return [warningOf('tool_names_others', text)];
}

/** Warns of an effect that is not stated. Where it is not known, neither is the money, and that is a danger. */
export function effectWarnings({ effect, undeclared }: ToolCallParts): Warning[] {
  switch (effect) {
    case 'stated':
      return [];
    case 'assumed':
      // The danger says it already.
      return undeclared.length === 0 ? [effectAssumed] : [];
    case 'named':
      return [effectUnknown];
    case 'unknown':
      return [callUnknown];
    default:
      return assertNever(effect);
  }
}

const effectAssumed = warningOf(
  'tool_effect_assumed',
  sentence`Guessed from the arguments: the tool may do something else.`,
);

const effectUnknown = warningOf(
  'tool_effect_unknown',
  sentence`Countersign cannot tell what this call changes, nor what may be spent after it.`,
);

const callUnknown = warningOf(
  'tool_unknown',
  sentence`Countersign cannot tell what this call does, nor what may be spent after it.`,
);

/**
 * The largest figure of a call whose danger is none of its change: more campaigns than those that are shown, or arguments that the
 * tool's definition does not name. Null where the change or the money has a danger of its own, which says more.
 */
export function callFigure(
  { args, effect, undeclared }: ToolCallParts,
  { targets, warnings }: Pick<ProposalWords, 'targets' | 'warnings'>,
): ProposalWords['risk']['headline'] | null {
  if (warnings.some(({ severity }) => severity === 'danger')) return null;
  const named = namedCampaigns(args).size;
  if (named > Math.max(targets.length, 1)) {
    const shown = targets.length === 0 ? {} : { before: String(targets.length) };
    return { label: 'Campaigns named in the call', ...shown, after: String(named) };
  }
  const isKnown = effect === 'stated' || effect === 'assumed';
  if (!isKnown || undeclared.length === 0) return null;
  return { label: 'Arguments that the tool’s definition does not name', after: String(undeclared.length) };
}

/** A name that a person can type as it stands on the screen. */
const typeable = /^[A-Za-z0-9_./-]{1,64}$/;

/**
 * Value to type for a call whose effect Countersign does not fully know; null for a known effect. It is the id of
 * the only campaign, else the number of named campaigns, else the name of the tool, or the number of arguments if
 * that name cannot be typed.
 */
export function typedForCall(
  { name, args, effect, undeclared, isUnseen, others, preparedDifferently }: ToolCallParts,
  targets: ProposalWords['targets'],
): ProposalWords['typeToConfirm'] {
  const isKnown = effect === 'stated' || effect === 'assumed';
  const isAsAsked = undeclared.length === 0 && preparedDifferently.length === 0;
  if (isKnown && isAsAsked && !isUnseen && others.length === 0) return null;
  const cids = targets.length > 0 ? [...targets.map(({ cid }) => cid), ...others] : [...namedCampaigns(args)];
  const [cid] = cids;
  if (cid !== undefined) return typed(cids.length === 1 ? String(cid) : String(cids.length));
  return typed(typeable.test(name) ? name : String(Object.keys(args).length));
}

function typed(value: string): { label: string; value: string } {
  return { label: `Type ${value} to confirm`, value };
}

/** Maximum length of one text in a title, in code points; every argument is shown in full below it. */
const maxTitleValueLength = 300;

const uploadFields: readonly string[] = [
  'kind',
  'fileName',
  'contentType',
  'bytes',
  'width',
  'height',
  'sha256',
];
const uploadKinds: readonly string[] = ['icon', 'image'];

/**
 * Title of a commit that concerns no campaign, derived from the payload alone; null if the payload does not state
 * it.
 */
export function plainCommit({
  name,
  args,
  undeclared,
}: Pick<ToolCallParts, 'name' | 'args' | 'undeclared'>): Sentence | null {
  const { payload } = args;
  if (name !== commitTool || !isJsonObject(payload)) return null;
  if (undeclared.length > 0 || !Object.keys(args).every(isCommitMember)) return null;
  return uploadTitle(payload) ?? taskTitle(payload) ?? cancelTitle(payload);
}

/** A call of which only the arguments are known, in one sentence. */
export function callTitle({ name, args }: Call, campaign?: string): Sentence {
  const count = Object.keys(args).length;
  const what = campaign === undefined ? ownWords('') : ownWords(sentence` for ${briefly(campaign)}`);
  return sentence`Call ${briefly(name)}${what} with ${count} ${ownWords(count === 1 ? 'argument' : 'arguments')}`;
}

/** A change that is read out of the arguments of a tool that may do something else. */
export function guessTitle({ name }: Pick<Call, 'name'>, change: Sentence): Sentence {
  return sentence`Call ${briefly(name)}: ${ownWords(change.charAt(0).toLowerCase() + change.slice(1))}`;
}

function uploadTitle(payload: JsonObject): Sentence | null {
  const { kind, fileName, contentType, width, height } = payload;
  const isUpload =
    Object.keys(payload).length === uploadFields.length &&
    uploadFields.every((field) => Object.hasOwn(payload, field));
  const isKnown =
    typeof kind === 'string' &&
    uploadKinds.includes(kind) &&
    typeof fileName === 'string' &&
    typeof contentType === 'string' &&
    typeof width === 'number' &&
    typeof height === 'number';
  if (!isUpload || !isKnown) return null;
  return sentence`Upload the ${ownWords(kind)} ${briefly(fileName)} (${briefly(contentType)}, ${width} × ${height})`;
}

function taskTitle(payload: JsonObject): Sentence | null {
  const { id, kind, name, schedule } = payload;
  if (typeof id !== 'string' || typeof kind !== 'string' || !isJsonObject(schedule)) return null;
  const called = ownWords(typeof name === 'string' ? sentence` ${briefly(name)}` : '');
  return sentence`Make the scheduled task${called} of the kind ${briefly(kind)}`;
}

function cancelTitle({ taskId, ...rest }: JsonObject): Sentence | null {
  if (typeof taskId !== 'string' || Object.keys(rest).length > 0) return null;
  return sentence`Cancel the scheduled task ${briefly(taskId)}`;
}

function briefly(text: string): OwnWords {
  return quotedUpTo(text, maxTitleValueLength);
}
