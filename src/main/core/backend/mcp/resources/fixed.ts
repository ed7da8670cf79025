import { statusCodes, statusNames } from '#shared/contract/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import type { BackendService } from '../../service.ts';
import { jsonType } from './resource.ts';
import type { RemoteResource } from './resource.ts';

/** `svc://settings`: the tenant's types and settings (contract §2.3). */
export function settingsResource({ context }: BackendService): RemoteResource {
  const text = JSON.stringify({ campaign_types: context.types, settings: context.settings });
  return fixed({
    uri: 'svc://settings',
    name: 'settings',
    title: 'Campaign types and settings',
    description: 'Enabled campaign types with their bounds, switches and the minimum budget of this service.',
    modules: ['campaigns'],
    text,
  });
}

/** What a member may do towards each status (contract §3). */
const behaviour: Readonly<Record<StatusCode, string>> = {
  0: 'Waits for the review. Members can neither set it nor approve it.',
  1: 'Delivers. Needs at least $1.00 available balance.',
  2: 'Removed from delivery; what members use as deletion.',
  3: 'Delivery is stopped and can go on.',
  4: 'Follows the configured start and schedule.',
};

/** `svc://statuses`: the codes, their names and what they mean (contract §3). */
export function statusesResource(): RemoteResource {
  const statuses = statusCodes.map((code) => ({ code, name: statusNames[code], meaning: behaviour[code] }));
  return fixed({
    uri: 'svc://statuses',
    name: 'statuses',
    title: 'Campaign statuses',
    description: 'The five status codes, their names and what a member can do with them.',
    modules: [],
    text: JSON.stringify(statuses),
  });
}

function fixed(made: {
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
