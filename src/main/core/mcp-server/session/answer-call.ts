import { methodOf } from '../methods/method-of.ts';
import type { Asked, Method, MethodResult } from '../methods/asked.ts';
import { RpcError, rpcCodes, toRpcError } from '../rpc-error.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Principal } from '../surface.ts';
import { givenUp } from './call.ts';
import type { Call } from './call.ts';

/**
 * Answers one call by the method that it names, as whom it was sent; fails with an `RpcError`. It fails at once when the
 * call is given up, and `settled` is told when the work has really ended.
 */
export function answerCall<P extends Principal>(
  call: Call<P>,
  { asked, logger, settled }: { asked: Asked<P>; logger: Logger; settled: () => void },
): Promise<MethodResult> {
  const method = methodOf(asked.surface, call.method);
  const work = method === null ? Promise.reject(unknownMethod()) : run(method, asked, { call, logger });
  return call.untilGivenUp(
    work.finally(() => {
      call.isSettled = true;
      settled();
    }),
  );
}

async function run<P extends Principal>(
  method: Method,
  asked: Asked<P>,
  { call, logger }: { call: Call<P>; logger: Logger },
): Promise<MethodResult> {
  try {
    return await method(asked);
  } catch (failure) {
    throw call.isGivenUp ? givenUp() : toRpcError(failure, { method: call.method, logger });
  }
}

function unknownMethod(): RpcError {
  return new RpcError(rpcCodes.methodNotFound, 'Method not found');
}
