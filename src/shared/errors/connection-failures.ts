import { failures } from './catalogue-entry.ts';

export const connectionFailures = {
  // Profiles
  ...failures(404, 'info', {
    profile_unknown: ['There is no such profile.', 'Choose a profile on the Profiles page.'],
  }),
  ...failures(409, 'info', {
    profile_fixed: [
      'The Demo profile is built in and cannot be changed.',
      'Add a profile of your own for a live service.',
    ],
    profile_busy: [
      'Changes of this profile still wait or have an unknown outcome.',
      'Decide, withdraw or settle them on the Proposals page, then try again.',
    ],
    profile_changed: [
      'The profile was changed meanwhile. Nothing was done.',
      'Check the profile, then try again.',
    ],
  }),
  ...failures(403, 'info', {
    live_on_desktop_only: [
      'Live profiles work in the desktop app only.',
      'Open the desktop app. Only Demo is available here.',
    ],
  }),
  ...failures(401, 'info', {
    credential_missing: ['This profile has no credential for that yet.', 'Open the profile and add it.'],
  }),
  ...failures(409, 'warn', {
    account_changed: [
      'The profile is signed in to another account than the one this change was made for. Nothing was sent.',
      'Sign in to the right account, then try again.',
    ],
  }),
  // Addresses
  ...failures(400, 'warn', {
    address_refused: [
      'The service names an address that Countersign does not open.',
      'Nothing was opened or sent there. Ask the operator of the service.',
    ],
  }),
  ...failures(421, 'info', {
    wrong_host: [
      'The service does not answer under this host name.',
      'Use the exact host name that the operator gave you.',
    ],
  }),
  // The network between the app and a service
  ...failures(502, 'warn', {
    certificate_untrusted: [
      'The certificate of the service is from an authority that this computer does not trust. Nothing was sent.',
      'If your company or an antivirus inspects connections, have its certificate authority installed in the system; otherwise report it to the operator of the service.',
    ],
    proxy_refused: [
      'The proxy of this network opened no connection to the service. Nothing was sent.',
      'Check the proxy in the system’s network settings, or ask your network’s administrator to let Countersign reach the service.',
    ],
    proxy_sign_in_needed: [
      'The proxy of this network asks for a sign-in, which Countersign does not have. Nothing was sent.',
      'Ask your network’s administrator to let Countersign reach the service without one.',
    ],
  }),
  // The app as an OAuth client
  ...failures(502, 'warn', {
    discovery_failed: [
      'The service’s sign-in documents cannot be used.',
      'Check the tools address. If it is right, report it to the operator of the service.',
    ],
    registration_failed: [
      'The service did not register Countersign.',
      'Try again later, or ask the operator of the service whether registration is open.',
    ],
    token_refused: [
      'The service returned no usable tokens.',
      'Sign in again. If it persists, report it to the operator of the service.',
    ],
  }),
  ...failures(401, 'info', {
    sign_in_needed: ['The sign-in is missing or has ended.', 'Sign in again on the Profiles page.'],
  }),
  ...failures(409, 'info', {
    sign_in_running: ['A sign-in is already in progress.', 'Finish it in the browser, or cancel it first.'],
    sign_in_not_needed: [
      'This profile opens the tools with the member token; no sign-in is needed.',
      'Paste a member token, or choose the sign-in in the profile’s settings.',
    ],
    sign_in_cancelled: ['The sign-in was cancelled.', 'Start it again whenever you like.'],
  }),
  ...failures(408, 'info', {
    sign_in_timed_out: [
      'The sign-in was not finished in time.',
      'Start it again, and finish it in the browser.',
    ],
  }),
  ...failures(403, 'info', {
    sign_in_refused: [
      'The service did not grant the sign-in.',
      'Start it again, and allow the access in the browser.',
    ],
    scope_needed: [
      'The sign-in does not cover this.',
      'Allow more on the Profiles page; you sign in once more in the browser.',
    ],
  }),
  ...failures(400, 'warn', {
    sign_in_mismatch: [
      'The answer does not belong to this sign-in. It was not used.',
      'Start the sign-in again. If it happens twice, report it to the operator of the service.',
    ],
  }),
  // The app as a client of the remote tools
  ...failures(400, 'info', {
    tool_refused: [
      'The service refused the call.',
      'Read its message, and correct the call. Do not repeat it unchanged.',
    ],
  }),
  ...failures(409, 'info', {
    call_cancelled: [
      'The call was cancelled.',
      'The service may have executed it nevertheless. Look at the current state before you repeat it.',
    ],
  }),
  ...failures(502, 'warn', {
    protocol_failed: [
      'The service does not speak the protocol of the remote tools as expected.',
      'Run the doctor on the Profiles page, and send its report to the operator of the service.',
    ],
  }),
};
