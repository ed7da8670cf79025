import { objectsIn, textIn, type ModelApi } from './stub-model.ts';

const usage = { input_tokens: 1, output_tokens: 1 };

/** Anthropic's Messages API, streaming. */
export const messagesApi: ModelApi = {
  path: '/v1/messages',
  resultsIn: ({ messages }) =>
    objectsIn(messages)
      .flatMap(({ content }) => objectsIn(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => textIn(content)),
  answer(call, id) {
    const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'stub', content: [] };
    const block =
      call === null
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: `toolu_${id}`, name: `mcp__countersign__${call.name}`, input: {} };
    const delta =
      call === null
        ? { type: 'text_delta', text: 'Done.' }
        : { type: 'input_json_delta', partial_json: JSON.stringify(call.args) };
    const end = { stop_reason: call === null ? 'end_turn' : 'tool_use', stop_sequence: null };
    return [
      { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: end, usage },
      { type: 'message_stop' },
    ];
  },
};

/** OpenAI's Responses API, streaming. Codex offers the tools of a server as a namespace. */
export const responsesApi: ModelApi = {
  path: '/v1/responses',
  resultsIn: ({ input }) =>
    objectsIn(input)
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => textIn(output)),
  answer(call, id) {
    const text = { type: 'output_text', text: 'Done.', annotations: [] };
    const item =
      call === null
        ? { type: 'message', id: `msg_${id}`, role: 'assistant', content: [text] }
        : {
            type: 'function_call',
            id: `fc_${id}`,
            call_id: `call_${id}`,
            namespace: 'mcp__countersign',
            name: call.name,
            arguments: JSON.stringify(call.args),
          };
    const response = { id: `resp_${id}`, object: 'response' };
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } },
      {
        type: 'response.completed',
        response: { ...response, status: 'completed', output: [item], usage: { ...usage, total_tokens: 2 } },
      },
    ];
  },
};
