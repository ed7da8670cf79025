import { app, type Session } from 'electron';
import { mayLoad, mayUse } from './page-rules.ts';

/** Closes a session: no network, no permissions, no devices, no downloads, no dictionaries from elsewhere. */
export function guardSession(session: Session): void {
  session.webRequest.onBeforeRequest(({ url }, decide) => {
    decide({ cancel: !mayLoad(url, { packaged: app.isPackaged }) });
  });
  session.setPermissionRequestHandler((_contents, permission, decide, { requestingUrl, isMainFrame }) => {
    decide(mayUse(permission, originOf(requestingUrl), isMainFrame));
  });
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame }) =>
    mayUse(permission, origin, isMainFrame),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler(null);
  session.setUSBProtectedClassesHandler(({ protectedClasses }) => protectedClasses);
  session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }));
  session.setSpellCheckerEnabled(false);
  session.on('will-download', (event) => event.preventDefault());
  // The first device of a list is chosen where nobody answers.
  session.on('select-hid-device', (event, _details, choose) => {
    event.preventDefault();
    choose(null);
  });
  session.on('select-serial-port', (event, _ports, _contents, choose) => {
    event.preventDefault();
    choose('');
  });
  session.on('select-usb-device', (event, _details, choose) => {
    event.preventDefault();
    choose();
  });
}

/** Scheme and host, also of a scheme of our own, whose `origin` is opaque to the parser. */
function originOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? '' : `${url.protocol}//${url.host}`;
}
