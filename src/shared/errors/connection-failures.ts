import { type CatalogueEntry, entry } from './catalogue-entry.ts';

/** Failures between the app and a service: profiles, addresses, sign-in and the documents of discovery. */
export const connectionFailures = {
  // Profiles
  profile_unknown: entry(404, 'info', 'There is no such profile.', 'Choose another on the Profiles page.'),
  profile_fixed: entry(
    409,
    'info',
    'The Demo profile is always there and stays as it is.',
    'Add a profile of your own for a live service.',
  ),
  profile_busy: entry(
    409,
    'info',
    'Changes of this profile still wait or have an unknown outcome.',
    'Decide, withdraw or settle them on the Proposals page, then try again.',
  ),
  profile_changed: entry(
    409,
    'info',
    'The profile was changed meanwhile. Nothing was done.',
    'Look at it as it is now, then try again.',
  ),
  live_on_desktop_only: entry(
    403,
    'info',
    'Live profiles work in the desktop app only.',
    'Open the desktop app. Only Demo is available here.',
  ),
  credential_missing: entry(
    401,
    'info',
    'This profile has no credential for that yet.',
    'Open the profile and add it.',
  ),
  account_changed: entry(
    409,
    'warn',
    'The profile is signed in to another account than the one this change was made for. Nothing was sent.',
    'Sign in to the right account, then try again.',
  ),

  // Addresses
  address_refused: entry(
    400,
    'warn',
    'The service names an address that Countersign does not open.',
    'Nothing was opened or sent there. Ask the operator of the service.',
  ),
  wrong_host: entry(
    421,
    'info',
    'The service does not answer under this host name.',
    'Use the exact host name that the operator gave you.',
  ),

  // The network between
  certificate_untrusted: entry(
    502,
    'warn',
    'The certificate of the service is from an authority that this computer does not trust. Nothing was sent.',
    'If your company or an antivirus inspects connections, have its certificate authority installed in the system; otherwise report it to the operator of the service.',
  ),
  proxy_refused: entry(
    502,
    'warn',
    'The proxy of this network opened no connection to the service. Nothing was sent.',
    'Check the proxy in the system’s network settings, or ask your network’s administrator to let Countersign reach the service.',
  ),
  proxy_sign_in_needed: entry(
    502,
    'warn',
    'The proxy of this network asks for a sign-in, which Countersign does not have. Nothing was sent.',
    'Ask your network’s administrator to let Countersign reach the service without one.',
  ),

  // OAuth, as a client
  discovery_failed: entry(
    502,
    'warn',
    'The service’s sign-in documents cannot be used.',
    'Check the tools address. If it is right, report it to the operator of the service.',
  ),
  registration_failed: entry(
    502,
    'warn',
    'The service did not register Countersign.',
    'Try again later, or ask the operator of the service whether registration is open.',
  ),
  sign_in_needed: entry(
    401,
    'info',
    'The sign-in is missing or has ended.',
    'Sign in again on the Profiles page.',
  ),
  sign_in_running: entry(
    409,
    'info',
    'A sign-in is already under way.',
    'Finish it in the browser, or cancel it first.',
  ),
  sign_in_not_needed: entry(
    409,
    'info',
    'This profile opens the tools with the member token; no sign-in is needed.',
    'Paste a member token, or choose the sign-in in the profile’s settings.',
  ),
  sign_in_cancelled: entry(409, 'info', 'The sign-in was cancelled.', 'Start it again whenever you like.'),
  sign_in_timed_out: entry(
    408,
    'info',
    'The sign-in was not finished in time.',
    'Start it again, and finish it in the browser.',
  ),
  sign_in_refused: entry(
    403,
    'info',
    'The service did not grant the sign-in.',
    'Start it again, and allow the access in the browser.',
  ),
  sign_in_mismatch: entry(
    400,
    'warn',
    'The answer to the sign-in does not belong to it. It was not used.',
    'Start the sign-in again. If it happens twice, report it to the operator of the service.',
  ),
  token_refused: entry(
    502,
    'warn',
    'The service gave no usable access.',
    'Sign in again. If it persists, report it to the operator of the service.',
  ),
  scope_needed: entry(
    403,
    'info',
    'The sign-in does not cover this.',
    'Allow more on the Profiles page; you sign in once more in the browser.',
  ),

  // The remote tools, as a client
  tool_refused: entry(
    400,
    'info',
    'The service refused the call.',
    'Read its message, and correct the call. Do not repeat it unchanged.',
  ),
  call_cancelled: entry(
    409,
    'info',
    'The call was cancelled.',
    'The service may have carried it out all the same. Look at the current state before you repeat it.',
  ),
  protocol_failed: entry(
    502,
    'warn',
    'The service does not speak the protocol of the remote tools as expected.',
    'Run the doctor on the Profiles page, and send its report to the operator of the service.',
  ),
} as const satisfies Record<string, CatalogueEntry>;
