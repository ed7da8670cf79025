import { parseJsonBody, readBody } from '#core/platform/loopback/index.ts';
import type { Check } from '../exchange.ts';

/** The whole body. Fails with `payload_too_large`, or `bad_request` when the sender goes away. */
export const readMessageBody: Check = async (exchange, { limits }) => {
  exchange.body = await readBody(exchange.request, limits.maxBodyBytes);
};

/** The body as strict JSON: nothing that two readers could read in two ways. Fails with a `json_…` code. */
export const parseMessageBody: Check = (exchange) => {
  exchange.value = parseJsonBody(exchange.body);
};
