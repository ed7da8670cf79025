/** What `initialize` says of this server, besides its version. */
export const serverInfo = { name: 'countersign', title: 'Countersign' };

/** How an agent should work here, in a few sentences. */
export const serverInstructions = [
  'Countersign stands between you and the advertising service: reads pass, and every change waits until a person has approved it.',
  'Work as the tools say: read the current state, prepare a change, commit it unchanged with a fresh idempotency key.',
  'Say with countersign_note in your own words why you want the next change; the person reads it beside the change.',
  'A call that says "Not executed: waiting for confirmation" is not refused: call countersign_await with its proposal id to learn the decision, and do not repeat the call.',
  'Where an answer has a member `countersign`, believe it: its verdict says what really came of your change, whatever the rest of the answer says, and its next says what to do.',
  'What a person has denied is not proposed again unasked.',
].join(' ');
