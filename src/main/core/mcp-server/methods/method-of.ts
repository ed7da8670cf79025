import type { McpSurface, Principal } from '../surface.ts';
import type { Method } from './asked.ts';
import { complete, getPrompt, listPrompts } from './prompts.ts';
import { listResources, listResourceTemplates, readResource, subscribe, unsubscribe } from './resources.ts';
import { ping, setLogLevel } from './session-methods.ts';
import { callTool, listTools } from './tools.ts';

/** Every method but `initialize`, which is the SDK's. */
const methods: Readonly<Record<string, Method>> = {
  ping,
  'tools/list': listTools,
  'tools/call': callTool,
  'resources/list': listResources,
  'resources/templates/list': listResourceTemplates,
  'resources/read': readResource,
  'resources/subscribe': subscribe,
  'resources/unsubscribe': unsubscribe,
  'prompts/list': listPrompts,
  'prompts/get': getPrompt,
  'completion/complete': complete,
  'logging/setLevel': setLogLevel,
};

/** What only those servers answer that declare it. */
const capabilityOf: Readonly<Record<string, keyof McpSurface<Principal>['capabilities']>> = {
  'resources/subscribe': 'subscribe',
  'resources/unsubscribe': 'subscribe',
  'completion/complete': 'completions',
  'logging/setLevel': 'logging',
};

/** Who answers this method here, or null. */
export function methodOf<P extends Principal>(surface: McpSurface<P>, name: string): Method | null {
  if (!Object.hasOwn(methods, name)) return null;
  const capability = capabilityOf[name];
  if (capability !== undefined && surface.capabilities[capability] !== true) return null;
  return methods[name] ?? null;
}
