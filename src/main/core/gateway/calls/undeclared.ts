import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberPath,
  own,
} from '#shared/lib/json/json-value.ts';

/** A member of the arguments that the schema of its object does not name. */
export interface UndeclaredMember {
  /** The path as users read it: `payload.note`. Inert. */
  path: string;
  /** Its object takes no members but those that are named (`additionalProperties: false`). */
  isForbidden: boolean;
}

/** Maximum number of listed paths, for the forbidden ones and for the others. */
const maxListed = 20;

/**
 * The arguments that a tool's pinned input schema does not name: at the top all of them, further down those of objects that say that they
 * take no others. Only `properties` and `items` are followed, in time that grows with the arguments alone; neither references nor patterns of
 * a foreign schema are. A name that only a pattern could allow is not named, and not forbidden either.
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
    const property = own(membersOf(top), name);
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
    const members = membersOf(schema);
    for (const [name, member] of Object.entries(value)) {
      const property = own(members, name);
      if (property !== undefined) lookInto(member, property, { path: memberPath(path, name), add });
      else if (saysNoOthers(schema)) add(memberPath(path, name), isClosed(schema));
    }
  }
}

function membersOf(schema: JsonObject): JsonObject {
  const properties = own(schema, 'properties');
  return isJsonObject(properties) ? properties : {};
}

/** Words by which another part of the schema may name members (JSON Schema 2020-12, §10.2 and §11). */
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
