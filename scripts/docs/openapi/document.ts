import {
  authorizationServerSchema,
  campaignEditSchema,
  campaignListSchema,
  campaignSchema,
  envelopeSchema,
  protectedResourceSchema,
  readySchema,
  searchReportRowSchema,
  xmlStatsRowSchema,
} from '#shared/contract/index.ts';
import {
  clientMetadataSchema,
  updateStatusBodySchema,
  errorBodySchema,
  healthSchema,
  jsonRpcCallSchema,
  jsonRpcErrorSchema,
  oauthErrorSchema,
  registeredClientSchema,
  tokenAnswerSchema,
  toolResultSchema,
  updatedStatusSchema,
} from './shapes.ts';
import { memberPaths } from './member-paths.ts';
import { oauthPaths } from './oauth-paths.ts';
import { publisherPaths } from './publisher-paths.ts';
import { remotePaths } from './remote-paths.ts';
import { reference, schemaOf, type OpenApiPart } from './schema.ts';

const shapes = {
  Envelope: envelopeSchema,
  Error: errorBodySchema,
  CampaignList: campaignListSchema,
  Campaign: campaignSchema,
  UpdateStatus: updateStatusBodySchema,
  UpdatedStatus: updatedStatusSchema,
  XmlStatsRow: xmlStatsRowSchema,
  SearchReportRow: searchReportRowSchema,
  ProtectedResource: protectedResourceSchema,
  AuthorizationServer: authorizationServerSchema,
  ClientMetadata: clientMetadataSchema,
  RegisteredClient: registeredClientSchema,
  TokenAnswer: tokenAnswerSchema,
  OAuthError: oauthErrorSchema,
  JsonRpcCall: jsonRpcCallSchema,
  JsonRpcError: jsonRpcErrorSchema,
  ToolResult: toolResultSchema,
  Health: healthSchema,
  Ready: readySchema,
};

const securitySchemes = {
  memberToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Contract §5.1.' },
  publisherKey: { type: 'apiKey', in: 'query', name: 'token', description: 'Contract §5.2.' },
  accessToken: {
    type: 'oauth2',
    description: 'Contract §5.3: public clients, PKCE with S256, refresh tokens that rotate.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/authorize',
        tokenUrl: '/token',
        refreshUrl: '/token',
        scopes: {
          'svc:read': 'Read tools.',
          'svc:write': 'Changes, with confirmation.',
          'svc:upload': 'Uploads, besides write.',
          offline_access: 'Durable scheduled tasks.',
        },
      },
    },
  },
};

export function openApiDocument(): OpenApiPart {
  const schemas = Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, schemaOf(shape)]));
  const edit = schemaOf(campaignEditSchema) as { properties: OpenApiPart };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Advertiser Campaign, Publisher Reporting and Remote Tool Interface',
      version: '1',
      description:
        'What `countersign serve` answers. Made by `npm run docs` from the schemas of `src/shared/contract`; where the contract is silent, docs/service-choices.md names the choice.',
    },
    servers: [{ url: 'http://127.0.0.1:{port}', variables: { port: { default: '8787' } } }],
    paths: { ...memberPaths, ...publisherPaths, ...oauthPaths, ...remotePaths },
    components: {
      schemas: {
        ...schemas,
        CampaignEdit: { ...edit, properties: { ...edit.properties, campaign: reference('Campaign') } },
      },
      securitySchemes,
    },
  };
}
