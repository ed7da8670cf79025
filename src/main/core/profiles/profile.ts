import { skeleton } from '#core/platform/names/skeleton.ts';
import type { ProfileInput, ProfileView, ServiceAddresses } from '#shared/app-api/index.ts';
import { isTimeZone } from '#shared/campaign/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { codePointLength, inertText } from '#shared/lib/inert-text.ts';
import { checkAddresses } from './addresses.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** One service that the user works with. */
export interface Profile extends ProfileView {
  addresses: ServiceAddresses;
  remoteAccess: 'oauth' | 'direct-jwt';
}

/** Returns the parts of a profile that every window shows. */
export function viewOf({ id, name, kind, account, zone }: Profile): ProfileView {
  return { id, name, kind, account, zone };
}

/** The embedded service with its advertiser account: always there, without any sign-in. Its service day is UTC. */
export function demoProfile({
  name = 'Northwind Media',
  account,
  addresses,
}: {
  name?: string | undefined;
  account: number;
  addresses: ServiceAddresses;
}): Profile {
  return {
    id: 'demo',
    name,
    kind: 'demo',
    account: String(account),
    zone: 'UTC',
    addresses,
    remoteAccess: 'oauth',
  };
}

/** Maximum length of a profile's name, in code points. */
const longestName = 80;

/** Names reserved for Demo, which is recognised by its kind as much as by its name. */
const reservedNames: readonly string[] = ['Demo'];

/**
 * Checks a person's input for a profile, and returns it in its stored form. `others` are the other profiles. Fails with
 * `validation_failed` naming every field.
 */
export function checkProfileInput(input: ProfileInput, others: readonly Profile[]): ProfileInput {
  const name = input.name.trim().normalize('NFC');
  const zone = input.zone.trim();
  const addresses = checkAddresses(input);
  const fields = [...nameFaults(name, others), ...zoneFaults(zone)];
  if (addresses.kind === 'refused') fields.push(...addresses.fields);
  if (fields.length > 0 || addresses.kind === 'refused') throw new AppError('validation_failed', { fields });
  return { ...addresses.addresses, name, zone: spelled(zone), remoteAccess: input.remoteAccess };
}

function nameFaults(name: string, others: readonly Profile[]): FieldError[] {
  const field = 'name';
  if (name === '') return [{ field, code: 'required', message: sentence`Give the profile a name.` }];
  const length = codePointLength(name);
  if (length > longestName) {
    const message = sentence`A name has at most ${longestName} characters; this one has ${length}. Shorten it.`;
    return [{ field, code: 'too_long', message }];
  }
  if (inertText(name) !== name) {
    const message = sentence`This name contains invisible characters: ${name}. Type it again.`;
    return [{ field, code: 'hidden_character', message }];
  }
  const taken = [...reservedNames, ...others.map((other) => other.name)];
  // A person who reads the wrong profile spends the wrong account's money.
  if (!taken.some((other) => lookOf(other).some((look) => lookOf(name).includes(look)))) return [];
  const message = sentence`Another profile has this name, or one that looks like it. Choose a different one.`;
  return [{ field, code: 'taken', message }];
}

/**
 * Returns the looks of a name, as written and without case: a capital I looks like a small l, and a small i does not.
 */
function lookOf(name: string): string[] {
  const written = name.normalize('NFKC').replace(/\s+/gu, ' ');
  return [written, written.toUpperCase().toLowerCase()].map((text) => skeleton(text).toLowerCase());
}

function zoneFaults(zone: string): FieldError[] {
  // Intl also takes offsets such as +05:30, which know nothing of daylight-saving time.
  if (/^[a-z]/i.test(zone) && isTimeZone(zone)) return [];
  const message = sentence`Name a time zone, for example Europe/Berlin or UTC.`;
  return [{ field: 'zone', code: zone === '' ? 'required' : 'unknown_zone', message }];
}

/** Returns the usual spelling of a zone; a name that Intl replaces by another one stays as the person typed it. */
function spelled(zone: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
  return timeZone.toLowerCase() === zone.toLowerCase() ? timeZone : zone;
}
