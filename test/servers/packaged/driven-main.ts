/**
 * The entry of a packaged app that tests drive: the product's own start, unchanged, with an endpoint for the driver. The
 * product refuses the driver's switches, and the fuses disable those of the debugger. So this entry removes the switches from
 * the command line and, after the start has checked it, opens the endpoint from inside. No package that ships contains this
 * file.
 */
import '../electron/wait-for-driver.cjs';
import { open } from 'node:inspector';
import { app } from 'electron';
import { startDesktop, systemParts } from '#electron/start-desktop.ts';

const { commandLine } = app;
const isDriven = commandLine.hasSwitch('inspect');
const isLookedInto = commandLine.hasSwitch('remote-debugging-port');
for (const name of ['inspect', 'remote-debugging-port']) commandLine.removeSwitch(name);
if (isDriven) open(0);
startDesktop(systemParts());
if (isLookedInto) commandLine.appendSwitch('remote-debugging-port', '0');
