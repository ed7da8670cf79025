import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { RequestId } from '../message.ts';
import { RpcError, rpcCodes } from '../rpc-error.ts';
import type { Principal } from '../surface.ts';

/** One request of a session while it is being answered. */
export interface Call<P extends Principal> {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  /** As whom it was sent. */
  readonly principal: P;
  /** The stream that answers it answers others too. */
  readonly isOfBatch: boolean;
  readonly controller: AbortController;
  /** Nothing may be said of it any more. */
  isSettled: boolean;
}

/** What a call that was given up is answered with, where anybody still hears it. */
export function givenUp(): RpcError {
  return new RpcError(rpcCodes.refused, 'The request was cancelled.');
}
