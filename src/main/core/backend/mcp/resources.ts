import type { ResourceContents, ResourceDefinition, ResourceTemplate } from '#core/mcp-server/index.ts';
import { type BackendReader, type TaskFile, newestFirst } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { statusCodes, statusNames, type StatusCode } from '#shared/contract/index.ts';
import type { BackendService } from '../service.ts';
import { type RemotePrincipal, hasModule, isOffered, type Requirements } from '../remote-call/tool.ts';

interface RemoteResource extends Requirements {
  list(principal: RemotePrincipal): readonly ResourceDefinition[];
  template?: ResourceTemplate;
  /** Returns the identifier in an address, for example the `cid` of `svc://campaigns/{cid}`; null for another kind of address. */
  match(uri: string): string | null;
  /** Fails with `object_not_found`, which does not reveal whether the object exists for another member. */
  read(
    principal: RemotePrincipal,
    asked: { uri: string; id: string },
  ): ResourceContents | Promise<ResourceContents>;
}

const jsonType = 'application/json';

const maxListed = 20;

const campaignAddress = /^svc:\/\/campaigns\/([1-9]\d{0,14})$/;

/** `svc://campaigns/{cid}`: one complete campaign (contract §2.4). */
export function campaignResource(read: BackendReader): RemoteResource {
  return {
    scopes: [],
    modules: ['campaigns'],
    list: ({ member }) =>
      newestCampaigns(read, member.uid, maxListed).map(({ cid, name, status_name: status }) => ({
        uri: `svc://campaigns/${cid}`,
        name: `campaign-${cid}`,
        title: name,
        description: `Campaign ${cid}, ${status}.`,
        mimeType: jsonType,
      })),
    template: {
      uriTemplate: 'svc://campaigns/{cid}',
      name: 'campaign',
      title: 'Campaign',
      description: 'One complete campaign of this account.',
      mimeType: jsonType,
    },
    match: (uri) => campaignAddress.exec(uri)?.[1] ?? null,
    read({ member }, { uri, id }) {
      const text = read.payload(member.uid, Number(id));
      if (text === null) throw new AppError('object_not_found');
      return { uri, mimeType: jsonType, text };
    },
  };
}

export function newestCampaigns(
  read: BackendReader,
  uid: number,
  max: number,
): { cid: number; name: string; status_name: string }[] {
  const { rows } = read.list({ ...newestFirst, uid, limit: max });
  return rows.map((row) => JSON.parse(row) as { cid: number; name: string; status_name: string });
}

/** `svc://settings`: the tenant's types and settings (contract §2.3). */
export function settingsResource({ context }: BackendService): RemoteResource {
  const text = JSON.stringify({ campaign_types: context.types, settings: context.settings });
  return staticResource({
    uri: 'svc://settings',
    name: 'settings',
    title: 'Campaign types and settings',
    description: 'Enabled campaign types with their bounds, switches and the minimum budget of this service.',
    modules: ['campaigns'],
    text,
  });
}

const statusMeanings: Readonly<Record<StatusCode, string>> = {
  0: 'Waits for the review. Members can neither set it nor approve it.',
  1: 'Delivers. Needs at least $1.00 available balance.',
  2: 'Removed from delivery; what members use as deletion.',
  3: 'Delivery is stopped and can go on.',
  4: 'Follows the configured start and schedule.',
};

/** `svc://statuses`: status codes with their names and meanings (contract §3). */
export function statusesResource(): RemoteResource {
  const statuses = statusCodes.map((code) => ({
    code,
    name: statusNames[code],
    meaning: statusMeanings[code],
  }));
  return staticResource({
    uri: 'svc://statuses',
    name: 'statuses',
    title: 'Campaign statuses',
    description: 'The five status codes, their names and what a member can do with them.',
    modules: [],
    text: JSON.stringify(statuses),
  });
}

function staticResource(made: {
  uri: string;
  name: string;
  title: string;
  description: string;
  modules: RemoteResource['modules'];
  text: string;
}): RemoteResource {
  const { uri, name, title, description, modules, text } = made;
  return {
    scopes: [],
    modules,
    list: () => [{ uri, name, title, description, mimeType: jsonType }],
    match: (asked) => (asked === uri ? '' : null),
    read: () => ({ uri, mimeType: jsonType, text }),
  };
}

const taskRunAddress = /^svc:\/\/task-runs\/([\w-]{1,64})$/;

export interface TaskRuns {
  /** Fails with `object_not_found`. */
  readRun(uid: number, runId: string): TaskFile;
}

/** `svc://task-runs/{id}`: the report of one run of a scheduled task. `svc_list_tasks` lists the identifiers. */
export function taskRunResource(tasks: TaskRuns): RemoteResource {
  return {
    scopes: [],
    modules: ['tasks'],
    list: () => [],
    template: {
      uriTemplate: 'svc://task-runs/{id}',
      name: 'task-run',
      title: 'Report of a task',
      description: 'The file that one run of a scheduled report has made: CSV or JSON.',
    },
    match: (uri) => taskRunAddress.exec(uri)?.[1] ?? null,
    read({ member }, { uri, id }) {
      const { contentType, content } = tasks.readRun(member.uid, id);
      return { uri, mimeType: contentType, text: content };
    },
  };
}

export interface ResourceCatalogue {
  readonly size: number;
  countFor(principal: RemotePrincipal): number;
  list(principal: RemotePrincipal): ResourceDefinition[];
  templates(principal: RemotePrincipal): ResourceTemplate[];
  /** Fails with `object_not_found`, or with `module_denied` if the account does not have the resource's module. */
  read(principal: RemotePrincipal, uri: string): Promise<ResourceContents>;
}

export function createResourceCatalogue(kinds: readonly RemoteResource[]): ResourceCatalogue {
  const offeredKinds = (principal: RemotePrincipal) => kinds.filter((kind) => isOffered(principal, kind));
  return {
    size: kinds.length,
    countFor: (principal) => offeredKinds(principal).length,
    list: (principal) => offeredKinds(principal).flatMap((kind) => [...kind.list(principal)]),
    templates: (principal) =>
      offeredKinds(principal).flatMap(({ template }) => (template === undefined ? [] : [template])),
    async read(principal, uri) {
      for (const kind of kinds) {
        const id = kind.match(uri);
        if (id === null) continue;
        if (!hasModule(principal, kind)) throw new AppError('module_denied');
        return kind.read(principal, { uri, id });
      }
      throw new AppError('object_not_found');
    },
  };
}
