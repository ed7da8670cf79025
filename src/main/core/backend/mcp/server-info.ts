/** What `initialize` says of this server. */
export const serverInfo = { name: 'countersign-service', title: 'Countersign service', version: '1' };

/** How an agent should work here, in a few sentences. */
export const serverInstructions = [
  'Call svc_whoami to see the account. Read the current state first.',
  'A change is prepared with a svc_prepare_… tool and shown to a person with its diff.',
  'Only then commit it with svc_commit: payload and fingerprint unchanged, a fresh idempotency key, confirmed true.',
  'After a conflict, read again and prepare again.',
].join(' ');
