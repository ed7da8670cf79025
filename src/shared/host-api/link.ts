import { z } from 'zod';
import { appEventSchema, shownFormatsSchema } from '../app-api/index.ts';
import { errorCodes, type EncodedError } from '../errors/index.ts';
import { displaySchema } from './confirmation.ts';
import { sentenceSchema } from '../app-api/index.ts';

export const encodedErrorSchema: z.ZodType<EncodedError> = z.object({
  code: z.enum(errorCodes),
  message: sentenceSchema,
  next: sentenceSchema,
  fields: z.array(z.object({ field: z.string(), code: z.string(), message: sentenceSchema })),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/**
 * Everything that a core needs to start. It is the host's first message, never an argument or an environment variable,
 * because it contains the key.
 */
export const coreStartSchema = z.object({
  dataFolder: z.string(),
  version: z.string(),
  /** The data key: 32 bytes in Base64. */
  dataKey: z.base64(),
  demoCampaigns: z.int().positive().optional(),
  formats: shownFormatsSchema.optional(),
});

export type CoreStart = z.infer<typeof coreStartSchema>;

/** Origin of a request: a page or the confirmation window. A page can never send from `confirmation`. */
export const surfaces = ['app', 'confirmation'] as const;

export type Surface = (typeof surfaces)[number];

/** Messages of the host to its core. Every `ask` gets one `answer` or `refusal` with its id. */
export const hostMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start'), start: coreStartSchema }),
  z.object({
    kind: z.literal('ask'),
    id: z.int(),
    surface: z.enum(surfaces),
    name: z.string(),
    input: z.unknown(),
  }),
  z.object({ kind: z.literal('opened'), id: z.int(), opened: z.boolean() }),
  /**
   * The answer to `findProxy` in the form of a proxy script: `PROXY proxy.example:8080; DIRECT`. Null if the system has
   * no answer.
   */
  z.object({ kind: z.literal('proxyFound'), id: z.int(), proxies: z.string().nullable() }),
  /** The answer to `resetHost`: the new data key in Base64, or null to keep the current one. */
  z.object({ kind: z.literal('hostReset'), id: z.int(), dataKey: z.base64().nullable() }),
  z.object({ kind: z.literal('suspend') }),
  z.object({ kind: z.literal('resume') }),
  z.object({ kind: z.literal('quit') }),
]);

export type HostMessage = z.infer<typeof hostMessageSchema>;

export const coreMessageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ready'),
    setAside: z.array(z.string()),
  }),
  z.object({ kind: z.literal('failed'), error: encodedErrorSchema }),
  z.object({ kind: z.literal('answer'), id: z.int(), output: z.unknown() }),
  z.object({ kind: z.literal('refusal'), id: z.int(), error: encodedErrorSchema }),
  z.object({ kind: z.literal('event'), event: appEventSchema }),
  z.object({ kind: z.literal('show'), display: displaySchema }),
  z.object({ kind: z.literal('hide'), displayId: z.string() }),
  /** Asks the host to check this authorization address and open it in the system's browser. The host answers with `opened`. */
  z.object({ kind: z.literal('open'), id: z.int(), address: z.string() }),
  z.object({ kind: z.literal('findProxy'), id: z.int(), origin: z.string() }),
  /** A person asked to empty the data folder: reset everything outside it. The host answers with `hostReset`. */
  z.object({ kind: z.literal('resetHost'), id: z.int() }),
]);

export type CoreMessage = z.infer<typeof coreMessageSchema>;

/** Sent by a core in a utilityProcess and returned by the host. Its return proves that all earlier messages have arrived. */
export const arrivedWord = 'countersign.arrived';
