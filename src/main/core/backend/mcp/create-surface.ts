import type { McpSurface } from '#core/mcp-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { PublisherReports } from '../publisher/reports.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { BackendService } from '../service.ts';
import { createAdmission } from './admission.ts';
import type { RemoteQuotas } from './admission.ts';
import { createToolCaller } from './call-tool.ts';
import { createCompletions } from './completions.ts';
import { createDataLossPrevention } from './data-loss-prevention.ts';
import type { RemotePrincipal } from '../remote-call/principal.ts';
import type { RemoteTool } from '../remote-call/tool.ts';
import { answerPrompt, createPromptCatalogue } from './prompts.ts';
import {
  campaignResource,
  settingsResource,
  statusesResource,
  createResourceCatalogue,
  taskRunResource,
} from './resources.ts';
import type { TaskRuns } from './resources.ts';
import { getCampaignTool, listCampaignsTool } from './tools/campaigns.ts';
import { searchReportTool, xmlStatsTool } from './tools/reports.ts';
import { whoamiTool } from './tools/whoami.ts';
import { createToolCatalogue } from './tool-catalogue.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';

/** The surface of the remote endpoint, whose tools can be defined in another way while it is open. */
export interface RemoteSurface extends McpSurface<RemotePrincipal> {
  offerTool: ToolCatalogue['offer'];
  takeMore: ToolCatalogue['takeMore'];
}

/** Offers a member the tools, resources and prompts of the remote endpoint, as of this request (contract §4.3). */
export function createRemoteSurface(
  service: BackendService,
  parts: {
    reports: PublisherReports;
    /** The tools of writes and of tasks, after those that read. */
    tools: readonly RemoteTool[];
    runs: TaskRuns;
    quotas: RemoteQuotas;
    /** Looks last at every commit before it is answered; may refuse it. */
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
    offerTool: (name, definition) => tools.offer(name, definition),
    takeMore: (name) => tools.takeMore(name),
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

/** The server info of `initialize`. */
export const serverInfo = { name: 'countersign-service', title: 'Countersign service', version: '1' };

/** Instructions for agents, in a few sentences. */
export const serverInstructions = [
  'Call svc_whoami to see the account. Read the current state first.',
  'A change is prepared with a svc_prepare_… tool and shown to a person with its diff.',
  'Only then commit it with svc_commit: payload and fingerprint unchanged, a fresh idempotency key, confirmed true.',
  'After a conflict, read again and prepare again.',
].join(' ');
