import { startDesktop, systemParts } from './electron/start-desktop.ts';

startDesktop(systemParts());
