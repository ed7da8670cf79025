import { quotedStart } from '#shared/lib/inert-text.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { ToolCallParts } from './base.ts';
import { commitTool, isCommitMember, type Call } from './call-arguments.ts';

/** So much of one text stands in a title, in code points; every argument stands below it, whole. */
const mostInTitle = 300;

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

/** A commit of something that is no campaign, told by the payload alone; null for anything that it does not tell. */
export function plainCommit({ name, args, undeclared }: ToolCallParts): string | null {
  const { payload } = args;
  if (name !== commitTool || !isJsonObject(payload)) return null;
  if (undeclared.length > 0 || !Object.keys(args).every(isCommitMember)) return null;
  return uploadTitle(payload) ?? taskTitle(payload) ?? cancelTitle(payload);
}

/** A call of which only the arguments are known, in one sentence. */
export function callTitle({ name, args }: Call, campaign?: string): string {
  const count = Object.keys(args).length;
  const what = campaign === undefined ? '' : ` for ${briefly(campaign)}`;
  return `Call ${briefly(name)}${what} with ${count} ${count === 1 ? 'argument' : 'arguments'}`;
}

/** A change that is read out of the arguments of a tool that may do something else. */
export function guessTitle({ name }: Pick<Call, 'name'>, change: string): string {
  return `Call ${briefly(name)}: ${change.charAt(0).toLowerCase()}${change.slice(1)}`;
}

function uploadTitle(payload: JsonObject): string | null {
  const { kind, fileName, contentType, width, height } = payload;
  const isUpload =
    Object.keys(payload).length === uploadFields.length &&
    uploadFields.every((field) => Object.hasOwn(payload, field));
  const isTold =
    typeof kind === 'string' &&
    uploadKinds.includes(kind) &&
    typeof fileName === 'string' &&
    typeof contentType === 'string' &&
    typeof width === 'number' &&
    typeof height === 'number';
  if (!isUpload || !isTold) return null;
  return `Upload the ${kind} ${briefly(fileName)} (${briefly(contentType)}, ${width} × ${height})`;
}

function taskTitle(payload: JsonObject): string | null {
  const { id, kind, name, schedule } = payload;
  if (typeof id !== 'string' || typeof kind !== 'string' || !isJsonObject(schedule)) return null;
  const called = typeof name === 'string' ? ` ${briefly(name)}` : '';
  return `Make the scheduled task${called} of the kind ${briefly(kind)}`;
}

function cancelTitle({ taskId, ...rest }: JsonObject): string | null {
  if (typeof taskId !== 'string' || Object.keys(rest).length > 0) return null;
  return `Cancel the scheduled task ${briefly(taskId)}`;
}

function briefly(text: string): string {
  return quotedStart(text, mostInTitle);
}
