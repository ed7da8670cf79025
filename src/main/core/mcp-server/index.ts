export { createMcpServer, loadMcpServer } from './create-mcp-server.ts';
export type { McpLimits, McpServer, McpServerOptions } from './mcp-server.ts';
export type {
  CallContext,
  IncomingCall,
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
