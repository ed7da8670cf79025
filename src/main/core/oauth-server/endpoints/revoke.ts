import { findKnownClient } from '../checks/token/known-client.ts';
import { tokenForm } from '../checks/token/code.ts';
import { rejectOtherAuthentication } from '../checks/token/other-authentication.ts';
import { rejectQuery } from '../checks/token/query.ts';
import { rejectRepeated } from '../checks/repeated.ts';
import { refuse } from '../checks/refuse.ts';
import { readForm } from '../http/read-body.ts';
import { paths } from '../paths.ts';
import type { Endpoint, ServerParts } from '../server-parts.ts';
import { jsonOf } from './library-answer.ts';

/** Revocation (RFC 7009): either token of the client's own ends its grant. A token that is unknown, or another client's, changes nothing. */
export function createRevoke({ facts, library, tokenQuota }: ServerParts): Endpoint {
  return async ({ request, response }) => {
    rejectQuery(request);
    const parameters = await readForm(request);
    rejectRepeated({ parameters });
    rejectOtherAuthentication(request, parameters);
    const client = await findKnownClient(parameters, facts);
    tokenQuota.take(client.clientId);
    const token = parameters.values.get('token');
    if (token === undefined) refuse('oauth_invalid_request', '`token` is missing.');
    if (tokenForm.test(token)) {
      const form = new Map([
        ['client_id', client.clientId],
        ['token', token],
      ]);
      jsonOf(await library.run({ path: paths.revoke, form }));
    }
    response.writeHead(200, { 'content-length': 0 });
    response.end();
  };
}
