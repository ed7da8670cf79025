import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { methodOf } from '../methods/method-of.ts';
import type { Asked, Method, MethodResult } from '../methods/asked.ts';
import { RpcError, rpcCodes, toRpcError } from '../rpc-error.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Principal } from '../surface.ts';
import type { Call } from './call.ts';

/**
 * Answers one call by the method that it names, as whom it was sent. Null where nobody waits for it any more, as soon as it
 * is given up; `settled` is told when the work has really ended. Never fails.
 */
export async function answerCall<P extends Principal>(
  call: Call<P>,
  { asked, logger, settled }: { asked: Asked<P>; logger: Logger; settled: () => void },
): Promise<JSONRPCMessage | null> {
  const work = run(call, asked).finally(() => {
    call.isSettled = true;
    settled();
  });
  try {
    const result = await call.untilGivenUp(work);
    return { jsonrpc: '2.0', id: call.id, result };
  } catch (failure) {
    if (call.isGivenUp) return null;
    const { code, message, data } = toRpcError(failure, { method: call.method, logger });
    return { jsonrpc: '2.0', id: call.id, error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}

async function run<P extends Principal>({ method }: Call<P>, asked: Asked<P>): Promise<MethodResult> {
  const answer: Method | null = methodOf(asked.surface, method);
  if (answer === null) throw new RpcError(rpcCodes.methodNotFound, 'Method not found');
  return answer(asked);
}
