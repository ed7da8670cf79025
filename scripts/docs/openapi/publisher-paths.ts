import { answer, refusals, enveloped, json, reference, type OpenApiPart } from './schema.ts';

const security = [{ publisherKey: [] }];
const tags = ['Publisher reports'];
const day: OpenApiPart = { type: 'string', format: 'date' };

const range: OpenApiPart[] = [
  { name: 'date_from', in: 'query', required: true, schema: day, description: 'Inclusive.' },
  { name: 'date_to', in: 'query', required: true, schema: day, description: 'Inclusive.' },
];

const exportParameter: OpenApiPart = {
  name: 'export',
  in: 'query',
  schema: { enum: ['json', 'csv'] },
  description: 'Sends the report as an attachment.',
};

function rows(name: string): OpenApiPart {
  return answer('The report; an attachment where `export` asks for one.', {
    ...json(enveloped({ type: 'array', items: reference(name) })),
    'text/csv': { schema: { type: 'string' } },
  });
}

const refused = refusals(
  'publisher_key_invalid',
  'publisher_scope_missing',
  'source_forbidden',
  'no_data',
  'validation_failed',
  'not_ready',
);

export const publisherPaths: OpenApiPart = {
  '/xml/stats': {
    get: {
      tags,
      security,
      operationId: 'xmlStats',
      summary: 'Daily XML traffic statistics of one traffic source',
      parameters: [
        { name: 'tid', in: 'query', required: true, schema: { type: 'integer', minimum: 1 } },
        ...range,
        { name: 'groupBy', in: 'query', schema: { enum: ['day', 'geo', 'subid'], default: 'day' } },
        exportParameter,
      ],
      responses: { '200': rows('XmlStatsRow'), ...refused },
    },
  },
  '/publisher/search-report': {
    get: {
      tags,
      security,
      operationId: 'searchReport',
      summary: 'Daily Search metrics by country and feed',
      parameters: [
        ...range,
        { name: 'sid', in: 'query', schema: { type: 'integer', minimum: 1 } },
        exportParameter,
      ],
      responses: { '200': rows('SearchReportRow'), ...refused },
    },
  },
};
