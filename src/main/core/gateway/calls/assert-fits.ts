import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberPath,
  objectAt,
  own,
} from '#shared/lib/json/json-value.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { nearestNames } from '#shared/lib/nearest-names.ts';
import { joinSentences, ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';

/** An argument, or a member inside one, that the schema of its object does not name. */
export interface UndeclaredMember {
  /** The path as users read it, such as `payload.note`. Escaped for display. */
  path: string;
  /** True if the object allows only named members (`additionalProperties: false`). */
  isForbidden: boolean;
}

const maxListed = 20;

/**
 * The arguments that the pinned input schema does not name. At the top level all of them; below only in objects that allow
 * no other members. Follows `properties` and `items`, never references or patterns, so the time is linear in the arguments.
 */
export function undeclaredIn(
  args: JsonObject,
  schema: JsonValue | undefined,
  isKnown: (name: string) => boolean = () => false,
): UndeclaredMember[] {
  const forbidden: UndeclaredMember[] = [];
  const others: UndeclaredMember[] = [];
  const add = (path: string, isForbidden: boolean): void => {
    const list = isForbidden ? forbidden : others;
    if (list.length < maxListed) list.push({ path, isForbidden });
  };
  const top = isJsonObject(schema) ? schema : {};
  for (const [name, value] of Object.entries(args)) {
    const property = own(objectAt(top, 'properties'), name);
    if (property !== undefined) lookInto(value, property, { path: memberPath('', name), add });
    else if (!isKnown(name)) add(memberPath('', name), isClosed(top));
  }
  return [...forbidden, ...others];
}

interface Looking {
  path: string;
  add(path: string, isForbidden: boolean): void;
}

function lookInto(value: JsonValue, schema: JsonValue, { path, add }: Looking): void {
  if (!isJsonObject(schema)) return;
  if (Array.isArray(value)) {
    const items = own(schema, 'items');
    if (items === undefined) return;
    for (const [at, item] of value.entries()) lookInto(item, items, { path: `${path}[${at}]`, add });
  } else if (isJsonObject(value)) {
    const members = objectAt(schema, 'properties');
    for (const [name, member] of Object.entries(value)) {
      const property = own(members, name);
      if (property !== undefined) lookInto(member, property, { path: memberPath(path, name), add });
      else if (saysNoOthers(schema)) add(memberPath(path, name), isClosed(schema));
    }
  }
}

/** Keywords by which another part of the schema may name members (JSON Schema 2020-12, §10.2 and §11). */
const applicators = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'];

function saysNoOthers(schema: JsonObject): boolean {
  if (own(schema, 'additionalProperties') === false) return true;
  return (
    own(schema, 'unevaluatedProperties') === false && !applicators.some((word) => Object.hasOwn(schema, word))
  );
}

function isClosed(schema: JsonObject): boolean {
  return saysNoOthers(schema) && !Object.hasOwn(schema, 'patternProperties');
}

/** Maximum number of required names to check, because a hostile schema could list any number. */
const maxRequired = 1_000;

const maxNamed = 5;

/**
 * Refuses arguments that the input schema plainly forbids (JSON Schema 2020-12): a missing argument,
 * an argument of a wrong type, or a member that {@link undeclaredIn} found forbidden. Leaves every
 * unclear case to the service. Fails with `arguments_invalid`, naming each problem and its remedy.
 */
export function assertFits(
  args: JsonObject,
  schema: JsonValue | undefined,
  undeclared: readonly UndeclaredMember[],
): void {
  const known = Object.keys(isJsonObject(schema) ? objectAt(schema, 'properties') : {}).slice(0, maxRequired);
  const fields = [
    ...fieldsThatDoNotFit(args, schema),
    ...undeclared.flatMap((member) => forbidden(member, known)),
  ];
  if (fields.length === 0) return;
  const named = fields.slice(0, maxNamed).map(({ message }) => message);
  const rest = fields.length - named.length;
  const more = rest === 0 ? [] : [sentence`${rest} more do not fit.`];
  throw new AppError('arguments_invalid', {
    message: joinSentences([
      sentence`Not sent for approval: some arguments are not valid.`,
      ...named,
      ...more,
    ]),
    fields: fields.slice(0, maxNamed),
  });
}

function fieldsThatDoNotFit(args: JsonObject, schema: JsonValue | undefined): FieldError[] {
  if (!isJsonObject(schema) || Object.hasOwn(schema, '$ref')) return [];
  const properties = objectAt(schema, 'properties');
  return [...missing(args, { schema, properties }), ...mistyped(args, properties)];
}

function forbidden({ path, isForbidden }: UndeclaredMember, known: readonly string[]): FieldError[] {
  if (!isForbidden) return [];
  const near = /[.[]/.test(path) ? [] : nearestNames(path, known);
  const perhaps = near.length === 0 ? [] : [sentence`Perhaps ${near.join(', ')} is meant.`];
  const message = joinSentences([sentence`${path} is no argument of this tool. Leave it out.`, ...perhaps]);
  return [{ field: path, code: 'unknown_field', message }];
}

const maxDescription = 200;

function missing(
  args: JsonObject,
  { schema, properties }: { schema: JsonObject; properties: JsonObject },
): FieldError[] {
  const required = own(schema, 'required');
  if (!Array.isArray(required) || required.length > maxRequired) return [];
  return [...new Set(required)].flatMap((name): FieldError[] => {
    if (typeof name !== 'string' || Object.hasOwn(args, name)) return [];
    const property = own(properties, name);
    if (isJsonObject(property) && (isElsewhere(property) || Object.hasOwn(property, 'default'))) return [];
    const type = isJsonObject(property) ? typesOf(property) : null;
    const what =
      type === null ? [] : [sentence`Give ${ownWords(type.map((one) => words[one]).join(' or '))}.`];
    const said = isJsonObject(property) ? own(property, 'description') : undefined;
    const description =
      typeof said === 'string' ? [sentence`The tool says of it: ${quotedUpTo(said, maxDescription)}.`] : [];
    const message = joinSentences([sentence`${name} is missing.`, ...what, ...description]);
    return [{ field: name, code: 'missing', message }];
  });
}

function mistyped(args: JsonObject, properties: JsonObject): FieldError[] {
  return Object.entries(args).flatMap(([name, value]): FieldError[] => {
    const property = own(properties, name);
    if (!isJsonObject(property) || isElsewhere(property)) return [];
    const types = typesOf(property);
    if (types === null || types.some((type) => fits[type](value))) return [];
    if (value === null && own(property, 'nullable') === true) return [];
    const wanted = types.map((type) => words[type]).join(' or ');
    return [
      {
        field: name,
        code: 'wrong_type',
        message: sentence`${name} is ${ownWords(kindOf(value))}${ownWords(givenIn(value))}. Give ${ownWords(wanted)}.`,
      },
    ];
  });
}

function isElsewhere(property: JsonObject): boolean {
  return Object.hasOwn(property, '$ref');
}

function typesOf(property: JsonObject): TypeName[] | null {
  const type = own(property, 'type');
  const names = Array.isArray(type) ? type : [type];
  return names.length > 0 && names.length <= typeNames.length && names.every(isTypeName) ? names : null;
}

const fits = {
  object: (value: JsonValue) => isJsonObject(value),
  array: (value: JsonValue) => Array.isArray(value),
  string: (value: JsonValue) => typeof value === 'string',
  boolean: (value: JsonValue) => typeof value === 'boolean',
  integer: (value: JsonValue) => Number.isInteger(value),
  number: (value: JsonValue) => typeof value === 'number',
  null: (value: JsonValue) => value === null,
};

type TypeName = keyof typeof fits;

const words: Readonly<Record<TypeName, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  null: 'null',
};

const typeNames: readonly TypeName[] = ['object', 'array', 'string', 'boolean', 'integer', 'number', 'null'];

function isTypeName(name: JsonValue | undefined): name is TypeName {
  return typeNames.some((one) => one === name);
}

function kindOf(value: JsonValue): string {
  if (typeof value === 'boolean') return String(value);
  return words[typeNames.find((type) => type !== 'integer' && fits[type](value)) ?? 'null'];
}

const maxGiven = 80;

function givenIn(value: JsonValue): string {
  if (typeof value === 'boolean' || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return typeof value === 'number' ? `, ${text}` : `, ${quotedStart(text, maxGiven)}`;
}
