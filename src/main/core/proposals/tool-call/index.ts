import type { Operation } from '../operation.ts';

/** A call of one of the service's tools (contract §4.3, tools/call). */
export function createToolCallOperation(): Operation {
  const missing = (): never => {
    throw new Error('not yet');
  };
  return { words: missing, reread: missing, send: missing, readBack: missing };
}

export type { CallingAgent, ToolCallRequest } from './request.ts';
