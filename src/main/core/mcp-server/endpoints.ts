import { checkAcceptsBoth, checkAcceptsStream } from './checks/accept.ts';
import { checkAdmitted } from './checks/admitted.ts';
import { authenticateCaller } from './checks/authenticate-caller.ts';
import { checkBatch } from './checks/batch.ts';
import { parseMessageBody, readMessageBody } from './checks/body.ts';
import { checkJsonType } from './checks/json-type.ts';
import { checkLastEvent } from './checks/last-event.ts';
import { readMessages } from './checks/messages.ts';
import { findNamedSession, requireSession } from './checks/named-session.ts';
import { checkProtocolVersion } from './checks/protocol-version.ts';
import { checkRequestIds } from './checks/request-ids.ts';
import { checkRunningCalls } from './checks/running-calls.ts';
import { checkSessionFits } from './checks/session-fits.ts';
import type { Check } from './exchange.ts';

/**
 * What is asked of a request, in this order: who sends it comes first, and a body is read of nobody whose headers do not fit.
 * A method that is not here is refused before anything else.
 */
export const checksOfMethod: Readonly<Record<string, readonly Check[]>> = {
  POST: [
    authenticateCaller,
    checkJsonType,
    checkAcceptsBoth,
    checkProtocolVersion,
    findNamedSession,
    readMessageBody,
    parseMessageBody,
    readMessages,
    checkSessionFits,
    checkBatch,
    checkRequestIds,
    checkRunningCalls,
    checkAdmitted,
  ],
  GET: [
    authenticateCaller,
    checkAcceptsStream,
    checkProtocolVersion,
    findNamedSession,
    requireSession,
    checkLastEvent,
  ],
  DELETE: [authenticateCaller, checkProtocolVersion, findNamedSession, requireSession],
};
