// Replaces Electron's default app in the runtime for tests, whose package does not contain one:
//   electron [-r module]... [switches] <folder or file of an app> [arguments of the app]
const { app } = require('electron');
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const { target, preloaded } = readArguments(process.argv.slice(1));
if (target === null) endWith('No app was named');
Module._preloadModules(preloaded);
process.defaultApp = true;
start(locate(resolve(target)));

function readArguments(given) {
  const modules = [];
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at];
    if (word === '-r' || word === '--require') modules.push(given[(at += 1)]);
    else if (!word.startsWith('-')) return { target: word, preloaded: modules };
  }
  return { target: null, preloaded: modules };
}

/** Returns the app's entry file, and applies the app's name, version and folder to the program, as Electron does. */
function locate(path) {
  try {
    const manifest = join(path, 'package.json');
    if (!existsSync(manifest)) {
      const file = Module._resolveFilename(path, null, true);
      app.setAppPath(dirname(file));
      return file;
    }
    const { name, productName, version, desktopName, main = 'index.js' } = readJson(manifest);
    if (version) app.setVersion(version);
    if (productName ?? name) app.name = productName ?? name;
    if (desktopName) app.setDesktopName(desktopName);
    app.setAppPath(path);
    return require.resolve(join(path, main));
  } catch (failure) {
    return endWith(`Unable to find an Electron app at ${path}\n\n${failure.message}`);
  }
}

function start(file) {
  const failed = (failure) => endWith(`The app failed while it was loaded\n${failure.stack ?? failure}`);
  if (isModule(file)) return void import(pathToFileURL(file).href).catch(failed);
  try {
    Module._load(file, Module, true);
  } catch (failure) {
    failed(failure);
  }
}

function isModule(file) {
  if (!file.endsWith('.js')) return file.endsWith('.mjs');
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return readJson(manifest).type === 'module';
  }
  return false;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function endWith(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
