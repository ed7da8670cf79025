import { AppError } from '#shared/errors/index.ts';
import { sendRedirect } from '../http/answers.ts';
import { paths } from '../paths.ts';
import type { Endpoint, ServerParts } from '../server-parts.ts';
import { jsonOf } from './library-answer.ts';

/** Where the browser comes back to after a person has answered; goes on to the client with code or refusal. */
export function createResume({ provider, library, cookies }: ServerParts): Endpoint {
  return async ({ request, response, path }) => {
    const id = path.slice(paths.authorize.length + 1);
    if (cookies.valueOf(request, provider.cookieName('resume')) !== id) {
      throw new AppError('oauth_interaction_unknown');
    }
    const answer = await library.run({ path, cookie: cookies.incoming(request) });
    if (answer.location === null) {
      jsonOf(answer);
      throw new AppError('oauth_interaction_unknown');
    }
    sendRedirect(response, { location: answer.location, cookies: cookies.outgoing(answer.cookies) });
  };
}
