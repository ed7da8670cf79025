import { isLogLevel } from '../session/log-level.ts';
import { invalidParams } from '../rpc-error.ts';
import type { Method } from './asked.ts';

/** `ping`. */
export const ping: Method = () => ({});

/** `logging/setLevel` (MCP, Logging). */
export const setLogLevel: Method = ({ params: { level }, wishes }) => {
  if (!isLogLevel(level)) throw invalidParams('`level` is none of the levels of MCP.');
  wishes.logLevel = level;
  return {};
};
