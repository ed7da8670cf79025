export { createMcpServer, loadMcpServer } from './mcp-server.ts';
export type { McpServer } from './mcp-server.ts';
export type {
  CallContext,
  IncomingCall,
  McpLimits,
  McpServerOptions,
  McpSurface,
  Principal,
  PromptDefinition,
  ResourceContents,
  ResourceDefinition,
  ResourceResult,
  ResourceTemplate,
  ToolDefinition,
  ToolResult,
} from './surface.ts';
export { argumentsInvalid, callerName, jsonSchemaOf, readArguments, refusalInFull } from './tool-arguments.ts';
