import { z } from 'zod';
import { appEventSchema, shownFormatsSchema } from '../app-api/index.ts';
import { errorCodes, type EncodedError } from '../errors/index.ts';
import { showingSchema } from './confirmation.ts';
import { sentenceSchema } from '../app-api/index.ts';

export const encodedErrorSchema: z.ZodType<EncodedError> = z.object({
  code: z.enum(errorCodes),
  message: sentenceSchema,
  next: sentenceSchema,
  fields: z.array(z.object({ field: z.string(), code: z.string(), message: sentenceSchema })),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** Everything that a core needs to start: the host's first message, never an argument or the environment of the process. */
export const coreStartSchema = z.object({
  dataFolder: z.string(),
  version: z.string(),
  /** The 32 bytes of the data key, base64. */
  dataKey: z.base64(),
  demoCampaigns: z.int().positive().optional(),
  formats: shownFormatsSchema.optional(),
});

export type CoreStart = z.infer<typeof coreStartSchema>;

/** Origin of a request: a page, or the confirmation window. A page can never reach the second. */
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
  /** The answer to `findProxy`, as a proxy script gives it: `PROXY proxy.example:8080; DIRECT`. Null where the system gave none. */
  z.object({ kind: z.literal('proxyFound'), id: z.int(), proxies: z.string().nullable() }),
  /** The answer to `resetHost`: the data key from now on, base64; null for the one of before. */
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
  z.object({ kind: z.literal('show'), showing: showingSchema }),
  z.object({ kind: z.literal('hide'), showingId: z.string() }),
  /** Open this authorization address in the system's browser, after the host's own look at it; one `opened` comes back. */
  z.object({ kind: z.literal('open'), id: z.int(), address: z.string() }),
  z.object({ kind: z.literal('findProxy'), id: z.int(), origin: z.string() }),
  /** The data folder is about to be emptied, as a person asked: reset what lies outside it; one `hostReset` comes back. */
  z.object({ kind: z.literal('resetHost'), id: z.int() }),
]);

export type CoreMessage = z.infer<typeof coreMessageSchema>;

/** Sent by a core in a utilityProcess and returned by the host: everything before it has arrived. */
export const arrivedWord = 'countersign.arrived';
