import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type AppEvent,
  type Guardrails,
  type PolicyView,
  type ServiceAddresses,
  guardrailsSchema,
} from '#shared/app-api/index.ts';
import { AppError, fieldPath, issueInWords, parseStrictJson } from '#shared/errors/index.ts';
import { type Sentence, ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';
import { z } from 'zod';
import { toDecimal, toMicros } from '#shared/lib/decimal.ts';

/** Limits that an administrator sets for every user of the computer. They can only tighten; null means no limit. */
interface Policy {
  guardrails: Guardrails | null;
  liveServices: readonly string[] | null;
  updatesOff: boolean;
}

const { maxBidFactor, maxCampaigns, pace, spendPace, quietHours, untouchable } = guardrailsSchema.shape;

const amount = z
  .number()
  .min(0)
  .max(999_999_999)
  .refine((value) => toDecimal(value).exponent >= -6, 'Use at most 6 decimals')
  .transform((value) => toMicros(value).toString());

/** An origin in the spelling of browsers, so that it can be compared with addresses of a profile. */
const origin = z
  .string()
  .max(500)
  .refine(
    (text) => /^https?:/.test(text) && URL.parse(text)?.origin === text,
    'Write an origin, for example https://api.example.com',
  );

const guardrails = z.strictObject({
  maxBidFactor: maxBidFactor.unwrap().optional(),
  maxRaisePerDay: amount.optional(),
  maxRaiseUntilEnd: amount.optional(),
  maxCampaigns: maxCampaigns.unwrap().optional(),
  pace: z.strictObject(pace.unwrap().shape).optional(),
  spendPace: z.strictObject({ amount, hours: spendPace.unwrap().shape.hours }).optional(),
  quietHours: z.strictObject(quietHours.unwrap().shape).optional(),
  untouchable: untouchable.optional(),
});

/** The optional members of the file. Unknown names are refused, because a misspelled limit would have no effect. */
const policyFile = z.strictObject({
  guardrails: guardrails.optional(),
  liveServices: z.array(origin).max(1000).optional(),
  updates: z.literal('off').optional(),
});

/** Parses the administrator's policy. Fails with `policy_unusable`; `fields` names every invalid part. */
export function parsePolicy(text: string): Policy {
  const parsed = policyFile.safeParse(jsonOf(text));
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => ({
      field: fieldPath(issue.path),
      code: 'invalid',
      message: issueInWords(issue),
    }));
    const places = fields.map(({ field, message }) =>
      field === '' ? message : sentence`${field}: ${ownWords(message)}`,
    );
    throw new AppError('policy_unusable', { message: sentence`${ownWords(places.join('; '))}.`, fields });
  }
  const { guardrails: limits, liveServices = null, updates } = parsed.data;
  return {
    guardrails: limits === undefined ? null : asGuardrails(limits),
    liveServices,
    updatesOff: updates === 'off',
  };
}

function jsonOf(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError('policy_unusable', { message: cause.message, cause });
  }
}

function asGuardrails(limits: z.output<typeof guardrails>): Guardrails {
  const { spendPace: spending } = limits;
  return {
    maxBidFactor: limits.maxBidFactor ?? null,
    maxRaisePerDayMicros: limits.maxRaisePerDay ?? null,
    maxRaiseUntilEndMicros: limits.maxRaiseUntilEnd ?? null,
    maxCampaigns: limits.maxCampaigns ?? null,
    pace: limits.pace ?? null,
    spendPace: spending === undefined ? null : { micros: spending.amount, hours: spending.hours },
    quietHours: limits.quietHours ?? null,
    untouchable: limits.untouchable ?? [],
  };
}

export interface PolicyPlace {
  file: string;
  ownerUid: number;
}

/** The default path, which only an administrator can write; null on Windows (docs/policy.md). */
export function administratorsPlace(platform: NodeJS.Platform = process.platform): PolicyPlace | null {
  switch (platform) {
    case 'linux':
      return { file: '/etc/countersign/policy.json', ownerUid: 0 };
    case 'darwin':
      return { file: '/Library/Application Support/Countersign/policy.json', ownerUid: 0 };
    default:
      return null;
  }
}

/** The policy of the computer's administrator. It is read again whenever the file has changed. */
export interface AdministratorPolicy {
  view(): PolicyView;
  /** Limits for agents in addition to those of a profile; null if there are none. Fails with `policy_unusable`. */
  guardrails(): Guardrails | null;
  /** Fails with `policy_unusable`. */
  assertUsable(): void;
  /** Passes if live profiles may use the service. Fails with `policy_unusable` or `service_not_allowed`. */
  assertAllowed(addresses: ServiceAddresses | readonly string[]): void;
}

interface AdministratorPolicyOptions {
  /** {@link administratorsPlace} by default; null if no policy applies. */
  place?: PolicyPlace | null | undefined;
  logger: PolicyLog;
  emit?(event: AppEvent): void;
}

interface PolicyLog {
  info(facts: Record<string, unknown>, message: string): void;
  error(facts: Record<string, unknown>, message: string): void;
}

const unlimited: Policy = { guardrails: null, liveServices: null, updatesOff: false };

const eventsOfChange: readonly AppEvent[] = [
  { kind: 'policy.changed' },
  { kind: 'profiles.changed' },
  { kind: 'campaigns.changed', cids: [] },
  { kind: 'agents.changed' },
  { kind: 'status.changed' },
];

type State = { policy: Policy; problem: null } | { policy: null; problem: AppError };

export function createAdministratorPolicy(options: AdministratorPolicyOptions): AdministratorPolicy {
  const { place = administratorsPlace(), logger, emit = () => {} } = options;
  let seen: string | null = null;
  let state: State = { policy: unlimited, problem: null };

  function current(): State {
    if (place === null) return state;
    // Taken before the text is read, so that the next check finds a change made in between.
    const stamp = stampOf(place);
    if (stamp === seen) return state;
    const isFirst = seen === null;
    seen = stamp;
    state = load(place);
    if (state.problem !== null) logger.error({ err: state.problem }, 'The administrator’s policy stops work');
    if (!isFirst) {
      logger.info({}, 'The administrator’s policy has changed');
      // Emits later, because the caller may be in the middle of a request.
      queueMicrotask(() => eventsOfChange.forEach(emit));
    }
    return state;
  }

  function usable(): Policy {
    const { policy, problem } = current();
    if (problem !== null) throw problem;
    return policy;
  }

  return {
    view() {
      const { policy, problem } = current();
      return {
        file: place?.file ?? null,
        problem: problem && { message: problem.message, next: problem.next },
        guardrails: policy?.guardrails ?? null,
        liveServices: policy === null ? [] : policy.liveServices && [...policy.liveServices],
        // Also off if the file cannot be read, because the file may switch updates off.
        updatesOff: policy === null || policy.updatesOff,
      };
    },
    guardrails: () => usable().guardrails,
    assertUsable: () => void usable(),
    assertAllowed(addresses) {
      const { liveServices } = usable();
      if (liveServices === null) return;
      const origins = new Set(Object.values(addresses).map((address) => new URL(address).origin));
      const others = [...origins].filter((origin) => !liveServices.includes(origin));
      if (others.length === 0) return;
      const message = sentence`The policy of this computer’s administrator does not allow ${others.join(', ')}.`;
      throw new AppError('service_not_allowed', { message });
    },
  };
}

function load(place: PolicyPlace): State {
  try {
    const text = readOwned(place);
    return { policy: text === null ? unlimited : parsePolicy(text), problem: null };
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    const message = sentence`The administrator’s policy ${quotedUpTo(place.file, maxPathLength)} cannot be used: ${ownWords(cause.message)}`;
    return { policy: null, problem: new AppError('policy_unusable', { message, cause }) };
  }
}

const maxPathLength = 300;

const maxBytes = 256 * 1024;

/** Returns the text; null if there is no file. Checks the folder's owner too, because that owner could replace the file. */
function readOwned({ file, ownerUid }: PolicyPlace): string | null {
  const folder = statOf(dirname(file));
  if (typeof folder === 'string')
    return folder === 'ENOENT' ? null : refuse(sentence`Its folder: ${ownWords(folder)}.`);
  if (!folder.isDirectory()) return refuse(sentence`Its folder is not a folder.`);
  assertOwned(folder, ownerUid, 'Its folder');
  const found = statOf(file);
  if (typeof found === 'string')
    return found === 'ENOENT' ? null : refuse(sentence`It cannot be read (${ownWords(found)}).`);
  return readText(file, ownerUid);
}

function readText(file: string, ownerUid: number): string {
  let descriptor: number;
  try {
    // A link could lead to a file in another folder, and a pipe would block the program.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    return refuse(sentence`It cannot be read (${ownWords(codeOf(cause))}).`, cause);
  }
  try {
    const found = fstatSync(descriptor, { bigint: true });
    if (!found.isFile()) return refuse(sentence`It is not a file.`);
    assertOwned(found, ownerUid, 'It');
    const bytes = Buffer.alloc(maxBytes + 1);
    const size = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (size > maxBytes) return refuse(sentence`It is too long.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, size));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    return refuse(
      cause instanceof TypeError
        ? sentence`It is not UTF-8.`
        : sentence`It cannot be read (${ownWords(codeOf(cause))}).`,
      cause,
    );
  } finally {
    closeSync(descriptor);
  }
}

const writableByOthers = 0o022n;

function assertOwned({ uid, mode }: BigIntStats, ownerUid: number, subject: string): void {
  const owner = ownerUid === 0 ? 'root' : `user ${ownerUid}`;
  if (uid !== BigInt(ownerUid))
    refuse(
      sentence`${ownWords(subject)} must belong to ${ownWords(owner)}; it belongs to user ${ownWords(String(uid))}.`,
    );
  if ((mode & writableByOthers) !== 0n)
    refuse(sentence`${ownWords(subject)} must not be writable by others than ${ownWords(owner)}.`);
}

function refuse(message: Sentence, cause?: unknown): never {
  throw new AppError('policy_unusable', { message, cause });
}

function statOf(path: string): BigIntStats | string {
  try {
    // Without this option, an absent file would make an error with its stack at every request.
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? 'ENOENT';
  } catch (failure) {
    return codeOf(failure);
  }
}

function codeOf(failure: unknown): string {
  return failure instanceof Error && 'code' in failure ? String(failure.code) : 'unknown';
}

function stampOf({ file }: PolicyPlace): string {
  const folder = statOf(dirname(file));
  // A file in such a folder cannot be found either.
  if (typeof folder === 'string') return folder;
  return `${marksOf(folder)} / ${marksOf(statOf(file))}`;
}

function marksOf(found: BigIntStats | string): string {
  if (typeof found === 'string') return found;
  const { dev, ino, uid, mode, size, mtimeNs, ctimeNs } = found;
  return [dev, ino, uid, mode, size, mtimeNs, ctimeNs].join(' ');
}
