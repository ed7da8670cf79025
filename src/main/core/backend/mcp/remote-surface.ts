import { AppError } from '#shared/errors/index.ts';
import type { PublisherReports } from '../publisher/reports.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { BackendService } from '../service.ts';
import { createAdmission, type RemoteQuotas } from './admission.ts';
import {
  type RemotePrincipal,
  type RemoteTool,
  hasModule,
  hasScopes,
  type ToolAnswer,
} from '../remote-call/tool.ts';
import { answerPrompt, createPromptCatalogue, type PromptCatalogue } from './prompts.ts';
import {
  campaignResource,
  settingsResource,
  statusesResource,
  createResourceCatalogue,
  taskRunResource,
  type TaskRuns,
  newestCampaigns,
  type ResourceCatalogue,
} from './resources.ts';
import {
  getCampaignTool,
  listCampaignsTool,
  searchReportTool,
  xmlStatsTool,
  whoamiTool,
} from './read-tools.ts';
import { createToolCatalogue, type ToolCatalogue } from './tool-catalogue.ts';
import type { Logger } from '#core/platform/logger.ts';
import { asNotReady } from '../http/create-app.ts';
import {
  type McpSurface,
  type CallContext,
  type ToolResult,
  JsonText,
  readArguments,
  callerName,
  refusalInFull,
} from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { BackendStore, BackendReader } from '#core/store/backend/index.ts';
import { createCredentialFinder } from '#core/platform/credentials.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import { nextForAgent } from '#shared/wording/index.ts';
import { z } from 'zod';

/** The MCP surface of the remote endpoint. Tool definitions can change while it runs. */
export interface RemoteSurface extends McpSurface<RemotePrincipal> {
  redefineTool: ToolCatalogue['redefine'];
  allowExtraArguments: ToolCatalogue['allowExtraArguments'];
}

/** Offers each member the tools, resources and prompts that the permissions allow at each request (contract §4.3). */
export function createRemoteSurface(
  service: BackendService,
  parts: {
    reports: PublisherReports;
    tools: readonly RemoteTool[];
    runs: TaskRuns;
    quotas: RemoteQuotas;
    onCommit(args: JsonObject): void;
  },
): RemoteSurface {
  const { store, clock, logger } = service;
  const { reports, quotas, onCommit } = parts;
  const resources = createResourceCatalogue([
    settingsResource(service),
    statusesResource(),
    campaignResource(store.read),
    taskRunResource(parts.runs),
  ]);
  const prompts = createPromptCatalogue();
  const otherTools = [
    listCampaignsTool(store.read),
    getCampaignTool(service),
    xmlStatsTool(reports),
    searchReportTool(reports),
    ...parts.tools,
  ];
  const whoami = whoamiTool(service, { reports, otherTools, resources, prompts });
  const tools = createToolCatalogue([whoami, ...otherTools]);
  const dlp = createDataLossPrevention(store, clock);
  const complete = createCompletions({ read: store.read, reports, prompts, resources });
  return {
    capabilities: { completions: true },
    admit: createAdmission({ clock, quotas, tools, prompts, onCommit }),
    current(principal) {
      const member = store.read.member(principal.member.uid);
      return member?.mcpMenu === true ? { ...principal, member } : null;
    },
    redefineTool: (name, definition) => tools.redefine(name, definition),
    allowExtraArguments: (name) => tools.allowExtraArguments(name),
    listTools: (principal) => tools.offered(principal),
    callTool: createToolCaller({ tools, dlp, logger }),
    listResources: (principal) => resources.list(principal),
    listResourceTemplates: (principal) => resources.templates(principal),
    async readResource(principal, uri) {
      dlp.rejectCredentials({ uri });
      return [await resources.read(principal, uri)];
    },
    listPrompts: (principal) => prompts.offered(principal),
    async getPrompt(principal, { name, args }) {
      const prompt = prompts.find(name);
      if (prompt === null) {
        throw new AppError('object_not_found', { message: 'There is no prompt of this name.' });
      }
      dlp.rejectCredentials(args);
      return answerPrompt(prompt, { principal, args });
    },
    async complete(principal, params) {
      dlp.rejectCredentials(params);
      return complete(principal, params);
    },
  };
}

export const serverInfo = { name: 'countersign-service', title: 'Countersign service', version: '1' };

export const serverInstructions = [
  'Call svc_whoami to see the account. Read the current state first.',
  'A change is prepared with a svc_prepare_… tool and shown to a person with its diff.',
  'Only then commit it with svc_commit: payload and fingerprint unchanged, a fresh idempotency key, confirmed true.',
  'After a conflict, read again and prepare again.',
].join(' ');

interface ToolCall {
  tool: RemoteTool;
  principal: RemotePrincipal;
  args: JsonObject;
  dlp: DataLossPrevention;
}

/** Checks of a call before its arguments are parsed, in this order. Admission normally refuses missing scopes earlier. */
const checks: readonly ((call: ToolCall) => void)[] = [
  ({ principal, tool }) => {
    if (!hasModule(principal, tool)) throw new AppError('module_denied');
  },
  ({ principal, tool }) => {
    if (!hasScopes(principal, tool)) throw new AppError('scope_missing');
  },
  ({ dlp, tool, args }) => dlp.rejectCredentials(args, tool.echoedArguments),
];

/**
 * Returns refusals as results with `isError`; an unknown name fails with `object_not_found`. Logs bugs without revealing
 * their message.
 */
function createToolCaller(parts: {
  tools: ToolCatalogue;
  dlp: DataLossPrevention;
  logger: Logger;
}): (
  principal: RemotePrincipal,
  call: { name: string; args: JsonObject },
  context: CallContext,
) => Promise<ToolResult<JsonObject | JsonText>> {
  const { tools, dlp, logger } = parts;
  return async (principal, { name, args }, context) => {
    const tool = tools.find(name);
    if (tool === null) {
      throw new AppError('object_not_found', { message: 'There is no tool of this name.' });
    }
    try {
      for (const check of checks) check({ tool, principal, args, dlp });
      const read = readArguments(tool.input, args) as JsonObject;
      return successResult(await tool.run(principal, read, context));
    } catch (failure) {
      const refusal = toRefusal(failure, { logger, what: tool.name });
      return refusalResult(refusalInFull(withCampaign(refusal, args), args));
    }
  };
}

/** `{status: 'success', data, sourcePagination?}`, as structured content and as text with equal JSON (contract §2.7). */
function successResult({ data, sourcePagination }: ToolAnswer): ToolResult<JsonText> {
  const dataText = data instanceof JsonText ? data.text : JSON.stringify(data);
  const page =
    sourcePagination === undefined ? '' : `,"sourcePagination":${JSON.stringify(sourcePagination)}`;
  const text = `{"status":"success","data":${dataText}${page}}`;
  return { content: [{ type: 'text', text }], structuredContent: new JsonText(text) };
}

/** Names the campaign in the error. The text is equal for absent and foreign campaigns, so that the answer reveals nothing. */
function withCampaign(error: AppError, { cid }: JsonObject): AppError {
  if (error.code !== 'campaign_not_found' || typeof cid !== 'number') return error;
  return new AppError(error.code, { message: sentence`Campaign ${cid} does not exist in this account.` });
}

function refusalResult(error: AppError): ToolResult {
  const { code, message, status, fields } = error;
  const errors = fields.length > 0 && { errors: fields.map((field) => ({ ...field })) };
  const structuredContent: JsonObject = {
    status: 'error',
    error: { code, message, next: nextForAgent(error), statusCode: status, ...errors },
  };
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    isError: true,
  };
}

function toRefusal(failure: unknown, { logger, what }: { logger: Logger; what: string }): AppError {
  const seen = asNotReady(failure);
  const known = seen instanceof AppError ? seen : null;
  if (known !== null && known.status < 500) return known;
  logger.error({ err: failure, what }, 'A remote tool failed');
  return known ?? new AppError('internal', { message: 'The service failed. Try again later.' });
}

const maxCheckedArguments = 100;

type DataLossPrevention = ReturnType<typeof createDataLossPrevention>;

/** Refuses tool calls that contain credentials (contract §7.3, "data-loss-prevention"). */
function createDataLossPrevention(store: Pick<BackendStore, 'oauth'>, clock: Clock) {
  const findIn = createCredentialFinder(store.oauth, clock);
  return {
    /** Fails with `dlp_denied`, which names the argument but never the credential. Skips the arguments `givenHere`. */
    rejectCredentials(args: JsonObject, givenHere: readonly string[] = []): void {
      const searched = Object.entries(args).filter(([name]) => !givenHere.includes(name));
      // Searches all arguments at once: searching each would block other requests if a client sends very many.
      const found = findIn(Object.fromEntries(searched));
      if (found === null) return;
      const at = searched
        .slice(0, maxCheckedArguments)
        .find(([name, value]) => findIn({ [name]: value }) !== null);
      // An argument name that is itself the credential is not repeated.
      const field = at === undefined || findIn(at[0]) !== null ? 'arguments' : callerName(at[0]);
      const message = sentence`It looks like ${ownWords(found)}. Leave it out.`;
      throw new AppError('dlp_denied', { fields: [{ field, code: 'credential', message }] });
    },
  };
}

const completionInput = z.object({
  ref: z.union([
    z.object({ type: z.literal('ref/prompt'), name: z.string() }),
    z.object({ type: z.literal('ref/resource'), uri: z.string() }),
  ]),
  argument: z.object({ name: z.string(), value: z.string() }),
});

const maxValues = 100;

const maxSearched = 1_000;

function createCompletions(parts: {
  read: BackendReader;
  reports: PublisherReports;
  prompts: PromptCatalogue;
  resources: ResourceCatalogue;
}): (principal: RemotePrincipal, params: JsonObject) => JsonObject {
  const { read, reports, prompts, resources } = parts;
  const isKnown = (principal: RemotePrincipal, ref: z.output<typeof completionInput>['ref']): boolean =>
    ref.type === 'ref/prompt'
      ? prompts.find(ref.name) !== null
      : resources.templates(principal).some(({ uriTemplate }) => uriTemplate === ref.uri);
  const valuesOf = (principal: RemotePrincipal, argument: string): readonly number[] => {
    const { uid } = principal.member;
    if (argument === 'cid' && hasModule(principal, { modules: ['campaigns'] })) {
      return newestCampaigns(read, uid, maxSearched).map(({ cid }) => cid);
    }
    if (argument === 'tid' && hasModule(principal, { modules: ['xml'] })) return reports.sources(uid).tids;
    return [];
  };
  return (principal, params) => {
    const { ref, argument } = readArguments(completionInput, params);
    if (!isKnown(principal, ref)) {
      throw new AppError('object_not_found', { message: 'There is no such prompt or resource template.' });
    }
    const values = valuesOf(principal, argument.name)
      .map(String)
      .filter((value) => value.startsWith(argument.value));
    return {
      completion: {
        values: values.slice(0, maxValues),
        total: values.length,
        hasMore: values.length > maxValues,
      },
    };
  };
}
