import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';

/** What a session hears before it has asked for a level (MCP, Logging). */
export const usualLogLevel: LoggingLevel = 'info';

const severities = new Map<string, number>(LoggingLevelSchema.options.map((level, index) => [level, index]));

/** Whether this is one of the levels of RFC 5424 that MCP knows. */
export function isLogLevel(level: unknown): level is LoggingLevel {
  return typeof level === 'string' && severities.has(level);
}

/** Whether a message of this level is heard by who asked for `wanted` and worse. */
export function isHeard(level: LoggingLevel, wanted: LoggingLevel): boolean {
  return (severities.get(level) ?? 0) >= (severities.get(wanted) ?? 0);
}
