import type { Answer, MemberReads } from '#core/doctor/contract/ask.ts';
import type { CheckContext } from '#core/doctor/contract/check.ts';
import { NotChecked } from '#core/doctor/contract/outcome.ts';
import type { ReadTool, RemoteReads, RpcAnswer } from '#core/doctor/contract/remote-session.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';

/** The member endpoints, writes included. */
interface MemberWrites extends MemberReads {
  put(path: string, body: JsonValue): Promise<Answer>;
}

/** The remote tools, writes included. */
interface RemoteWrites extends RemoteReads {
  call(tool: string, args: JsonObject): Promise<RpcAnswer>;
}

/** The parts that a check that writes may use. */
export interface WriteContext extends CheckContext {
  member: MemberWrites;
  remote: RemoteWrites;
}

/** The context of the doctor's checks, and writes besides. Throws `NotChecked` without an answer to a write. */
export function withWrites(context: CheckContext): WriteContext {
  const { addresses, credentials, member, remote } = context;
  return {
    ...context,
    member: {
      ...member,
      put: (path, body) => put(`${addresses.baseUrl}/login/campaigns${path}`, body, credentials.memberToken),
    },
    remote: {
      ...remote,
      // The session sends any name; only the type of the doctor's own contexts names the tools that read.
      call: (tool, args) => remote.read(tool as ReadTool, args),
    },
  };
}

async function put(url: string, body: JsonValue, token: string | null): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'PUT',
      redirect: 'error',
      signal: AbortSignal.timeout(15_000),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    throw new NotChecked('The connection failed.');
  }
}
