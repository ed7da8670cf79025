import { skeleton } from '#core/platform/names/skeleton.ts';
import type { ProfileInput, ProfileView, ServiceAddresses } from '#shared/app-api/index.ts';
import { isTimeZone } from '#shared/campaign/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { codePointLength, inertText } from '#shared/lib/inert-text.ts';
import { sentence, ownWords } from '#shared/lib/sentence.ts';

export interface Profile extends ProfileView {
  addresses: ServiceAddresses;
  remoteAccess: 'oauth' | 'direct-jwt';
}

export function viewOf({ id, name, kind, account, zone }: Profile): ProfileView {
  return { id, name, kind, account, zone };
}

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

const maxNameLength = 80;

const reservedNames: readonly string[] = ['Demo'];

/** Returns the normalized input. `others` are all other profiles. Fails with `validation_failed`, naming every invalid field. */
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
  if (length > maxNameLength) {
    const message = sentence`A name has at most ${maxNameLength} characters; this one has ${length}. Shorten it.`;
    return [{ field, code: 'too_long', message }];
  }
  if (inertText(name) !== name) {
    const message = sentence`This name contains invisible characters: ${name}. Type it again.`;
    return [{ field, code: 'hidden_character', message }];
  }
  const taken = [...reservedNames, ...others.map((other) => other.name)];
  // A person who confuses two profiles spends money of the wrong account.
  if (!taken.some((other) => lookOf(other).some((look) => lookOf(name).includes(look)))) return [];
  const message = sentence`Another profile has this name, or one that looks like it. Choose a different one.`;
  return [{ field, code: 'taken', message }];
}

/** Compares names as written and without case, because a capital I looks like a small l but a small i does not. */
function lookOf(name: string): string[] {
  const written = name.normalize('NFKC').replace(/\s+/gu, ' ');
  return [written, written.toUpperCase().toLowerCase()].map((text) => skeleton(text).toLowerCase());
}

function zoneFaults(zone: string): FieldError[] {
  // Intl also accepts offsets such as +05:30, but an offset has no daylight-saving time.
  if (/^[a-z]/i.test(zone) && isTimeZone(zone)) return [];
  const message = sentence`Name a time zone, for example Europe/Berlin or UTC.`;
  return [{ field: 'zone', code: zone === '' ? 'required' : 'unknown_zone', message }];
}

/** Returns the usual spelling of a zone, or the name as typed if Intl would replace the zone with another name. */
function spelled(zone: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
  return timeZone.toLowerCase() === zone.toLowerCase() ? timeZone : zone;
}

type CheckedAddresses =
  { kind: 'fine'; addresses: ServiceAddresses } | { kind: 'refused'; fields: FieldError[] };

type AddressField = keyof ServiceAddresses;

type AddressFault = Pick<FieldError, 'code' | 'message'>;

const addressFields: readonly AddressField[] = ['baseUrl', 'apiUrl', 'mcpUrl'];

const examples: Readonly<Record<AddressField, string>> = {
  baseUrl: 'https://members.example.com/api/v1',
  apiUrl: 'https://api.example.com',
  mcpUrl: 'https://tools.example.com',
};

/** Hosts for which plain http is allowed, because requests to them never leave this machine. */
const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Accepts https, or http on the loopback; `baseUrl` ends in `/api/v1`. Removes a final slash, capitals and default ports. */
export function checkAddresses(written: ServiceAddresses): CheckedAddresses {
  const fields: FieldError[] = [];
  const checked: ServiceAddresses = { baseUrl: '', apiUrl: '', mcpUrl: '' };
  for (const field of addressFields) {
    const result = checkAddress(field, written[field].trim());
    if (typeof result === 'string') checked[field] = result;
    else fields.push({ field, ...result });
  }
  return fields.length === 0 ? { kind: 'fine', addresses: checked } : { kind: 'refused', fields };
}

export function isSameService(one: ServiceAddresses, other: ServiceAddresses): boolean {
  return addressFields.every((field) => one[field] === other[field]);
}

function checkAddress(field: AddressField, text: string): string | AddressFault {
  const example = ownWords(`for example ${examples[field]}`);
  if (text === '') return { code: 'required', message: sentence`Enter the address, ${example}.` };
  if (!/^[\x21-\x7e]+$/.test(text)) return plainLettersOnly;
  const [, scheme = '', authority = '', path = '', rest = ''] =
    /^(https?):\/\/([^/?#\\]+)([^?#\\]*)([?#].*)?$/i.exec(text) ?? [];
  const url = URL.parse(text);
  if (authority === '' || url === null || url.port === '0') {
    return { code: 'not_an_address', message: sentence`Enter a complete address, ${example}.` };
  }
  if (scheme.toLowerCase() === 'http' && !loopbackHosts.has(url.hostname)) return notSecure;
  if (authority.includes('@')) return withCredentials;
  if (rest !== '') return moreThanAPath;
  const fault = field === 'baseUrl' ? basePathFault(path, url) : originFault(field, path, url);
  return fault ?? `${url.origin}${path.replace(/\/$/, '')}`;
}

function basePathFault(path: string, { origin, pathname }: URL): AddressFault | null {
  // A parser would rewrite such a path (dot segments, double slashes): another address than the displayed one.
  if (path !== '' && (pathname !== path || path.includes('//'))) {
    return {
      code: 'wrong_path',
      message: sentence`Write the path out, without “.”, “..” and doubled slashes.`,
    };
  }
  if (/\/api\/v1\/?$/.test(path)) return null;
  return {
    code: 'wrong_path',
    message: sentence`The address must end in /api/v1, for example ${`${origin}/api/v1`}.`,
  };
}

function originFault(field: AddressField, path: string, { origin }: URL): AddressFault | null {
  if (path === '' || path === '/') return null;
  const own = field === 'mcpUrl' && /^\/mcp\/?$/.test(path);
  const message = own
    ? sentence`Leave /mcp away: Countersign adds it. Write ${origin}.`
    : sentence`Leave the path away. Write ${origin}.`;
  return { code: 'wrong_path', message };
}

const plainLettersOnly: AddressFault = {
  code: 'hidden_character',
  message: sentence`Only plain letters, digits and signs can stand in it, without spaces. Write a name with other letters in its xn-- form.`,
};

const notSecure: AddressFault = {
  code: 'not_secure',
  message: sentence`Use https. Plain http works on this machine only: 127.0.0.1, localhost or [::1].`,
};

const withCredentials: AddressFault = {
  code: 'has_credentials',
  message: sentence`Leave the part before @ away: an address carries no credentials.`,
};

const moreThanAPath: AddressFault = {
  code: 'has_query',
  message: sentence`Leave everything from “?” or “#” away.`,
};
