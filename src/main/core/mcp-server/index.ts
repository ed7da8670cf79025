export { declaresTasks } from './exchange/envelope.ts';
export { JsonText, OtherAnswer } from './surface.ts';
export { createMcpServer, loadMcpServer } from './mcp-server.ts';
export type { McpServer } from './mcp-server.ts';
export type {
  CallContext,
  IncomingCall,
  McpLimits,
  McpServerOptions,
  McpSurface,
  McpTasks,
  Principal,
  PromptDefinition,
  ResourceContents,
  ResourceDefinition,
  ResourceResult,
  ResourceTemplate,
  StatelessClient,
  ToolDefinition,
  ToolResult,
} from './surface.ts';
export {
  argumentsInvalid,
  callerName,
  readArguments,
  refusalInFull,
  jsonSchemaOf,
} from './tool-arguments.ts';
