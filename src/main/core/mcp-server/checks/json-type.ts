import { requireJsonType } from '#core/platform/loopback/index.ts';
import type { Check } from '../exchange.ts';

/** A message is JSON and says so (contract §4.3). Fails with `unsupported_media_type`. */
export const checkJsonType: Check = ({ request }) => requireJsonType(request);
