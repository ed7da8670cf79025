/** Bodies that a successful answer has instead of the data, and the message for each. */
export const wrongBodies: readonly (readonly [what: string, body: string, message: RegExp])[] = [
  [
    'a web page',
    '<!DOCTYPE html><title>Sign in</title>',
    /^A web page came in place of the service’s answer/u,
  ],
  ['a page of XML', '\n<?xml version="1.0"?><html/>', /^A web page came/u],
  [
    'an error',
    '{"status":"error","message":"Not for \u202Eyou"}',
    /^The service gave an error in place of the data\. The service says: “Not for ⟨U\+202E⟩you”$/u,
  ],
];
